//! Text as a terminal shows it: graphemes, widths, wrapping, truncation, tabs, and unsafe characters.
//!
//! All functions take linear time. Plain ASCII, Han, kana and Hangul need no Unicode tables. Widths equal those of the
//! screen library, which makes computed cursor positions correct.

pub mod ambiguous;
mod cut;
mod fullwidth;
mod incoming;
mod tabs;
mod whole;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use cut::{truncate, truncate_middle, truncate_start};
pub use fullwidth::half_width;
pub use incoming::incoming;
pub use tabs::{TAB, expand_tabs, shown_line, unexpanded};
pub use whole::{wrap_set_in, wrap_whole};
pub use words::word_count;

pub fn newlines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

pub fn screen_columns(text: &str) -> u16 {
    u16::try_from(width(text)).unwrap_or(u16::MAX)
}

/// Returns the words of a text, separated by one blank.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the offsets of `needle` in `haystack`, without overlaps. Empty for an empty `needle`.
pub fn places(haystack: &[u8], needle: &[u8]) -> Vec<usize> {
    if needle.is_empty() {
        return Vec::new();
    }
    memchr::memmem::find_iter(haystack, needle).collect()
}

pub fn graphemes(text: &str) -> Graphemes<'_> {
    Graphemes { text, at: 0 }
}

pub struct Graphemes<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Graphemes<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..)?;
        let mut chars = rest.chars();
        let first = chars.next()?;
        let alone = stands_alone(first) && chars.next().is_none_or(stands_alone);
        let len = if alone {
            first.len_utf8()
        } else {
            rest.graphemes(true).next().map_or(first.len_utf8(), str::len)
        };
        let start = self.at;
        self.at += len;
        Some((start, self.text.get(start..self.at)?))
    }
}

/// Maximum length of a grapheme in bytes. A longer sequence of combining marks is split.
const LONGEST_GRAPHEME: usize = 1_024;

pub fn is_between_graphemes(text: &str, at: usize) -> bool {
    let (near, from) = before(text, at);
    let (_, after) = text.split_at_checked(at).unwrap_or_default();
    let end = at + after.floor_char_boundary(LONGEST_GRAPHEME);
    let near = text.get(from..end).unwrap_or(near);
    GraphemeCursor::new(at - from, near.len(), true)
        .is_boundary(near, 0)
        .unwrap_or(true)
}

pub fn grapheme_before(text: &str, at: usize) -> usize {
    let (near, from) = before(text, at);
    let start = GraphemeCursor::new(near.len(), near.len(), true).prev_boundary(near, 0);
    from + start.ok().flatten().unwrap_or_default()
}

pub fn grapheme_after(text: &str, at: usize) -> usize {
    let (_, rest) = text.split_at_checked(at).unwrap_or_default();
    let near = rest.get(..rest.floor_char_boundary(LONGEST_GRAPHEME)).unwrap_or(rest);
    graphemes(near).next().map_or(at, |(_, grapheme)| at + grapheme.len())
}

fn before(text: &str, at: usize) -> (&str, usize) {
    let from = text.floor_char_boundary(at.saturating_sub(LONGEST_GRAPHEME));
    (text.get(from..at).unwrap_or_default(), from)
}

/// Whether the character never forms a grapheme with another such character. Such text needs no Unicode tables.
fn stands_alone(c: char) -> bool {
    // Includes the lines and symbols in every frame of the screen.
    matches!(c, ' '..='~' | '\t' | '·' | '…' | '›' | '→' | '\u{2500}'..='\u{259f}' | '○' | '●') || is_wide_alone(c)
}

/// Whether a character for which `stands_alone` is true takes two columns on every terminal.
fn is_wide_alone(c: char) -> bool {
    matches!(c,
        '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ff60}')
}

