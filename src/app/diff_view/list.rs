//! The list of files beside a diff of several: where it stands, and names that fit and stay distinct.

use std::borrow::Cow;
use std::collections::HashMap;

use ratatui::layout::Rect;

use super::{DiffView, SIDE_BY_SIDE_FROM};
use crate::base::text::{truncate, truncate_start, width};

/// Columns of the list; one more is the line between.
const LIST: u16 = 30;

impl DiffView {
    /// The list, where there is room for both and more than one file; and the diff.
    pub(crate) fn list_and_diff(&self, area: Rect) -> (Option<Rect>, Rect) {
        if self.files.len() < 2 || area.width < SIDE_BY_SIDE_FROM + LIST + 1 {
            return (None, area);
        }
        let list = Rect { width: LIST, ..area };
        let diff = Rect {
            x: area.x + LIST + 1,
            width: area.width - LIST - 1,
            ..area
        };
        (Some(list), diff)
    }

    /// The file whose row comes first in a list of so many rows: the one with the cursor is in the middle where it can be.
    pub(crate) fn first_listed(&self, rows: usize) -> usize {
        let last = self.files.len().saturating_sub(rows);
        self.file().saturating_sub(rows / 2).min(last)
    }

    /// The names of `count` files from the `first` on, each in at most `columns`.
    pub(crate) fn names(&self, first: usize, count: usize, columns: usize) -> Vec<String> {
        let paths = || self.files.iter().map(|file| file.path.as_str());
        let (mut seen, mut ends) = (Alike::new(), Alike::new());
        for path in paths() {
            seen.entry(middle_left_out(path, columns)).or_default().push(path);
            ends.entry(truncate_start(path, columns)).or_default().push(path);
        }
        let alike = |of: &Alike<'_>, short: &str| of.get(short).is_some_and(|paths| paths.len() > 1);
        let name = |path| {
            let (short, end) = (middle_left_out(path, columns), truncate_start(path, columns));
            if !alike(&seen, &short) {
                return short.into_owned();
            }
            // Where the beginnings are alike, more of the end tells them apart; where the ends are, what lies between does.
            match ends.get(&end).filter(|paths| paths.len() > 1) {
                None => end.into_owned(),
                Some(others) => from_where_they_differ(path, others, columns),
            }
        };
        paths().skip(first).take(count).map(name).collect()
    }
}

/// The paths that have the same short name.
type Alike<'p> = HashMap<Cow<'p, str>, Vec<&'p str>>;

/// A path from the folder or file on in which it differs from one of the others.
fn from_where_they_differ(path: &str, others: &[&str], columns: usize) -> String {
    let same = |other: &&str| path.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let differing = others.iter().filter(|other| **other != path).map(same).min();
    let before = path.get(..differing.unwrap_or(0)).unwrap_or_default();
    let start = before.rfind('/').map_or(0, |slash| slash + 1);
    let rest = path.get(start..).unwrap_or(path);
    let mark = if start > 0 { "…" } else { "" };
    truncate(&format!("{mark}{rest}"), columns).into_owned()
}

/// A path, or its first part and its end with `…` between.
fn middle_left_out(path: &str, columns: usize) -> Cow<'_, str> {
    let whole = width(path);
    if whole <= columns {
        return Cow::Borrowed(path);
    }
    let Some((first, _)) = path.split_once('/') else {
        return truncate_start(path, columns);
    };
    let head = format!("{first}/…");
    let room = columns.saturating_sub(width(&head));
    // The most of the end that fits, from the border of a folder on.
    let ends = path
        .match_indices('/')
        .map(|(at, _)| path.get(at..).unwrap_or_default());
    match ends.skip(1).find(|end| width(end) <= room) {
        Some(end) => Cow::Owned(format!("{head}{end}")),
        None => truncate_start(path, columns),
    }
}
