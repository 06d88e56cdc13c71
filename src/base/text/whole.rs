//! Wraps text without removing blanks, for code and for approvals.

use std::ops::Range;

use super::{grapheme_width, graphemes, is_plain};

/// Wraps at `columns` without omitting text. Breaks after a blank or sign in the second half of a row, or else
/// anywhere. An opening bracket stays with the next word.
pub fn wrap_whole(text: &str, columns: usize) -> Vec<Range<usize>> {
    wrap_rows(text, columns, columns)
}

/// Wraps text, and indents all rows like the first. Returns the indent and the rows. An indent of more than half of the
/// columns becomes 0.
pub fn wrap_set_in(text: &str, columns: usize) -> (usize, Vec<Range<usize>>) {
    let blanks = text.bytes().take_while(|byte| *byte == b' ').count();
    let depth = if blanks * 2 > columns { 0 } else { blanks };
    (depth, wrap_rows(text, columns, columns - depth))
}

fn wrap_rows(text: &str, first: usize, others: usize) -> Vec<Range<usize>> {
    let mut columns = first;
    if text.len() <= columns && is_plain(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    let mut end = (0, 0);
    let mut is_open = true;
    for (at, g) in graphemes(text) {
        let w = grapheme_width(g);
        if used + w > columns && at > start {
            let (next, before) = if end.1 * 2 > columns { end } else { (at, used) };
            rows.push(start..next);
            (start, used, end) = (next, used - before, (next, 0));
            columns = others;
        }
        used += w;
        is_open = g == " " || is_open && opens(g, text.get(at + g.len()..).unwrap_or_default());
        if is_open && g != " " {
            continue;
        }
        if g.is_ascii() && !g.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            end = (at + g.len(), used);
        }
    }
    rows.push(start..text.len());
    rows
}

/// Whether the sign opens the following text. A sign before a blank or a closing sign opens nothing.
fn opens(sign: &str, rest: &str) -> bool {
    let closes = |next: char| next.is_whitespace() || ",;:.)]}>".contains(next);
    match sign {
        "(" | "[" | "{" | "<" | "\"" | "'" | "`" => rest.chars().next().is_some_and(|next| !closes(next)),
        _ => false,
    }
}
