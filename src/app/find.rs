//! A find line over a text: what is looked for, and how much of it there is.

use regex::{Regex, RegexBuilder};

/// Bytes that are looked through at each key while the words are typed: a key stays quick.
pub(crate) const MOST_SOUGHT: usize = 1 << 20;

#[derive(Debug, Clone, Default)]
pub(crate) struct FindLine {
    pub(crate) query: String,
    /// At which of how many places one is, from 1; 0: at none yet. `None`: nothing was looked for yet.
    pub(crate) hits: Option<(usize, usize)>,
    /// Only the first part of a long text was looked through, and there may be more.
    pub(crate) goes_on: bool,
}

/// Where letters are small, they stand for both. `None`: nothing is looked for.
pub(crate) fn pattern(query: &str) -> Option<Regex> {
    let small = !query.chars().any(char::is_uppercase);
    let pattern = RegexBuilder::new(&regex::escape(query)).case_insensitive(small).build();
    pattern.ok().filter(|_| !query.is_empty())
}
