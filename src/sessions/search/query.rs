//! A query: words that an entry must all contain, and phrases in quotes.

use std::ops::Range;

use benchdog_base::text::clean;
use benchdog_search::terms::{Pattern, find_word, folded};

/// Maximum number of characters of a snippet before the first match. `AFTER` is the maximum after the match.
const BEFORE: usize = 30;
const AFTER: usize = 90;

/// Maximum number of parts that are searched separately. A query with more parts is probably pasted text.
const MOST_PARTS: usize = 16;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The words and phrases after case folding.
    parts: Vec<String>,
    within: Within,
    wants: Wants,
}

/// Whether a part of the query may be inside a longer word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Within {
    #[default]
    AnyText,
    WholeWords,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Wants {
    #[default]
    AllParts,
    AnyPart,
}

/// A part of a text, with the matches in it as ranges of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    pub text: String,
    pub marks: Vec<Range<usize>>,
}

impl Query {
    /// Parses the query of a person. A quote that is not closed extends to the end.
    pub fn of(text: &str) -> Self {
        let mut parts = Vec::new();
        for (at, piece) in text.split(['"', '“', '”']).enumerate() {
            if at % 2 == 1 {
                parts.push(folded(piece.trim()));
            } else {
                parts.extend(piece.split_whitespace().map(folded));
            }
        }
        parts.retain(|part| !part.is_empty());
        Self {
            parts,
            ..Self::default()
        }
    }

    pub(super) fn whole_words(&self) -> Self {
        Self {
            within: Within::WholeWords,
            ..self.clone()
        }
    }

    pub(super) fn any_part(&self) -> Self {
        Self {
            wants: Wants::AnyPart,
            ..self.clone()
        }
    }

    pub(super) fn has_all_parts(&self) -> bool {
        self.wants == Wants::AllParts
    }

    /// Returns a separate query for each part, up to `MOST_PARTS`.
    pub(super) fn each_part(&self) -> Vec<Self> {
        let parts = self.parts.iter().take(MOST_PARTS);
        let query = |part: &String| Self {
            parts: vec![part.clone()],
            ..self.clone()
        };
        parts.map(query).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the conditions that the terms of an entry must fulfil. Empty for a query of only punctuation.
    pub(super) fn patterns(&self) -> Vec<Pattern> {
        let of_part = match self.within {
            Within::AnyText => Pattern::all_of,
            Within::WholeWords => Pattern::words_of,
        };
        let mut patterns: Vec<Pattern> = self.parts.iter().flat_map(|part| of_part(part)).collect();
        patterns.dedup();
        patterns
    }

    /// Returns the text around the first match, with all matches in it marked. `None` if the text does not match.
    pub fn snippet(&self, text: &str) -> Option<Snippet> {
        // A phrase matches across line ends and repeated spaces.
        let text: String = clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
        let folded = folded(&text);
        let find = |part: &String| match self.within {
            Within::AnyText => folded.find(part.as_str()),
            Within::WholeWords => find_word(&folded, part),
        };
        let places: Vec<usize> = self.parts.iter().filter_map(find).collect();
        if self.has_all_parts() && places.len() < self.parts.len() {
            return None;
        }
        let first = places.into_iter().min()?;
        let letter_at = |byte: usize| folded.get(..byte).map_or(0, |before| before.chars().count());
        let start = letter_at(first).saturating_sub(BEFORE);
        let piece: String = text.chars().skip(start).take(BEFORE + AFTER).collect();
        let is_whole = start == 0 && piece.len() == text.len();
        let begins = if start > 0 { "…" } else { "" };
        let ends = if is_whole || text.ends_with(&piece) { "" } else { "…" };
        let marks = self.marks(&piece, begins.chars().count());
        Some(Snippet {
            text: format!("{begins}{piece}{ends}"),
            marks,
        })
    }

    fn marks(&self, piece: &str, shift: usize) -> Vec<Range<usize>> {
        let folded = folded(piece);
        let mut marks: Vec<Range<usize>> = Vec::new();
        for part in &self.parts {
            let length = part.chars().count();
            for (at, _) in folded.match_indices(part.as_str()) {
                let start = shift + folded.get(..at).map_or(0, |before| before.chars().count());
                marks.push(start..start + length);
            }
        }
        marks.sort_by_key(|mark| mark.start);
        let mut apart: Vec<Range<usize>> = Vec::with_capacity(marks.len());
        for mark in marks {
            match apart.last_mut() {
                Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
                _ => apart.push(mark),
            }
        }
        apart
    }
}

impl Snippet {
    pub fn marked(&self, before: &str, after: &str) -> String {
        let mut out = String::with_capacity(self.text.len() + 16);
        for (at, letter) in self.text.chars().enumerate() {
            if self.marks.iter().any(|mark| mark.start == at) {
                out.push_str(before);
            }
            out.push(letter);
            if self.marks.iter().any(|mark| mark.end == at + 1) {
                out.push_str(after);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests;
