//! Sections that create, remove or move a file, if the current file was created, removed or moved as well.

use std::collections::BTreeSet;

use super::content::patched;
use super::fitting::{Conflict, said};
use super::{Action, Bytes, FilePatch, Files, Name, PatchHunk, Reading, Sign, parse};
use crate::lines::split;
use crate::unified_text;

pub(super) struct Meeting<'a> {
    pub(super) files: &'a mut dyn Files,
    pub(super) shared: BTreeSet<String>,
    pub(super) conflicts: &'a mut Vec<Conflict>,
}

pub(super) fn shared(files: &[FilePatch]) -> BTreeSet<String> {
    let (mut once, mut shared) = (BTreeSet::new(), BTreeSet::new());
    for file in files {
        let names: BTreeSet<&str> = file.action.names().map(Name::first).collect();
        for name in names {
            if !once.insert(name.to_owned()) {
                shared.insert(name.to_owned());
            }
        }
    }
    shared
}

impl Meeting<'_> {
    pub(super) fn meet(&mut self, file: &mut FilePatch) -> bool {
        if file.action.names().any(|name| self.shared.contains(name.first())) {
            return true;
        }
        match file.action.clone() {
            Action::Update { .. } | Action::Either { .. } => true,
            Action::Create { path } => self.made(file, &path, &Bytes::from([])),
            Action::Copy { from, to } => match self.existing(&from) {
                Some((_, source)) => self.made(file, &to, &source),
                None => true,
            },
            Action::Delete { path, whole } => self.removed(file, &path, whole),
            Action::Rename { from, to } => self.moved(file, &from, &to),
        }
    }

    fn existing(&mut self, name: &Name) -> Option<(String, Bytes)> {
        let mut there = name.0.iter();
        there.find_map(|path| Some((path.clone(), self.files.read(path).ok()??)))
    }

    fn made(&mut self, file: &mut FilePatch, to: &Name, source: &Bytes) -> bool {
        let path = to.first();
        let Ok(Some(here)) = self.files.read(path) else {
            return true;
        };
        // Errors in the hunks show when they are applied.
        let Ok((there, _)) = patched(path, source, &file.hunks) else {
            return true;
        };
        if here == there {
            return false;
        }
        match additions(&here, &there) {
            Some(hunks) => {
                let path = Name(vec![path.to_owned()]);
                file.action = Action::Update { path };
                file.hunks = hunks;
                true
            }
            None => self.differ(path, &[], &here, &there),
        }
    }

    fn removed(&mut self, file: &FilePatch, path: &Name, whole: bool) -> bool {
        let Some((path, here)) = self.existing(path) else {
            return false;
        };
        let goes = whole || patched(&path, &here, &file.hunks).is_ok_and(|(rest, _)| rest.is_empty());
        goes || self.differ(&path, &side(&file.hunks, Sign::Remove), &here, &[])
    }

    fn moved(&mut self, file: &mut FilePatch, from: &Name, to: &Name) -> bool {
        match (self.existing(from), self.existing(to)) {
            (Some(_), None) => true,
            (None, Some((path, _))) => {
                let path = Name(vec![path]);
                file.action = Action::Update { path };
                true
            }
            (Some((old, source)), Some((path, here))) => {
                let there = patched(&old, &source, &file.hunks).map(|(there, _)| there);
                match there {
                    Ok(there) if there != here => self.differ(&path, &[], &here, &there),
                    _ => {
                        let path = Name(vec![old]);
                        file.action = Action::Delete { path, whole: true };
                        (file.hunks, file.mode_after) = (Vec::new(), None);
                        true
                    }
                }
            }
            (None, None) => {
                let there = side(&file.hunks, Sign::Add);
                self.differ(to.first(), &side(&file.hunks, Sign::Remove), &[], &there)
            }
        }
    }

    /// Records a conflict. Returns `false` because nothing is left.
    fn differ(&mut self, path: &str, before: &[u8], here: &[u8], there: &[u8]) -> bool {
        let lines = |bytes: &[u8]| split(bytes).into_iter().map(said).collect();
        self.conflicts.push(Conflict {
            path: path.to_owned(),
            line: 1,
            before: lines(before),
            here: lines(here),
            there: lines(there),
        });
        false
    }
}

fn side(hunks: &[PatchHunk], sign: Sign) -> Vec<u8> {
    let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
    let lines = lines.filter(|line| line.sign == sign);
    lines.flat_map(|line| [line.text.as_bytes(), b"\n"].concat()).collect()
}

/// Returns the change from `here` to `there` if it loses no line of `here`.
fn additions(here: &[u8], there: &[u8]) -> Option<Vec<PatchHunk>> {
    let mut later = split(there).into_iter();
    let kept = split(here).into_iter().all(|line| later.any(|other| other == line));
    if !kept {
        return None;
    }
    let diff = String::from_utf8(unified_text(here, there, 3)).ok()?;
    let patch = parse(&format!("--- a/x\n+++ b/x\n{diff}"), Reading::Counts).ok()?;
    patch.files.into_iter().next().map(|file| file.hunks)
}

#[cfg(test)]
mod tests {
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

    /// Returns the files after the patch, and the conflicts.
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
}
