//! Vi motions.

use std::ops::Range;

use benchdog_base::text::{grapheme_after, grapheme_before};

pub(super) struct Motion {
    pub(super) to: usize,
    /// Whether an operator includes the character at the target.
    pub(super) inclusive: bool,
    pub(super) lines: bool,
}

impl Motion {
    fn to(to: usize) -> Self {
        Self {
            to,
            inclusive: false,
            lines: false,
        }
    }

    fn onto(to: usize) -> Self {
        Self {
            inclusive: true,
            ..Self::to(to)
        }
    }

    /// Returns the motion of a key. `count` is 0 if the user typed no count.
    pub(super) fn of(c: char, prefix: Option<char>, text: &str, at: usize, count: usize) -> Option<Self> {
        let times = count.max(1);
        let (start, end) = (line_start(text, at), line_end(text, at));
        Some(match (prefix, c) {
            (None, 'h') => {
                Self::to((0..times).fold(at, |at, _| if at > start { grapheme_before(text, at) } else { at }))
            }
            (None, 'l' | ' ') => {
                Self::to((0..times).fold(at, |at, _| if at < end { grapheme_after(text, at) } else { at }))
            }
            (None, 'w') => Self::to((0..times).fold(at, |at, _| word_right(text, at, kind))),
            (None, 'W') => Self::to((0..times).fold(at, |at, _| word_right(text, at, blank_or_not))),
            (None, 'b') => Self::to((0..times).fold(at, |at, _| word_left(text, at, kind))),
            (None, 'B') => Self::to((0..times).fold(at, |at, _| word_left(text, at, blank_or_not))),
            (None, 'e') => Self::onto((0..times).fold(at, |at, _| word_end(text, at, kind))),
            (None, 'E') => Self::onto((0..times).fold(at, |at, _| word_end(text, at, blank_or_not))),
            (None, '%') => Self::onto(partner(text, at)?),
            (None, '{') => Self::to((0..times).fold(at, |at, _| paragraph_left(text, at))),
            (None, '}') => Self::to((0..times).fold(at, |at, _| paragraph_right(text, at))),
            (None, '0') => Self::to(start),
            (None, '^' | '_') => Self::to(first_letter(text, start)),
            (None, '$') => Self::to(end),
            (None, 'G') | (Some('g'), 'g') => {
                let line = match (count, c) {
                    (0, 'G') => usize::MAX,
                    (0, _) => 0,
                    (count, _) => count - 1,
                };
                Self {
                    lines: true,
                    ..Self::to(first_letter(text, nth_line(text, line)))
                }
            }
            (None, 'j' | 'k') => Self {
                lines: true,
                ..Self::to((0..times).fold(at, |at, _| other_line(text, at, c == 'j')))
            },
            _ => return None,
        })
    }
}

/// The search of `f`, `F`, `t` and `T`: the character and the direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sought {
    letter: char,
    forward: bool,
    till: bool,
}

impl Sought {
    pub(super) fn of(kind: char, letter: char) -> Self {
        Self {
            letter,
            forward: kind.is_lowercase(),
            till: matches!(kind, 't' | 'T'),
        }
    }

    pub(super) fn back(self) -> Self {
        Self {
            forward: !self.forward,
            ..self
        }
    }

    pub(super) fn find(self, text: &str, at: usize, times: usize) -> Option<Motion> {
        let mut to = at;
        for _ in 0..times {
            to = if self.forward {
                let from = grapheme_after(text, to);
                let line = text.get(from..line_end(text, at))?;
                from + line.find(self.letter)?
            } else {
                text.get(line_start(text, at)..to)?.rfind(self.letter)? + line_start(text, at)
            };
        }
        Some(match (self.till, self.forward) {
            (false, forward) => Motion {
                inclusive: forward,
                ..Motion::to(to)
            },
            (true, true) => Motion {
                inclusive: true,
                ..Motion::to(grapheme_before(text, to))
            },
            (true, false) => Motion::to(grapheme_after(text, to)),
        })
    }
}

/// Classes of characters. Adjacent characters of one class are a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Word,
    Sign,
    Hiragana,
    Katakana,
    Ideograph,
}

fn kind(text: &str, at: usize) -> Kind {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        None => Kind::Blank,
        Some(c) if c.is_whitespace() => Kind::Blank,
        Some('\u{3041}'..='\u{309f}') => Kind::Hiragana,
        // The prolonged sound mark belongs to the surrounding word.
        Some('\u{30a0}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}') => Kind::Katakana,
        Some(
            '々'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}',
        ) => Kind::Ideograph,
        Some(c) if c.is_alphanumeric() || c == '_' => Kind::Word,
        Some(_) => Kind::Sign,
    }
}

fn blank_or_not(text: &str, at: usize) -> Kind {
    match kind(text, at) {
        Kind::Blank => Kind::Blank,
        _ => Kind::Word,
    }
}

const PAIRS: [(char, char); 6] = [
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('（', '）'),
    ('「', '」'),
    ('《', '》'),
];

type Kinds = fn(&str, usize) -> Kind;

pub(super) fn on_blank(text: &str, at: usize) -> bool {
    kind(text, at) == Kind::Blank
}

fn word_right(text: &str, mut at: usize, kind: Kinds) -> usize {
    let first = kind(text, at);
    while at < text.len() && first != Kind::Blank && kind(text, at) == first {
        at = grapheme_after(text, at);
    }
    while at < text.len() && on_blank(text, at) {
        at = grapheme_after(text, at);
    }
    at
}

fn word_left(text: &str, mut at: usize, kind: Kinds) -> usize {
    while at > 0 && on_blank(text, grapheme_before(text, at)) {
        at = grapheme_before(text, at);
    }
    let last = kind(text, grapheme_before(text, at));
    while at > 0 && kind(text, grapheme_before(text, at)) == last {
        at = grapheme_before(text, at);
    }
    at
}

