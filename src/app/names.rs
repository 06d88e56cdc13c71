//! Names of files that fit where there is little room, and stay distinct.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use crate::base::text::{truncate, truncate_start, width};

/// Those of `wanted`, each in at most `columns`, told apart from all of `paths`.
pub(crate) fn shortened(paths: &[&str], wanted: Range<usize>, columns: usize) -> Vec<String> {
    let (mut seen, mut ends) = (Alike::new(), Alike::new());
    for path in paths {
        let short = [
            seen.entry(middle_left_out(path, columns)),
            ends.entry(truncate_start(path, columns)),
        ];
        for alike in short.map(Entry::or_default) {
            // What is listed twice is the same file both times: nothing tells it from itself.
            if !alike.contains(path) {
                alike.push(path);
            }
        }
    }
    let alike = |of: &Alike<'_>, short: &str| of.get(short).is_some_and(|paths| paths.len() > 1);
    let name = |path: &&str| {
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
    paths.get(wanted).unwrap_or_default().iter().map(name).collect()
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

/// A path, or its first part and its end with `…` between, or its name alone.
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
        // The bare name rather than a torn folder before it.
        None => match path.rsplit('/').next() {
            Some(name) if width(name) <= columns => Cow::Borrowed(name),
            _ => truncate_start(path, columns),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    fn names(paths: &[&str], columns: usize) -> Vec<String> {
        shortened(paths, 0..paths.len(), columns)
    }

    #[test]
    fn a_file_that_is_listed_twice_keeps_its_name_in_both_rows() {
        let twice = ["requests/2024/total.py", "requests/2024/total.py"];
        assert_eq!(names(&twice, 12), ["total.py", "total.py"]);
        assert_eq!(names(&twice, 19), ["requests/…/total.py", "requests/…/total.py"]);
        let other = [
            "requests/2024/total.py",
            "answers/2024/total.py",
            "requests/2024/total.py",
        ];
        let names = names(&other, 14);
        assert_eq!(names[0], names[2]);
        assert_ne!(names[0], names[1]);
    }
}
