//! Splits text into the terms of the index: words, and pairs of neighbouring Chinese, Japanese or Korean characters.

/// Maximum bytes of a term. Longer words are hashes or encoded data, and are split into several terms.
const LONGEST: usize = 64;

/// Returns the lower-case letter as exactly one character, so that the folded text has the same character positions as
/// the original.
pub fn fold(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

pub fn folded(text: &str) -> String {
    text.chars().map(fold).collect()
}

fn is_cjk(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Cjk,
    Other,
}

impl Kind {
    fn of(letter: char) -> Self {
        if is_cjk(letter) {
            Self::Cjk
        } else if letter.is_alphanumeric() {
            Self::Word
        } else {
            Self::Other
        }
    }
}

/// Calls `take` for each term of a folded text. A term may occur more than once.
pub fn each_term<'t>(folded: &'t str, mut take: impl FnMut(&'t str)) {
    each_run(folded, |kind, run| match kind {
        Kind::Word => pieces(run, &mut take),
        Kind::Cjk => pairs(run, &mut take),
        Kind::Other => {}
    });
}

fn each_run<'t>(mut rest: &'t str, mut take: impl FnMut(Kind, &'t str)) {
    while let Some(first) = rest.chars().next() {
        let kind = Kind::of(first);
        let end = rest.find(|letter| Kind::of(letter) != kind).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        take(kind, run);
    }
}

/// Calls `take` for each term of a text whose words may be identifiers.
///
/// The word `parseConfig` has the terms `parseconfig`, `parse` and `config`. Terms are reduced to word stems. Words
/// longer than any identifier are omitted.
pub fn each_part(text: &str, mut take: impl FnMut(&str)) {
    let mut folded = String::new();
    let mut word = |run: &str, take: &mut dyn FnMut(&str)| {
        folded.clear();
        folded.extend(run.chars().map(fold));
        if folded.len() > 1 {
            take(stem(&folded));
        }
    };
    each_run(text, |kind, run| match kind {
        Kind::Word if run.len() <= LONGEST => {
            let mut start = 0;
            for at in humps(run) {
                word(run.get(start..at).unwrap_or_default(), &mut take);
                start = at;
            }
            if start > 0 {
                word(run.get(start..).unwrap_or_default(), &mut take);
            }
            word(run, &mut take);
        }
        Kind::Cjk => pairs(run, &mut take),
        Kind::Word | Kind::Other => {}
    });
}

/// Returns the positions of the parts of an identifier, except the first: for `HTTPServer`, the position of `Server`.
fn humps(word: &str) -> Vec<usize> {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    let is_hump = |window: &[(usize, char)]| match window {
        [(_, before), (at, letter), after @ ..] if letter.is_uppercase() => {
            let begins = !before.is_uppercase() || after.first().is_some_and(|(_, after)| after.is_lowercase());
            begins.then_some(*at)
        }
        _ => None,
    };
    let starts = 0..letters.len().saturating_sub(1);
    let windows = starts.filter_map(|at| letters.get(at..letters.len().min(at + 3)));
    windows.filter_map(is_hump).collect()
}

/// Endings of English words. The first matching ending that leaves at least three letters is removed.
const ENDINGS: &[&str] = &["ings", "ing", "ied", "ies", "ed", "es", "s"];

/// Returns a word without its ending, so that `indexes` and `indexed` are one term. This is imprecise but sufficient,
/// because it is applied to both questions and documents.
pub(super) fn stem(word: &str) -> &str {
    if !word.bytes().all(|letter| letter.is_ascii_lowercase()) || word.ends_with("ss") {
        return word;
    }
    let stems = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending));
    let long = stems.into_iter().find(|stem| stem.len() >= 3).unwrap_or(word);
    // Remove a final `e`, so that `store` and `stored` have the same stem.
    long.strip_suffix('e').filter(|stem| stem.len() >= 3).unwrap_or(long)
}

fn pieces<'t>(mut word: &'t str, take: &mut impl FnMut(&'t str)) {
    while !word.is_empty() {
        let end = word.floor_char_boundary(LONGEST);
        let (piece, after) = word.split_at_checked(end).unwrap_or((word, ""));
        take(piece);
        word = after;
    }
}

fn pairs<'t>(run: &'t str, take: &mut impl FnMut(&'t str)) {
    let ends: Vec<usize> = run.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect();
    if ends.len() == 1 {
        return take(run);
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    for (start, end) in starts.zip(ends.iter().skip(1)) {
        take(run.get(start..*end).unwrap_or_default());
    }
}

/// Returns the first position at which `part` does not begin or end inside a longer word. Chinese, Japanese and Korean
/// text has no spaces between words, so any position is accepted in such text.
pub fn find_word(text: &str, part: &str) -> Option<usize> {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| Kind::of(letter) == Kind::Word);
    let (begins, ends) = (is_word(part.chars().next()), is_word(part.chars().next_back()));
    let mut places = text.match_indices(part).map(|(at, _)| at);
    places.find(|at| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let after = text.get(at + part.len()..).and_then(|text| text.chars().next());
        !(begins && is_word(before) || ends && is_word(after))
    })
}

/// Whether a word is too short for a search inside other words.
fn is_short(term: &str) -> bool {
    term.chars().count() < 3 && !term.chars().any(is_cjk)
}

fn is_pair(term: &str) -> bool {
    term.chars().count() == 2 && term.chars().all(is_cjk)
}

/// A condition on the terms of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Vec<u8>);

pub(super) const SEPARATOR: u8 = b'\n';

impl Pattern {
    /// Returns conditions that are true for every text that contains `folded`.
    pub fn all_of(folded: &str) -> Vec<Self> {
        let mut terms = Vec::new();
        each_term(folded, |term| terms.push(term));
        // In a text, the first term of `x.rs` may be the end of a longer word, and the last term the beginning of one.
        // Ignore a first or last term that is too short for a search inside words.
        if terms.len() > 1 && terms.last().is_some_and(|term| is_short(term)) {
            terms.pop();
        }
        if terms.len() > 1 && terms.first().is_some_and(|term| is_short(term)) {
            terms.remove(0);
        }
        let pattern = |term: &str| match is_short(term) || is_pair(term) {
            true => Self::whole(term),
            false => Self(term.as_bytes().to_vec()),
        };
        terms.into_iter().map(pattern).collect()
    }

    /// Returns conditions that are true for every text that contains the words of `folded` as whole words.
    pub fn words_of(folded: &str) -> Vec<Self> {
        let mut patterns = Vec::new();
        each_term(folded, |term| {
            let is_single = term.chars().all(is_cjk) && !is_pair(term);
            patterns.push(match is_single {
                true => Self(term.as_bytes().to_vec()),
                false => Self::whole(term),
            });
        });
        patterns
    }

    pub(super) fn whole(term: &str) -> Self {
        Self([&[SEPARATOR], term.as_bytes(), &[SEPARATOR]].concat())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn is_whole(&self) -> bool {
        self.0.first() == Some(&SEPARATOR)
    }
}

#[cfg(test)]
mod tests;