/// Returns the width of a grapheme in columns. If terminals differ, returns the largest width.
pub fn grapheme_width(grapheme: &str) -> usize {
    if grapheme.len() == 1 {
        return usize::from(!grapheme.as_bytes().iter().any(u8::is_ascii_control));
    }
    let mut chars = grapheme.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && is_wide_alone(c)
    {
        return 2;
    }
    let measured = |text: &str| {
        if ambiguous::are_wide() {
            text.width_cjk()
        } else {
            text.width()
        }
    };
    let is_drawn_as_one =
        |c: char| matches!(c, '\u{200d}' | '\u{fe0f}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}');
    if !grapheme.contains(is_drawn_as_one) {
        // A terminal without support for grapheme clusters draws each character separately. With a smaller width, such
        // a terminal would cut off the last characters.
        let spaced = grapheme.chars().map(letter_width).sum();
        return measured(grapheme).max(spaced);
    }
    measured(grapheme)
}

/// Returns the width of a character on a terminal without support for grapheme clusters.
///
/// Unlike in the Unicode table, tmux, VTE and xterm draw half-width sound marks and some Indic marks in a separate
/// cell.
pub fn letter_width(c: char) -> usize {
    let has_own_cell = matches!(
        c,
        '\u{ff9e}'
            | '\u{ff9f}'
            | '\u{9be}'
            | '\u{9d7}'
            | '\u{b3e}'
            | '\u{b57}'
            | '\u{bbe}'
            | '\u{bd7}'
            | '\u{cc0}'
            | '\u{cc2}'
            | '\u{cc7}'
            | '\u{cc8}'
            | '\u{cca}'
            | '\u{ccb}'
            | '\u{cd5}'
            | '\u{cd6}'
            | '\u{d3e}'
            | '\u{d57}'
            | '\u{dcf}'
            | '\u{ddf}'
            | '\u{1715}'
            | '\u{1734}'
            | '\u{1b35}'
            | '\u{1b3b}'
            | '\u{1b3d}'
            | '\u{1b43}'
            | '\u{1b44}'
            | '\u{1baa}'
            | '\u{1bf2}'
            | '\u{1bf3}'
            | '\u{302e}'
            | '\u{302f}'
            | '\u{a953}'
            | '\u{a9c0}'
            | '\u{111c0}'
            | '\u{11235}'
            | '\u{1133e}'
            | '\u{1134d}'
            | '\u{11357}'
            | '\u{114b0}'
            | '\u{114bd}'
            | '\u{115af}'
            | '\u{116b6}'
            | '\u{11930}'
            | '\u{1193d}'
            | '\u{16ff0}'
            | '\u{16ff1}'
            | '\u{1d165}'
            | '\u{1d166}'
            | '\u{1d16d}'..='\u{1d172}'
    );
    c.width().unwrap_or(0).max(usize::from(has_own_cell))
}

pub fn width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    graphemes(text).map(|(_, g)| grapheme_width(g)).sum()
}

pub fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| (b' '..=b'~').contains(&b))
}

/// Returns the byte range of each row of a line, at most `columns` wide. Rows break between words, and anywhere between
/// wide characters. Spaces at a break belong to no row.
///
/// An empty text has one empty row. A grapheme that is wider than `columns` gets a row of its own.
pub fn wrap(text: &str, columns: usize) -> Vec<Range<usize>> {
    if text.len() <= columns && is_plain(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let starts = row_starts(
        graphemes(text).map(|(at, g)| Piece {
            at,
            width: grapheme_width(g),
            kind: PieceKind::of(g),
        }),
        columns,
    );
    let mut rows = Vec::with_capacity(starts.len());
    for (n, start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(text.len());
        let row = text.get(*start..end).unwrap_or_default();
        let length = if n + 1 < starts.len() {
            row.trim_end_matches(' ').len()
        } else {
            row.len()
        };
        rows.push(*start..*start + length);
    }
    rows
}

pub fn wrap_anywhere(text: &str, columns: usize) -> Vec<Range<usize>> {
    if text.len() <= columns && is_plain(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, g) in graphemes(text) {
        let w = grapheme_width(g);
        if used + w > columns && at > start {
            rows.push(start..at);
            start = at;
            used = 0;
        }
        used += w;
    }
    rows.push(start..text.len());
    rows
}

/// A unit of wrapping: a grapheme, or a placeholder for several characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub at: usize,
    pub width: usize,
    pub kind: PieceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    Space,
    /// Part of a word. Rows do not break between two such pieces.
    Word,
    Wide,
    Closing,
    Opening,
}

