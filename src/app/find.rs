//! The find line: its query and the number of matches.

use regex::{Regex, RegexBuilder};

/// Maximum number of bytes that are searched per key press, so that typing stays fast.
pub const MOST_SOUGHT: usize = 1 << 20;

#[derive(Debug, Clone, Default)]
pub struct FindLine {
    pub query: String,
    /// The number of the current match (1-based, or 0 for none), and of all matches. `None` before the first search.
    pub hits: Option<(usize, usize)>,
    /// Whether the text is too long, so that only its first part was searched.
    pub goes_on: bool,
}

/// Returns the regex for a query. A query in lower case matches both cases. `None` if the query is empty.
pub(crate) fn pattern(query: &str) -> Option<Regex> {
    let small = !query.chars().any(char::is_uppercase);
    let pattern = RegexBuilder::new(&regex::escape(query)).case_insensitive(small).build();
    pattern.ok().filter(|_| !query.is_empty())
}
