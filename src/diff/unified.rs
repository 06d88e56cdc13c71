//! A unified diff as text, for copying and for the model.

use std::ops::Range;

use super::hunks::{Hunk, between};
use super::lines::{LineEnd, split, split_end};

/// Returns a unified diff as exact bytes from the first `@@`, or nothing if the texts are equal.
pub fn unified_text(before: &[u8], after: &[u8], context: usize) -> Vec<u8> {
    let (old, new) = (split(before), split(after));
    let hunks = between(&old, &new);
    let mut text = Vec::new();
    let mut rest = hunks.as_slice();
    while let Some(first) = rest.first() {
        // Hunks whose context lines touch share a header.
        let near = rest
            .windows(2)
            .take_while(|pair| match pair {
                [a, b] => b.before.start - a.before.end <= context.saturating_mul(2),
                _ => false,
            })
            .count();
        let (group, later) = rest.split_at(near + 1);
        let last = group.last().unwrap_or(first);
        let lead = context.min(first.before.start);
        let trail = context.min(old.len() - last.before.end);
        header(
            &mut text,
            &(first.before.start - lead..last.before.end + trail),
            &(first.after.start - lead..last.after.end + trail),
        );
        let mut at = first.before.start - lead;
        for hunk in group {
            body(&mut text, b' ', old.get(at..hunk.before.start));
            body(&mut text, b'-', old.get(hunk.before.clone()));
            body(&mut text, b'+', new.get(hunk.after.clone()));
            at = hunk.before.end;
        }
        body(&mut text, b' ', old.get(at..at + trail));
        rest = later;
    }
    text
}

pub fn hunk_text(before: &[u8], after: &[u8], hunk: &Hunk, cap: usize) -> String {
    let (old, new) = (split(before), split(after));
    let mut text = Vec::new();
    header(&mut text, &hunk.before, &hunk.after);
    body(&mut text, b'-', old.get(hunk.before.clone()));
    body(&mut text, b'+', new.get(hunk.after.clone()));
    cut(&String::from_utf8_lossy(&text), cap)
}

pub(crate) fn cut(text: &str, cap: usize) -> String {
    let count = text.lines().count();
    if count <= cap + 1 {
        return text.to_owned();
    }
    let mut shown: String = text.split_inclusive('\n').take(cap + 1).collect();
    shown.push_str(&format!("… {} more lines\n", count - cap - 1));
    shown
}

fn header(text: &mut Vec<u8>, before: &Range<usize>, after: &Range<usize>) {
    let side = |range: &Range<usize>| match range.len() {
        // If a side is empty, the header has the number of the preceding line.
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    };
    text.extend(format!("@@ -{} +{} @@\n", side(before), side(after)).into_bytes());
}

fn body(text: &mut Vec<u8>, sign: u8, lines: Option<&[&[u8]]>) {
    for line in lines.unwrap_or_default() {
        text.push(sign);
        text.extend_from_slice(line);
        if split_end(line).1 == LineEnd::Missing {
            text.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests;