impl PieceKind {
    pub fn of(grapheme: &str) -> Self {
        let Some(c) = grapheme.chars().next() else {
            return Self::Word;
        };
        match c {
            ' ' | '\t' if grapheme.len() == 1 => Self::Space,
            '!'..='~' => Self::Word,
            '、' | '。' | '，' | '．' | '！' | '？' | '：' | '；' | '）' | '」' | '』' | '】' | '》' | '〉' | '”'
            | '’' | '…' | 'ー' | '々' | '・' | '〕' | '｝' | '］' => Self::Closing,
            '（' | '「' | '『' | '【' | '《' | '〈' | '“' | '‘' | '〔' | '｛' | '［' => Self::Opening,
            c if is_hangul(c) => Self::Word,
            _ if grapheme_width(grapheme) >= 2 => Self::Wide,
            _ => Self::Word,
        }
    }
}

/// Whether the character is Hangul. Korean separates words by spaces, and rows break there.
fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}')
}

/// Returns the `at` of the first piece of each row. Spaces at the end of a row may exceed the width, because no row may
/// begin with a space.
pub fn row_starts(pieces: impl IntoIterator<Item = Piece>, columns: usize) -> Vec<usize> {
    let mut starts = vec![0];
    let mut used = 0;
    let mut breakable: Option<(usize, usize)> = None;
    let mut before: Option<PieceKind> = None;
    for piece in pieces {
        let row = starts.last().copied().unwrap_or(0);
        let may_break = match (before, piece.kind) {
            (None | Some(PieceKind::Opening), _) | (_, PieceKind::Space | PieceKind::Closing) => false,
            (Some(PieceKind::Space | PieceKind::Wide | PieceKind::Closing), _)
            | (_, PieceKind::Wide | PieceKind::Opening) => true,
            (Some(PieceKind::Word), PieceKind::Word) => false,
        };
        // `foo。bar` may break after the full stop. `a’s` may not, because a narrow closing mark is part of its word.
        if may_break && piece.at > row {
            breakable = Some((piece.at, used));
        }
        // This loop runs at most twice, because the moved part may leave too little space for the piece.
        while used > 0 && used + piece.width > columns && piece.kind != PieceKind::Space {
            let (at, columns_before) = breakable.take().unwrap_or((piece.at, used));
            starts.push(at);
            used -= columns_before;
        }
        used += piece.width;
        before = Some(piece.kind);
    }
    starts
}

pub fn fit(text: &str, columns: usize) -> String {
    let mut out = truncate(text, columns).into_owned();
    let used = width(&out);
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    out
}

/// Whether a character can make the displayed text misleading.
pub fn is_hostile(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        // Soft hyphen, Arabic letter mark, Mongolian separator, zero width, bidi marks, embeddings and isolates.
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' => true,
        // Byte order mark, interlinear notes, tags.
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        // Invisible filler characters.
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => true,
        _ => false,
    }
}

/// Returns the letters that a reader recognises: compatibility forms as plain lower-case letters, nothing invisible.
pub fn plain_letters(text: &str) -> impl Iterator<Item = char> {
    let is_seen = |c: &char| !is_hostile(*c) && !matches!(c, '\u{34f}' | '\u{fe00}'..='\u{fe0f}');
    text.chars().filter(is_seen).nfkc().flat_map(char::to_lowercase)
}

/// Whether a joiner connects parts of an emoji, or of a Persian or Indic word. Such a joiner is harmless.
pub(super) fn joins(before: Option<char>, c: char, after: Option<char>) -> bool {
    let script = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !is_hostile(c));
    matches!(c, '\u{200c}' | '\u{200d}') && script(before) && script(after)
}

