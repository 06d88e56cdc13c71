//! Shortens file names to a width, so that they stay distinct.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use benchdog_base::text::{last_part, truncate, truncate_start, width};

/// Shortens the names of the `wanted` paths to `columns` columns, so that each stays distinct among all `paths`.
pub fn shortened(paths: &[&str], wanted: Range<usize>, columns: usize) -> Vec<String> {
    let (mut seen, mut ends) = (Alike::new(), Alike::new());
    for &path in paths {
        let short = [
            seen.entry(middle_left_out(path, columns)),
            ends.entry(truncate_start(path, columns)),
        ];
        for alike in short {
            let [first, last] = alike.or_insert([path; 2]);
            (*first, *last) = ((*first).min(path), (*last).max(path));
        }
    }
    let name = |path: &&str| {
        let (short, end) = (middle_left_out(path, columns), truncate_start(path, columns));
        if others(&seen, &short).is_none() {
            return short.into_owned();
        }
        // If the start is not distinct, keep the end of the path, or else the part after the common prefix.
        match others(&ends, &end) {
            None => end.into_owned(),
            Some(others) => from_where_they_differ(path, others, columns),
        }
    };
    paths.get(wanted).unwrap_or_default().iter().map(name).collect()
}

const BETWEEN: &str = ", ";
const AND_MORE: &str = ", …";
/// Minimum number of columns at which a name is meaningful.
const TELLS: usize = 8;

/// Shortens a list of names such as `one.rs, two.rs`. If not all names fit, only the first name is shown.
pub(crate) fn listed(row: &str, columns: usize) -> String {
    if width(row) <= columns {
        return row.to_owned();
    }
    let paths: Vec<&str> = row.split(BETWEEN).collect();
    let between = BETWEEN.len() * paths.len().saturating_sub(1);
    let each = columns.saturating_sub(between) / paths.len().max(1);
    if paths.len() == 1 || each >= TELLS {
        return shortened(&paths, 0..paths.len(), each).join(BETWEEN);
    }
    let room = columns.saturating_sub(width(AND_MORE));
    let first = shortened(&paths, 0..1, room).concat();
    truncate(&format!("{first}{AND_MORE}"), columns).into_owned()
}

/// Maps a shortened name to the first and last path (in sort order) with that name, which differ the most.
type Alike<'p> = HashMap<Cow<'p, str>, [&'p str; 2]>;

fn others<'p>(of: &Alike<'p>, short: &str) -> Option<[&'p str; 2]> {
    of.get(short).copied().filter(|[first, last]| first != last)
}

fn from_where_they_differ(path: &str, others: [&str; 2], columns: usize) -> String {
    let same = |other: &&str| path.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let differing = others.iter().filter(|other| **other != path).map(same).min();
    let before = path.get(..differing.unwrap_or(0)).unwrap_or_default();
    let start = before.rfind('/').map_or(0, |slash| slash + 1);
    let rest = path.get(start..).unwrap_or(path);
    let mark = if start > 0 { "…" } else { "" };
    truncate(&format!("{mark}{rest}"), columns).into_owned()
}

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
    // Use the longest suffix of the path that fits and starts at a folder name.
    let ends = path
        .match_indices('/')
        .map(|(at, _)| path.get(at..).unwrap_or_default());
    match ends.skip(1).find(|end| width(end) <= room) {
        Some(end) => Cow::Owned(format!("{head}{end}")),
        // A whole file name is better than a folder name that is truncated.
        None => match last_part(path) {
            name if width(name) <= columns => Cow::Borrowed(name),
            _ => truncate_start(path, columns),
        },
    }
}

#[cfg(test)]
mod tests;
