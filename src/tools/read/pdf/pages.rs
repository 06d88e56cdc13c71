//! A selection of pages of a document, such as `3`, `2-5`, `1,4-6` or `7-`.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

const MOST_RANGES: usize = 100;
const MOST_PAGES: usize = 1_000;
/// Number of pages to read without a page selection.
pub(super) const USUAL: usize = 20;

/// Selected ranges of one-based page numbers, in the given order. A range without an end includes the last page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::read) struct Pages(Vec<(usize, Option<usize>)>);

impl Pages {
    /// Returns `None` if the text is no valid selection.
    pub(in crate::read) fn of(text: &str) -> Option<Self> {
        let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
        let ranges: Option<Vec<_>> = parts.map(range).collect();
        ranges
            .filter(|ranges| !ranges.is_empty() && ranges.len() <= MOST_RANGES)
            .map(Self)
    }

    pub(in crate::read) fn from(first: usize) -> Self {
        Self(vec![(first, None)])
    }

    /// Returns the selected page numbers that exist, without repetitions.
    pub(super) fn chosen(&self, total: usize) -> Vec<usize> {
        let mut chosen = Vec::new();
        for (first, last) in &self.0 {
            let last = last.unwrap_or(total).min(total);
            for number in *first..=last {
                if chosen.len() == MOST_PAGES {
                    return chosen;
                }
                if !chosen.contains(&number) {
                    chosen.push(number);
                }
            }
        }
        chosen
    }

    /// Returns the first selected page, which may not exist.
    pub(super) fn first(&self) -> usize {
        self.0.first().map_or(1, |(first, _)| *first)
    }
}

fn range(text: &str) -> Option<(usize, Option<usize>)> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
    match text.split_once(['-', '\u{2013}']) {
        None => number(text).map(|page| (page, Some(page))),
        Some((first, "")) => Some((number(first)?, None)),
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some((first, Some(last)))
        }
    }
}

/// Formats page numbers as ranges that `Pages::of` can parse.
pub(super) fn ranges(numbers: &[usize]) -> String {
    let mut out = String::new();
    let mut rest = numbers;
    while let Some(first) = rest.first() {
        let run = rest
            .iter()
            .zip(*first..)
            .take_while(|(number, next)| *number == next)
            .count()
            .max(1);
        let comma = if out.is_empty() { "" } else { "," };
        // Writing to a `String` cannot fail.
        let _ = match run {
            1 => write!(out, "{comma}{first}"),
            _ => write!(out, "{comma}{first}-{}", first + run - 1),
        };
        rest = rest.get(run..).unwrap_or_default();
    }
    out
}