/// Replaces all blanks except the ordinary space by visible symbols.
pub fn with_visible_blanks(text: &str) -> Cow<'_, str> {
    let is_blank = |c: char| {
        let is_other_space = c.is_whitespace() && !matches!(c, ' ' | '\n' | '\u{3000}');
        is_other_space || matches!(c, '\u{2800}' | '\u{3164}' | '\u{115f}' | '\u{1160}' | '\u{ffa0}')
    };
    if !text.chars().any(is_blank) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_blank(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Removes terminal sequences and control, bidi and invisible characters. Leaves line breaks and tabs.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|b| (b' '..=b'~').contains(&b) || b == b'\n' || b == b'\t')
        || !text.chars().any(is_hostile)
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            skip_sequence(&mut chars);
        } else if c == '\u{9b}' {
            skip_parameters(&mut chars);
        } else if c == '\r' {
            // A lone carriage return overwrites the line on a terminal, so replace it by a line break.
            if chars.peek() != Some(&'\n') {
                out.push('\n');
            }
        } else if matches!(c, '\u{2028}' | '\u{2029}') {
            out.push('\n');
        } else if !is_hostile(c) || joins(before, c, chars.peek().copied()) {
            out.push(c);
            before = Some(c);
        }
    }
    Cow::Owned(out)
}

/// Skips the parameters and the final byte of a CSI sequence.
fn skip_parameters(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| (' '..='~').contains(c)) {
        if ('@'..='~').contains(&c) {
            break;
        }
    }
}

/// Skips a sequence after ESC: CSI, OSC, DCS or two characters. Never skips a line break.
fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_parameters(chars);
        }
        Some(']' | 'P' | '^' | '_' | 'X') => {
            while let Some(c) = chars.next_if(|c| *c != '\n') {
                if c == '\u{7}' {
                    break;
                }
                if c == '\u{1b}' {
                    chars.next_if_eq(&'\\');
                    break;
                }
            }
        }
        Some('(' | ')' | '#' | '%') => {
            chars.next();
            chars.next_if(|c| c.is_ascii_alphanumeric());
        }
        _ => {}
    }
}

/// Makes control, bidi and invisible characters visible in a text on which a person decides.
///
/// Leaves tabs and line breaks unchanged. Shows a carriage return before a line break, because the file will contain
/// it.
pub fn reveal(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if !is_hostile(c) || joins(before, c, chars.peek().copied()) {
            out.push(c);
        } else {
            match c {
                '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
                '\u{7f}' => out.push('␡'),
                c => out.push_str(&format!("⟨{:04X}⟩", u32::from(c))),
            }
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

/// Returns the first offset of the query. Ignores ASCII case unless the query contains an upper-case letter.
pub fn find_folded(text: &str, query: &str) -> Option<usize> {
    if query.is_empty() {
        return None;
    }
    if !query.is_ascii() || query.bytes().any(|b| b.is_ascii_uppercase()) {
        return text.find(query);
    }
    let (hay, needle) = (text.as_bytes(), query.as_bytes());
    let first = *needle.first()?;
    let upper = first.to_ascii_uppercase();
    let last = hay.len().checked_sub(needle.len())?;
    (0..=last).find(|at| {
        hay.get(*at).is_some_and(|b| *b == first || *b == upper)
            && hay
                .get(*at..*at + needle.len())
                .is_some_and(|part| part.eq_ignore_ascii_case(needle))
    })
}

/// Returns the range of `part` in `whole`, derived from its address. `None` if `part` is not a slice of `whole`.
pub fn range_in(whole: &str, part: &str) -> Option<Range<usize>> {
    let from = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let range = from..from + part.len();
    (range.end <= whole.len()).then_some(range)
}

pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a Markdown code fence that is longer than every fence in the text.
pub fn fence(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

#[cfg(test)]
mod tests;
