//! Taking back what the session changed: which change is the newest that still stands, and what its files were and became.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::entry::{Body, Entry};
use super::tool::CallStatus;
use crate::base::id::{BlobId, CallId, EntryId, TurnId};

/// The name of a change that is taken back among the tools: what the person typed.
pub(crate) const UNDO: &str = "/undo";

/// Files that are named in it.
const NAMED: usize = 5;

/// The line that takes back what was made of these files, as the log keeps it.
pub(crate) fn line(files: &[FileBack<BlobId>]) -> String {
    let named: Vec<&str> = files.iter().take(NAMED).map(|file| file.path.as_str()).collect();
    let more = if files.len() > NAMED { ", …" } else { "" };
    format!("{UNDO} {}{more}", named.join(", "))
}

/// What stands behind the name, where this is such a line.
pub(crate) fn of_line(line: &str) -> Option<&str> {
    line.strip_prefix(UNDO)?.strip_prefix(' ')
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
}

/// One change of a file, as its entry tells it.
struct Change<'a> {
    id: EntryId,
    path: &'a str,
    before: Option<&'a BlobId>,
    after: Option<&'a BlobId>,
    /// Where a file was renamed its old name goes without a line of it.
    is_bare: bool,
}

/// The changes of a session that still stand, the newest first; with a path, only what they made of that file.
pub(crate) fn steps(log: &[Arc<Entry>], only: Option<&str>) -> Vec<Step> {
    let bodies = || log.iter().map(|entry| &entry.body);
    let taken_back: BTreeSet<EntryId> = bodies()
        .filter_map(|body| match body {
            Body::Change { undoes, .. } => Some(undoes.iter().copied()),
            _ => None,
        })
        .flatten()
        .collect();
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
            ..
        } = &entry.body
            && undoes.is_empty()
            && !taken_back.contains(&entry.id)
        {
            calls.entry((entry.turn, call)).or_default().push(Change {
                id: entry.id,
                path,
                before: before.as_ref(),
                after: after.as_ref(),
                is_bare: *added == 0 && *removed == 0,
            });
        }
    }
    let mut steps: Vec<Step> = calls.into_values().filter_map(|changes| step(&changes, only)).collect();
    steps.sort_by_key(|step| std::cmp::Reverse(step.entries.last().copied()));
    steps
}

/// `None`: nothing is left of it.
fn step(changes: &[Change<'_>], only: Option<&str>) -> Option<Step> {
    let mut files = files(changes);
    files.retain(|file| file.moved_to.is_some() || file.was != file.became);
    if let Some(only) = only {
        files.retain(|file| file.path == only || file.moved_to.as_deref() == Some(only));
    }
    if files.is_empty() {
        return None;
    }
    let is_of_it = |change: &&Change<'_>| {
        only.is_none()
            || files
                .iter()
                .any(|file| file.path == change.path || file.moved_to.as_deref() == Some(change.path))
    };
    let entries = changes.iter().filter(is_of_it).map(|change| change.id).collect();
    Some(Step { entries, files })
}

/// From what each file was to what it became, whatever lay in between.
fn files(changes: &[Change<'_>]) -> Vec<FileBack<BlobId>> {
    let is_single = |path: &str| changes.iter().filter(|change| change.path == path).count() == 1;
    let mut files: Vec<FileBack<BlobId>> = Vec::new();
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
        if let Some(to) = rest.next_if(renamed) {
            files.push(FileBack {
                path: change.path.to_owned(),
                moved_to: Some(to.path.to_owned()),
                was: change.before.cloned(),
                became: to.after.cloned(),
            });
            continue;
        }
        match files.iter_mut().find(|file| file.path == change.path) {
            Some(known) => known.became = change.after.cloned(),
            None => files.push(FileBack {
                path: change.path.to_owned(),
                moved_to: None,
                was: change.before.cloned(),
                became: change.after.cloned(),
            }),
        }
    }
    files
}

#[cfg(test)]
mod tests;
