//! Taking back what the session changed: which change is the newest that still stands, and what its files were and became.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::entry::{Body, Entry};
use super::tool::{AppliedChange, CallStatus};
use crate::base::id::{BlobId, CallId, EntryId, TurnId};

/// The name of a change that is taken back among the tools: what the person typed.
pub(crate) const UNDO: &str = "/undo";

/// Files that are named in it.
const NAMED: usize = 5;

/// The line that takes back what was made of these files, as the log keeps it.
pub(crate) fn line(paths: &[&str]) -> String {
    let named = paths.get(..NAMED).unwrap_or(paths).join(", ");
    let more = if paths.len() > NAMED { ", …" } else { "" };
    format!("{UNDO} {named}{more}")
}

/// The same once it is known which of the files went back; `None`: none did, and what was proposed stays what it is called.
pub(crate) fn line_of_changed(files: &[FileBytes], changed: &[AppliedChange]) -> Option<String> {
    let went_back = |file: &&FileBytes| changed.iter().any(|change| change.path == file.path);
    let paths: Vec<&str> = files.iter().filter(went_back).map(|file| file.path.as_str()).collect();
    (!paths.is_empty()).then(|| line(&paths))
}

/// What stands behind the name, where this is such a line.
pub(crate) fn of_line(line: &str) -> Option<&str> {
    line.strip_prefix(UNDO)?.strip_prefix(' ')
}

/// A command that the person typed for their shell, as the log keeps it: one that begins like such a line has a blank before it, which a
/// shell passes over.
pub(crate) fn for_shell(command: String) -> String {
    match of_line(&command) {
        Some(_) => format!(" {command}"),
        None => command,
    }
}

/// Whether the output of such a line is for the model alone: to a person its row says it all.
pub(crate) fn is_for_model(command: &str, status: CallStatus) -> bool {
    status == CallStatus::Ok && of_line(command).is_some()
}

/// A command of the person's as they typed it.
pub(crate) fn as_typed(command: &str) -> Cow<'_, str> {
    match of_line(command) {
        Some(_) => command.into(),
        None => format!("!{command}").into(),
    }
}

/// One call that changed files, with what of it still stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// Where the log tells of it.
    pub(crate) entries: Vec<EntryId>,
    pub(crate) files: Vec<FileBack<BlobId>>,
}

/// One file of it. `B`: what stands for the content, `None` where there was no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileBack<B> {
    /// Where it was before.
    pub(crate) path: String,
    /// Where it went, if it was renamed.
    pub(crate) moved_to: Option<String>,
    pub(crate) was: Option<B>,
    pub(crate) became: Option<B>,
    /// The permission bits it lost by it, where they are known.
    pub(crate) mode_before: Option<u32>,
}

impl Step {
    /// All names of its files.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let names = |file: &FileBack<BlobId>| [Some(file.path.clone()), file.moved_to.clone()];
        self.files.iter().flat_map(names).flatten().collect()
    }
}

/// The same with the bytes themselves.
pub(crate) type FileBytes = FileBack<Arc<[u8]>>;

/// Why the change of a file cannot be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum NotUndone {
    /// The lines that were changed have been changed again.
    Changed,
    /// It was made by the session, and holds something else by now.
    Grown,
    /// It is not there any more.
    Gone,
    /// There is such a file again.
    There,
    /// What it held is not kept.
    NotKept,
    /// Only its permission bits were changed; from these, where that is known.
    ModeAlone {
        was: Option<u32>,
    },
    Unreadable {
        error: String,
    },
}

/// What is said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum UndoNotice {
    /// A turn runs.
    Busy,
    /// No change of the session still stands; of this file, where one was named.
    Nothing { path: Option<String> },
    /// Nothing of the change can be taken back, for these reasons.
    No { files: Vec<(String, NotUndone)> },
    /// The rest is proposed.
    Without { files: Vec<(String, NotUndone)> },
    /// These stay, and an older change is proposed, which is of other files.
    Older { files: Vec<(String, NotUndone)> },
}

/// One change of a file, as its entry tells it.
struct Change<'a> {
    id: EntryId,
    path: &'a str,
    before: Option<&'a BlobId>,
    after: Option<&'a BlobId>,
    /// Where a file was renamed its old name goes without a line of it.
    is_bare: bool,
    mode_before: Option<u32>,
}

/// A file of a call, with where the log tells of it.
struct Made {
    entries: Vec<EntryId>,
    file: FileBack<BlobId>,
}

