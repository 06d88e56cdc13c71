use std::collections::BTreeMap;

use super::super::fitting::apply_fitting;
use super::*;
use crate::patch::{PatchError, Source};

struct Many(BTreeMap<&'static str, &'static str>);

impl Files for Many {
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError> {
        Ok(self.0.get(path).map(|text| text.as_bytes().into()))
    }
}

fn merged(files: &[(&'static str, &'static str)], patch: &str) -> (BTreeMap<String, String>, Vec<String>) {
    let mut here = Many(files.iter().copied().collect());
    let (applied, conflicts) = apply_fitting(patch, &mut here).expect("what fits");
    let mut after: BTreeMap<String, String> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    for edit in applied.files {
        if let Some(Source::Renamed(from) | Source::Moved(from)) = &edit.from {
            after.remove(from);
        }
        match edit.after {
            Some(bytes) => after.insert(edit.path, String::from_utf8_lossy(&bytes).into_owned()),
            None => after.remove(&edit.path),
        };
    }
    (after, conflicts.into_iter().map(|conflict| conflict.path).collect())
}

fn files(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    files.iter().map(owned).collect()
}

const NEW: &str =
    "diff --git a/n.md b/n.md\nnew file mode 100644\n--- /dev/null\n+++ b/n.md\n@@ -0,0 +1,2 @@\n+one\n+two\n";
const SECOND: &str =
    "diff --git a/s.md b/s.md\nnew file mode 100644\n--- /dev/null\n+++ b/s.md\n@@ -0,0 +1 @@\n+second\n";
const GONE: &str =
    "diff --git a/g.md b/g.md\ndeleted file mode 100644\n--- a/g.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
const MOVED: &str = "diff --git a/old.md b/new.md\nsimilarity index 60%\nrename from old.md\nrename to new.md\n--- a/old.md\n\
    +++ b/new.md\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n";

#[test]
fn what_was_taken_over_before_is_no_conflict_and_the_rest_is_taken() {
    let patch = format!("{NEW}{GONE}{SECOND}");
    let (after, conflicts) = merged(&[("n.md", "one\ntwo\n")], &patch);
    let expected = files(&[("n.md", "one\ntwo\n"), ("s.md", "second\n")]);
    assert_eq!((after, conflicts.len()), (expected, 0));
    assert_eq!(
        merged(&[("new.md", "a\nB\nc\n")], MOVED),
        (files(&[("new.md", "a\nB\nc\n")]), vec![])
    );
}

#[test]
fn a_new_file_that_only_grew_there_grows_here() {
    for here in ["one\n", "two\n", ""] {
        let expected = files(&[("n.md", "one\ntwo\n")]);
        assert_eq!(merged(&[("n.md", here)], NEW), (expected, vec![]), "{here}");
    }
}

#[test]
fn what_both_sides_made_or_changed_otherwise_is_left_out_by_itself() {
    let (after, conflicts) = merged(
        &[("n.md", "other\n"), ("g.md", "gone\nand more\n")],
        &format!("{NEW}{GONE}{SECOND}"),
    );
    let expected = files(&[("n.md", "other\n"), ("g.md", "gone\nand more\n"), ("s.md", "second\n")]);
    assert_eq!(
        (after, conflicts),
        (expected, vec!["n.md".to_owned(), "g.md".to_owned()])
    );
}

#[test]
fn a_file_that_was_moved_is_met_wherever_it_is() {
    let old = ("old.md", "a\nb\nc\n");
    let moved = files(&[("new.md", "a\nB\nc\n")]);
    assert_eq!(merged(&[old], MOVED), (moved.clone(), vec![]));
    assert_eq!(merged(&[("new.md", "a\nb\nc\n")], MOVED), (moved.clone(), vec![]));
    assert_eq!(merged(&[old, ("new.md", "a\nB\nc\n")], MOVED), (moved, vec![]));
    let both = [old, ("new.md", "other\n")];
    assert_eq!(merged(&both, MOVED), (files(&both), vec!["new.md".to_owned()]));
    assert_eq!(merged(&[], MOVED), (files(&[]), vec!["new.md".to_owned()]));
    let changed = [("old.md", "a\nbee\nc\n")];
    let (after, conflicts) = merged(&changed, MOVED);
    assert_eq!(
        (after, conflicts),
        (files(&[("new.md", "a\nbee\nc\n")]), vec!["old.md".to_owned()])
    );
}