fn word_end(text: &str, at: usize, kind: Kinds) -> usize {
    let mut next = grapheme_after(text, at);
    while next < text.len() && on_blank(text, next) {
        next = grapheme_after(text, next);
    }
    if next >= text.len() {
        return at;
    }
    let of = kind(text, next);
    loop {
        let after = grapheme_after(text, next);
        if after >= text.len() || kind(text, after) != of {
            return next;
        }
        next = after;
    }
}

fn partner(text: &str, at: usize) -> Option<usize> {
    let line = text.get(at..line_end(text, at))?;
    let found = line.char_indices().find_map(|(place, c)| {
        let pair = PAIRS.into_iter().find(|(open, close)| [*open, *close].contains(&c))?;
        Some((at + place, c, pair))
    });
    let (place, c, pair) = found?;
    match c == pair.0 {
        true => closes(text, place + c.len_utf8(), pair),
        false => opens(text, place, pair),
    }
}

/// Returns the empty line before the previous paragraph, or the start of the text.
fn paragraph_left(text: &str, at: usize) -> usize {
    let mut line = line_start(text, at);
    let mut in_text = line_end(text, line) > line;
    while line > 0 {
        line = line_start(text, line - 1);
        match line_end(text, line) == line {
            true if in_text => return line,
            true => {}
            false => in_text = true,
        }
    }
    0
}

/// Returns the empty line after the next paragraph, or the end of the text.
fn paragraph_right(text: &str, at: usize) -> usize {
    let mut line = line_start(text, at);
    let mut in_text = line_end(text, line) > line;
    loop {
        let end = line_end(text, line);
        if end == text.len() {
            return end;
        }
        line = end + 1;
        match line_end(text, line) == line {
            true if in_text => return line,
            true => {}
            false => in_text = true,
        }
    }
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1)
}

pub(super) fn line_end(text: &str, at: usize) -> usize {
    text.get(at..)
        .and_then(|after| after.find('\n'))
        .map_or(text.len(), |end| at + end)
}

pub(super) fn first_letter(text: &str, start: usize) -> usize {
    let line = text.get(start..line_end(text, start)).unwrap_or_default();
    start + (line.len() - line.trim_start().len())
}

fn nth_line(text: &str, line: usize) -> usize {
    let starts = text.match_indices('\n').map(|(end, _)| end + 1);
    starts.take(line).last().filter(|_| line > 0).unwrap_or(0)
}

fn other_line(text: &str, at: usize, below: bool) -> usize {
    if below {
        (line_end(text, at) + 1).min(text.len())
    } else {
        line_start(text, at).saturating_sub(1)
    }
}

/// Returns the text object around the cursor: a word, quotes, or brackets. `all` includes the delimiters.
pub(super) fn around(text: &str, at: usize, what: char, all: bool) -> Option<Range<usize>> {
    match what {
        'w' => Some(word(text, at, all)),
        '"' | '\'' | '`' => quoted(text, at, what, all),
        '(' | ')' | 'b' => bracketed(text, at, ('(', ')'), all),
        '[' | ']' => bracketed(text, at, ('[', ']'), all),
        '{' | '}' | 'B' => bracketed(text, at, ('{', '}'), all),
        '<' | '>' => bracketed(text, at, ('<', '>'), all),
        _ => None,
    }
}

fn word(text: &str, at: usize, all: bool) -> Range<usize> {
    let of = kind(text, at);
    let line = line_start(text, at)..line_end(text, at);
    let (mut start, mut end) = (at, at);
    while start > line.start && kind(text, grapheme_before(text, start)) == of {
        start = grapheme_before(text, start);
    }
    while end < line.end && kind(text, end) == of {
        end = grapheme_after(text, end);
    }
    while all && of != Kind::Blank && end < line.end && on_blank(text, end) {
        end = grapheme_after(text, end);
    }
    start..end
}

fn quoted(text: &str, at: usize, quote: char, all: bool) -> Option<Range<usize>> {
    let line = line_start(text, at)..line_end(text, at);
    let marks: Vec<usize> = text
        .get(line.clone())?
        .match_indices(quote)
        .map(|(place, _)| line.start + place)
        .collect();
    let pair = marks
        .chunks_exact(2)
        .find(|pair| pair.last().is_some_and(|close| *close >= at))?;
    let (open, close) = (*pair.first()?, *pair.last()?);
    Some(if all { open..close + 1 } else { open + 1..close })
}

fn bracketed(text: &str, at: usize, pair: (char, char), all: bool) -> Option<Range<usize>> {
    let (open, close) = pair;
    let here = text.get(at..)?.starts_with(open).then_some(at);
    let begin = here.or_else(|| opens(text, at, pair))?;
    let inside = begin + open.len_utf8();
    let end = closes(text, inside, pair)?;
    Some(match all {
        true => begin..end + close.len_utf8(),
        false => inside..end,
    })
}

fn opens(text: &str, at: usize, (open, close): (char, char)) -> Option<usize> {
    nested(text.get(..at)?.char_indices().rev(), close, open)
}

fn closes(text: &str, at: usize, (open, close): (char, char)) -> Option<usize> {
    nested(text.get(at..)?.char_indices(), open, close).map(|place| at + place)
}

fn nested(mut letters: impl Iterator<Item = (usize, char)>, begins: char, ends: char) -> Option<usize> {
    let mut depth = 0_usize;
    letters.find_map(|(place, c)| match c {
        c if c == ends && depth == 0 => Some(place),
        c if c == ends => {
            depth -= 1;
            None
        }
        c if c == begins => {
            depth += 1;
            None
        }
        _ => None,
    })
}
