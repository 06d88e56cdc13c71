//! Truncates texts to a number of columns. A mark replaces the omitted part.

use std::borrow::Cow;

use super::{ambiguous, grapheme_width, graphemes, is_plain, width};

pub fn truncate(text: &str, columns: usize) -> Cow<'_, str> {
    if text.len() <= columns && is_plain(text) {
        return Cow::Borrowed(text);
    }
    let (mut used, mut end) = (0, 0);
    for (at, g) in graphemes(text) {
        let w = grapheme_width(g);
        if used + w > columns {
            if columns == 0 {
                return Cow::Borrowed("");
            }
            return Cow::Owned(format!("{}{}", text.get(..end).unwrap_or_default(), cut_mark()));
        }
        used += w;
        if used < columns {
            end = at + g.len();
        }
    }
    Cow::Borrowed(text)
}

/// Truncates the start, so that `…` and the end fit into `columns`. Suitable for paths, because the end of a path is
/// more important.
pub fn truncate_start(text: &str, columns: usize) -> Cow<'_, str> {
    let whole = width(text);
    if whole <= columns {
        return Cow::Borrowed(text);
    }
    let mut left = whole;
    for (at, g) in graphemes(text) {
        if left < columns {
            return Cow::Owned(format!("{}{}", cut_mark(), text.get(at..).unwrap_or_default()));
        }
        left -= grapheme_width(g);
    }
    Cow::Borrowed(if columns == 0 { "" } else { cut_mark() })
}

/// Truncates the middle, so that the start, `…` and the end fit into `columns`.
pub fn truncate_middle(text: &str, columns: usize) -> Cow<'_, str> {
    if columns == 0 || width(text) <= columns {
        return truncate(text, columns);
    }
    let head = truncate(text, columns / 2 + 1);
    let end = truncate_start(text, columns.saturating_sub(width(&head)) + 1);
    Cow::Owned(format!("{head}{}", end.strip_prefix(cut_mark()).unwrap_or_default()))
}

fn cut_mark() -> &'static str {
    if ambiguous::are_wide() { "~" } else { "…" }
}
