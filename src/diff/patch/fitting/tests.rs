use std::sync::Arc;

use super::*;
use crate::unified_text;

struct One(&'static str, String);

impl Files for One {
    fn read(&mut self, path: &str) -> Result<Option<Arc<[u8]>>, PatchError> {
        Ok((path == self.0).then(|| self.1.as_bytes().into()))
    }
}

fn lines(change: &[(usize, &str)]) -> String {
    let line = |at: usize| {
        let changed = change.iter().find(|(line, _)| *line == at);
        changed.map_or_else(|| format!("line {at} of many\n"), |(_, text)| (*text).to_owned())
    };
    (1..=40).map(line).collect()
}

/// Applies the patch from `before` to `there` to a file with content `here`.
fn merged(here: &str, there: &str) -> (String, Vec<Conflict>) {
    let diff = unified_text(lines(&[]).as_bytes(), there.as_bytes(), 3);
    let patch = format!("--- a/a.txt\n+++ b/a.txt\n{}", String::from_utf8_lossy(&diff));
    let mut files = One("a.txt", here.to_owned());
    let (applied, conflicts) = apply_fitting(&patch, &mut files).expect("what fits");
    let after = applied.files.into_iter().next().and_then(|edit| edit.after);
    let after = after.map_or_else(|| here.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned());
    (after, conflicts)
}

#[test]
fn what_fits_is_applied_and_what_both_sides_changed_is_shown_from_three_sides() {
    let here = lines(&[(5, "five, here\n"), (30, "thirty, here\nand one more\n")]);
    let there = lines(&[(5, "five, there\n"), (18, "eighteen, there\n"), (30, "")]);
    let (after, conflicts) = merged(&here, &there);
    let expected = lines(&[
        (5, "five, here\n"),
        (18, "eighteen, there\n"),
        (30, "thirty, here\nand one more\n"),
    ]);
    assert_eq!(after, expected);
    let told: String = conflicts.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        "a.txt:5 was changed on both sides and stays as it is here:\n\
         \x20 before | line 5 of many\n\
         \x20 here   | five, here\n\
         \x20 there  | five, there\n\
         a.txt:30 was changed on both sides and stays as it is here:\n\
         \x20 before | line 30 of many\n\
         \x20 here   | thirty, here\n\
         \x20 here   | and one more\n\
         \x20 there  | (no such lines)\n"
    );
}

#[test]
fn of_changes_that_stand_close_together_only_the_one_in_the_way_is_left_out() {
    let here = lines(&[(5, "five, here\n")]);
    let there = lines(&[
        (5, "five, there\n"),
        (8, "eight, there\n"),
        (12, "twelve, there\nand more\n"),
    ]);
    let (after, conflicts) = merged(&here, &there);
    let expected = lines(&[
        (5, "five, here\n"),
        (8, "eight, there\n"),
        (12, "twelve, there\nand more\n"),
    ]);
    assert_eq!(after, expected);
    let places: Vec<usize> = conflicts.iter().map(|conflict| conflict.line).collect();
    assert_eq!(places, [5]);
    // Adjacent changes form one conflict.
    let (after, conflicts) = merged(&here, &lines(&[(5, "five, there\n"), (6, "six, there\n")]));
    assert_eq!((after, conflicts.len()), (here, 1));
}

#[test]
fn the_same_change_on_both_sides_is_no_conflict() {
    let here = lines(&[(5, "five\n"), (6, "six, here\n")]);
    let there = lines(&[(5, "five\n"), (20, "twenty\n")]);
    let both = lines(&[(5, "five\n"), (20, "twenty\n")]);
    assert_eq!(merged(&lines(&[(5, "five\n")]), &there), (both, Vec::new()));
    let (after, conflicts) = merged(&here, &there);
    assert!(after.contains("six, here") && after.contains("twenty"), "{after}");
    assert!(conflicts.len() <= 1, "{conflicts:?}");
}

#[test]
fn long_sides_are_cut() {
    let many = |word: &str| (0..30).map(|n| format!("{word} {n}\n")).collect::<String>();
    let (here, there) = (many("here"), many("there"));
    let (_, conflicts) = merged(&lines(&[(5, &here)]), &lines(&[(5, &there)]));
    let told = conflicts.first().expect("a conflict").to_string();
    assert!(told.contains("there  | … 18 more lines"), "{told}");
}
