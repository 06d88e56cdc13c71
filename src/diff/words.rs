//! Finds changed words inside a line.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// The maximum number of words for a full comparison. In longer lines, only a common start and end are found.
const MOST_WORDS: usize = 2000;

/// Returns the changed byte ranges of both lines, at grapheme boundaries. Returns empty lists if less than a fifth of
/// the visible text is equal, because the whole lines are then shown as changed.
pub fn word_changes(before_line: &str, after_line: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (before, after) = (without_end(before_line), without_end(after_line));
    let (old, new) = (words(before), words(after));
    let prefix = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let suffix = (old.iter().rev())
        .zip(new.iter().rev())
        .take(old.len().min(new.len()) - prefix)
        .take_while(|(a, b)| a == b)
        .count();
    let changed = |words: &[&str]| prefix..words.len() - suffix;
    let (old_range, new_range) = (changed(&old), changed(&new));
    let gaps: Vec<(Range<usize>, Range<usize>)> = if old_range.len().max(new_range.len()) > MOST_WORDS {
        vec![(old_range, new_range)]
    } else {
        let middle = (
            old.get(old_range).unwrap_or_default(),
            new.get(new_range).unwrap_or_default(),
        );
        let ops = capture_diff_slices(Algorithm::Myers, middle.0, middle.1);
        gaps(&ops, middle.0.len(), middle.1.len())
            .map(|(a, b)| (a.start + prefix..a.end + prefix, b.start + prefix..b.end + prefix))
            .collect()
    };
    let left = ranges(&old, gaps.iter().map(|gap| &gap.0));
    let right = ranges(&new, gaps.iter().map(|gap| &gap.1));
    if too_different(before, &left) && too_different(after, &right) {
        return (Vec::new(), Vec::new());
    }
    (left, right)
}

fn without_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Word,
    Space,
    /// Punctuation, and scripts without spaces, in which each grapheme is a word.
    Single,
}

fn class(grapheme: &str) -> Class {
    match grapheme.chars().next() {
        // A space with a combining mark is visible.
        Some(c) if c.is_whitespace() && grapheme.trim().is_empty() => Class::Space,
        Some('\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}') => {
            Class::Single
        }
        Some(c) if c > '\u{ffff}' => Class::Single,
        Some(c) if c.is_alphanumeric() || c == '_' => Class::Word,
        _ => Class::Single,
    }
}

/// Splits a line into words: identifiers, numbers, runs of white space, and single graphemes.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    let mut open: Option<(Class, usize)> = None;
    for grapheme in line.graphemes(true) {
        let class = class(grapheme);
        open = match open {
            Some((kind, length)) if kind == class && kind != Class::Single => Some((kind, length + grapheme.len())),
            _ => {
                take(&mut words, &mut rest, open);
                Some((class, grapheme.len()))
            }
        };
    }
    take(&mut words, &mut rest, open);
    words
}

fn take<'a>(words: &mut Vec<&'a str>, rest: &mut &'a str, open: Option<(Class, usize)>) {
    if let Some((word, later)) = open.and_then(|(_, length)| rest.split_at_checked(length)) {
        words.push(word);
        *rest = later;
    }
}

/// Converts ranges of words to byte ranges. Joins ranges that only white space separates.
fn ranges<'a>(words: &[&str], gaps: impl Iterator<Item = &'a Range<usize>>) -> Vec<Range<usize>> {
    let mut starts = Vec::with_capacity(words.len() + 1);
    let mut at = 0;
    for word in words {
        starts.push(at);
        at += word.len();
    }
    starts.push(at);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut previous: Option<usize> = None;
    for gap in gaps.filter(|gap| !gap.is_empty()) {
        let (Some(&start), Some(&end)) = (starts.get(gap.start), starts.get(gap.end)) else {
            continue;
        };
        let between = previous.and_then(|last| words.get(last..gap.start)).unwrap_or_default();
        let blank = previous.is_some() && between.iter().all(|word| class(word) == Class::Space);
        match found.last_mut() {
            Some(last) if blank => last.end = end,
            _ => found.push(start..end),
        }
        previous = Some(gap.end);
    }
    found
}

fn too_different(line: &str, changed: &[Range<usize>]) -> bool {
    let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let all = visible(line);
    let gone: usize = changed
        .iter()
        .filter_map(|range| line.get(range.clone()))
        .map(visible)
        .sum();
    all > 0 && (all - gone.min(all)) * 5 < all
}

fn gaps(ops: &[DiffOp], before: usize, after: usize) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + '_ {
    let mut at = (0, 0);
    let equal = ops.iter().filter_map(|op| match *op {
        DiffOp::Equal {
            old_index,
            new_index,
            len,
        } => Some((old_index, new_index, len)),
        DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => None,
    });
    equal
        .chain(std::iter::once((before, after, 0)))
        .filter_map(move |(old, new, len)| {
            let gap = (at.0..old, at.1..new);
            at = (old + len, new + len);
            (!gap.0.is_empty() || !gap.1.is_empty()).then_some(gap)
        })
}

#[cfg(test)]
mod tests;
