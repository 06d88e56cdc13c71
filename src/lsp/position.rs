//! Positions in a line: byte offsets in Benchdog, other units in the protocol.

use std::ops::RangeInclusive;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Unit {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Unit {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "utf-8" => Self::Utf8,
            "utf-32" => Self::Utf32,
            _ => Self::Utf16,
        }
    }

    pub(crate) fn column(self, line: &str, at: usize) -> usize {
        let before = line.get(..at).unwrap_or(line);
        match self {
            Self::Utf8 => before.len(),
            Self::Utf16 => before.encode_utf16().count(),
            Self::Utf32 => before.chars().count(),
        }
    }

    /// Converts the server's column to the number of characters before it.
    pub(crate) fn characters(self, line: &str, column: u32) -> usize {
        let size = |c: char| match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        };
        let mut left = usize::try_from(column).unwrap_or(usize::MAX);
        let mut is_before = |c: &char| {
            let rest = left.checked_sub(size(*c));
            left = rest.unwrap_or_default();
            rest.is_some()
        };
        line.chars().take_while(|c| is_before(c)).count()
    }
}

/// Number of lines around the given line that are also searched, because models count lines inaccurately.
const AROUND: usize = 3;

/// `line` is one-based. `at` is a byte offset in that line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymbolPosition {
    pub line: u32,
    pub at: usize,
}

/// Finds a symbol on or near the given line. Prefers whole words to parts of words.
pub fn find_symbol(text: &str, line: u32, symbol: &str) -> Option<SymbolPosition> {
    let wanted = usize::try_from(line).ok()?.checked_sub(1)?;
    let lines: Vec<&str> = text.lines().collect();
    let near: RangeInclusive<usize> = wanted.saturating_sub(AROUND)..=wanted.saturating_add(AROUND);
    let mut numbers: Vec<usize> = near.filter(|number| *number < lines.len()).collect();
    numbers.sort_by_key(|number| number.abs_diff(wanted));
    let found = |find: fn(&str, &str) -> Option<usize>| {
        numbers.iter().find_map(|number| {
            let at = find(lines.get(*number)?, symbol)?;
            let line = u32::try_from(*number + 1).ok()?;
            Some(SymbolPosition { line, at })
        })
    };
    found(whole_word).or_else(|| found(|line, symbol| line.find(symbol)))
}

fn whole_word(line: &str, symbol: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(symbol).map(|(at, _)| at).find(|at| {
        let before = line.get(..*at).and_then(|text| text.chars().next_back());
        let after = line.get(at + symbol.len()..).and_then(|text| text.chars().next());
        !is_part(before) && !is_part(after)
    })
}

#[cfg(test)]
mod tests;
