//! Merges sections that create, remove or move a file, if the same file was created, removed or moved in the meantime.

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
        // Errors in the hunks are reported when they are applied.
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

    /// Records a conflict. Returns `false`, because no part of the section remains to apply.
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

/// Returns the hunks from `here` to `there`, if they only add lines to `here`.
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
mod tests;