impl Made {
    fn is_of(&self, path: &str) -> bool {
        self.file.path == path || self.file.moved_to.as_deref() == Some(path)
    }
}

/// By the entry of a change the names of the files in which it was taken back. Of a file that was left or dropped then, and of one whose
/// hunks were dropped in part, the change still stands.
type TakenBack<'a> = BTreeMap<EntryId, BTreeSet<&'a str>>;

fn taken_back(log: &[Arc<Entry>]) -> TakenBack<'_> {
    let mut taken_back = TakenBack::new();
    for entry in log {
        if let Body::Change {
            path,
            undoes,
            in_part: false,
            ..
        } = &entry.body
        {
            for undone in undoes {
                taken_back.entry(*undone).or_default().insert(path.as_str());
            }
        }
    }
    taken_back
}

/// The changes of a session that still stand, the newest first; with a path, only what they made of that file.
pub(crate) fn steps(log: &[Arc<Entry>], only: Option<&str>) -> Vec<Step> {
    let taken_back = taken_back(log);
    let mut calls: BTreeMap<(TurnId, &CallId), Vec<Change<'_>>> = BTreeMap::new();
    for entry in log {
        if let Body::Change {
            call,
            path,
            before,
            after,
            added,
            removed,
            undoes,
            mode_before,
            ..
        } = &entry.body
            && undoes.is_empty()
        {
            calls.entry((entry.turn, call)).or_default().push(Change {
                id: entry.id,
                path,
                before: before.as_ref(),
                after: after.as_ref(),
                is_bare: *added == 0 && *removed == 0,
                mode_before: *mode_before,
            });
        }
    }
    let step = |changes: Vec<Change<'_>>| step(&changes, &taken_back, only);
    let mut steps: Vec<Step> = calls.into_values().filter_map(step).collect();
    steps.sort_by_key(|step| std::cmp::Reverse(step.entries.last().copied()));
    steps
}

/// `None`: nothing is left of it.
fn step(changes: &[Change<'_>], taken_back: &TakenBack<'_>, only: Option<&str>) -> Option<Step> {
    let mut made = files(changes);
    made.retain(|made| {
        let mut undone = made.entries.iter().filter_map(|id| taken_back.get(id)).flatten();
        !undone.any(|path| made.is_of(path))
    });
    made.retain(|Made { file, .. }| {
        file.moved_to.is_some() || file.was != file.became || is_mode_alone(changes, &file.path)
    });
    if let Some(only) = only {
        made.retain(|made| made.is_of(only));
    }
    if made.is_empty() {
        return None;
    }
    let mut entries: Vec<EntryId> = made.iter().flat_map(|made| &made.entries).copied().collect();
    entries.sort_unstable();
    let files = made.into_iter().map(|made| made.file).collect();
    Some(Step { entries, files })
}

/// Whether nothing but the permission bits of a file was changed. What was changed and changed back is no change at all.
fn is_mode_alone(changes: &[Change<'_>], path: &str) -> bool {
    let mut of_it = changes.iter().filter(|change| change.path == path);
    of_it.all(|change| change.before.is_some() && change.before == change.after)
}

/// From what each file was to what it became, whatever lay in between.
fn files(changes: &[Change<'_>]) -> Vec<Made> {
    let is_single = |path: &str| changes.iter().filter(|change| change.path == path).count() == 1;
    let mut files: Vec<Made> = Vec::new();
    let mut rest = changes.iter().peekable();
    while let Some(change) = rest.next() {
        let renamed = |next: &&Change<'_>| {
            change.is_bare
                && change.before.is_some()
                && change.after.is_none()
                && next.before.is_none()
                && next.after.is_some()
                && is_single(change.path)
                && is_single(next.path)
        };
        let mut file = FileBack {
            path: change.path.to_owned(),
            moved_to: None,
            was: change.before.cloned(),
            became: change.after.cloned(),
            mode_before: change.mode_before,
        };
        let mut entries = vec![change.id];
        if let Some(to) = rest.next_if(renamed) {
            file.moved_to = Some(to.path.to_owned());
            file.became = to.after.cloned();
            entries.push(to.id);
        } else if let Some(known) = files.iter_mut().find(|known| known.file.path == change.path) {
            known.file.became = file.became;
            known.file.mode_before = known.file.mode_before.or(file.mode_before);
            known.entries.push(change.id);
            continue;
        }
        files.push(Made { entries, file });
    }
    files
}

#[cfg(test)]
mod tests;
