//! Undoes a change of the session with a proposal, like any other change of files.
//!
//! Files without later changes are restored. In other files, the hunks that can still be undone are proposed, and the
//! conflicting hunks are reported. If no hunk can be undone, the conflicting hunks are proposed, so that a person
//! chooses between the later change and the old text. Later changes are never lost without this choice.

use std::sync::Arc;

use super::files::{FilesPlan, MOST_READ, PlannedFile, current};
use super::row::{Draft, Work};
use super::{Refusal, ToolContext};
use benchdog_diff::patch::{Files, PatchError, apply_fitting, take_there};
use benchdog_diff::unified_text;
use benchdog_domain::review::{FileNote, FileOperation};
use benchdog_domain::tool::CallStatus;
use benchdog_domain::undo::{FileBytes, NotUndone};
use benchdog_security::workspace::{PathError, WorkPath, Workspace};

const TAKEN_BACK: &str = "The user took back an earlier change of this session. What was written for it:\n";

const CONTEXT: usize = 3;
/// Permission bits of a restored file whose previous mode is unknown. Private, because the file may contain a secret.
const OWNER_ALONE: u32 = 0o600;
const FITTED: &str = "file";

type Bytes = Arc<[u8]>;

#[derive(Debug, Default)]
struct Turned {
    changes: Vec<PlannedFile>,
    left: Vec<(String, NotUndone)>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Undoable {
    IsBack,
    No(Vec<(String, NotUndone)>),
    Yes {
        back: Vec<String>,
        left: Vec<(String, NotUndone)>,
    },
    /// No hunk can be undone without replacing a later change.
    Conflicts {
        back: Vec<String>,
        left: Vec<(String, NotUndone)>,
    },
}

/// Whether conflicting hunks are proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overlaps {
    Stay,
    Replaced,
}

pub fn look(files: &[FileBytes], workspace: &Workspace) -> Undoable {
    let Turned { changes, left } = turned(files, workspace);
    let back: Vec<String> = changes.iter().map(|change| change.path.shown().to_owned()).collect();
    let replaces = |change: &PlannedFile| matches!(change.note, Some(FileNote::Overlaps { .. }));
    match (changes.is_empty(), left.is_empty()) {
        (true, true) => Undoable::IsBack,
        (true, false) => Undoable::No(left),
        (false, _) if changes.iter().any(replaces) => Undoable::Conflicts { back, left },
        (false, _) => Undoable::Yes { back, left },
    }
}

/// Combines the changes of several calls, newest first, into one change for each file.
///
/// Also returns the files with an older change that cannot be undone, because later changes affected the same lines.
pub fn combined(steps: impl IntoIterator<Item = Vec<FileBytes>>) -> (Vec<FileBytes>, Vec<(String, NotUndone)>) {
    let (mut files, mut left) = (Vec::<FileBytes>::new(), Vec::new());
    for older in steps.into_iter().flatten() {
        let name = older.moved_to.as_ref().unwrap_or(&older.path);
        let Some(newer) = files.iter_mut().find(|newer| newer.path == *name) else {
            files.push(older);
            continue;
        };
        match before_both(&older, newer.was.as_ref()) {
            Ok((was, is_whole)) => {
                newer.was = was;
                if !is_whole {
                    left.push((name.clone(), NotUndone::Changed));
                }
            }
            Err(why) => {
                left.push((name.clone(), why));
                continue;
            }
        }
        let last = newer.moved_to.take().unwrap_or_else(|| newer.path.clone());
        newer.mode_before = older.mode_before.or(newer.mode_before);
        newer.path = older.path;
        newer.moved_to = Some(last).filter(|last| newer.became.is_some() && *last != newer.path);
    }
    files.retain(|file| file.moved_to.is_some() || file.was != file.became || file.mode_before.is_some());
    (files, left)
}

/// Returns the content before an older change, and whether all hunks of that change could be undone. `now` is the
/// content before the newer change.
fn before_both(older: &FileBytes, now: Option<&Bytes>) -> Result<(Option<Bytes>, bool), NotUndone> {
    if now == older.became.as_ref() {
        return Ok((older.was.clone(), true));
    }
    match (&older.was, &older.became, now) {
        (Some(was), Some(became), Some(now)) => Ok(match fitted(was, became, now, Overlaps::Stay)? {
            Some((before, lines)) => (Some(before), lines.is_empty()),
            None => (Some(Arc::clone(now)), true),
        }),
        (None, _, Some(_)) => Err(NotUndone::Grown),
        (_, _, None) => Err(NotUndone::Gone),
        (_, None, _) => Err(NotUndone::There),
    }
}

pub(super) fn draft(files: &[FileBytes], cx: &ToolContext) -> Result<Draft, Refusal> {
    let Turned { changes, left } = turned(files, &cx.workspace);
    let left: String = left
        .iter()
        .map(|(path, why)| format!("`{path}` stays as it is: {}.\n", told(why)))
        .collect();
    if changes.is_empty() {
        let (code, why) = match left.as_str() {
            "" => ("no_change", "The files are as they were before it.\n"),
            left => ("conflict", left),
        };
        return Err(Refusal::new(code, format!("Nothing was undone.\n{why}")));
    }
    let draft = FilesPlan { changes }.draft_as_it_is();
    Ok(Draft {
        work: Work::of((draft.work, left), |(work, left), it| {
            Box::pin(async move {
                let mut outcome = work.start(it).await;
                if outcome.status == CallStatus::Ok {
                    outcome.output = format!("{TAKEN_BACK}{}{left}", outcome.output);
                }
                outcome
            })
        }),
        ..draft
    })
}

fn told(why: &NotUndone) -> String {
    match why {
        NotUndone::Changed => "the same lines have changed since".to_owned(),
        NotUndone::Grown => "it has changed since it was created".to_owned(),
        NotUndone::Gone => "it no longer exists".to_owned(),
        NotUndone::There => "it exists again".to_owned(),
        NotUndone::HoldsKey => "what it held is not kept, because it holds a key".to_owned(),
        NotUndone::ByJob { job } => format!("it changed while {job} ran"),
        NotUndone::NotKept => "what it held is not kept".to_owned(),
        NotUndone::ModeAlone { .. } => "only its mode was changed".to_owned(),
        NotUndone::Unreadable { error } => error.clone(),
    }
}

fn turned(files: &[FileBytes], workspace: &Workspace) -> Turned {
    let clean = turned_with(files, workspace, Overlaps::Stay);
    let is_overlap = |(_, why): &(String, NotUndone)| *why == NotUndone::Changed;
    if clean.changes.is_empty() && clean.left.iter().any(is_overlap) {
        return turned_with(files, workspace, Overlaps::Replaced);
    }
    clean
}

fn turned_with(files: &[FileBytes], workspace: &Workspace, overlaps: Overlaps) -> Turned {
    let mut all = Turned::default();
    for file in files {
        match back(file, workspace, overlaps) {
            Ok(change) => all.changes.extend(change),
            Err(why) => {
                let path = file.moved_to.as_ref().unwrap_or(&file.path);
                all.left.push((path.clone(), why));
            }
        }
    }
    all
}

fn unreadable(error: PathError) -> NotUndone {
    NotUndone::Unreadable {
        error: error.to_string(),
    }
}

/// Returns the change that restores a file, or `None` if the file already has its previous content.
fn back(file: &FileBytes, workspace: &Workspace, overlaps: Overlaps) -> Result<Option<PlannedFile>, NotUndone> {
    let path = workspace.resolve(&file.path).map_err(unreadable)?;
    if file.moved_to.is_none() && file.was == file.became {
        return mode_alone(file, &path).map(|()| None);
    }
    let Some((from, now)) = place(file, &path, workspace)? else {
        return Ok(None);
    };
    if from.is_none() && now == file.was {
        return Ok(None);
    }
    let (after, lines) = if now == file.became {
        (file.was.clone(), Vec::new())
    } else {
        match (&file.was, &file.became, &now) {
            (Some(was), Some(became), Some(now)) => match fitted(was, became, now, overlaps)? {
                Some((after, lines)) => (Some(after), lines),
                None if from.is_some() => (Some(Arc::clone(now)), Vec::new()),
                None => return Ok(None),
            },
            (None, _, Some(_)) => return Err(NotUndone::Grown),
            (_, _, None) => return Err(NotUndone::Gone),
            (_, None, _) => return Err(NotUndone::There),
        }
    };
    let operation = operation(from.as_ref(), now.is_some(), after.is_some());
    let mode_after = match operation {
        FileOperation::Create => Some(file.mode_before.unwrap_or(OWNER_ALONE)),
        FileOperation::Delete => None,
        FileOperation::Update | FileOperation::Rename { .. } | FileOperation::Copy { .. } => {
            let has = mode_now(from.as_ref().unwrap_or(&path))?;
            file.mode_before.filter(|mode| has != Some(*mode))
        }
    };
    let note = match operation {
        FileOperation::Create => file.mode_before.is_none().then_some(FileNote::ModeNotKept),
        _ if lines.is_empty() => None,
        _ if overlaps == Overlaps::Replaced => Some(FileNote::Overlaps { lines }),
        _ => Some(FileNote::ChangedSince { lines }),
    };
    Ok(Some(PlannedFile {
        path,
        from,
        operation,
        before: now,
        after,
        mode_after,
        charset: None,
        cell: None,
        note,
        unsaved: None,
    }))
}

/// The source of a rename, if any, and the current content. `None` if the file is already restored.
type Place = Option<(Option<WorkPath>, Option<Bytes>)>;

fn place(file: &FileBytes, path: &WorkPath, workspace: &Workspace) -> Result<Place, NotUndone> {
    let here: Option<Bytes> = current(path, MOST_READ).map_err(unreadable)?.map(Into::into);
    let Some(to) = &file.moved_to else {
        return Ok(Some((None, here)));
    };
    let from = workspace.resolve(to).map_err(unreadable)?;
    let now: Option<Bytes> = current(&from, MOST_READ).map_err(unreadable)?.map(Into::into);
    match (here, now) {
        (here, None) if here == file.was => Ok(None),
        // The file was moved back, but some hunks still differ.
        (Some(here), None) if file.was != file.became => Ok(Some((None, Some(here)))),
        (_, None) => Err(NotUndone::Gone),
        (Some(_), Some(_)) => Err(NotUndone::There),
        (None, now) => Ok(Some((Some(from), now))),
    }
}

fn operation(from: Option<&WorkPath>, is_there: bool, stays: bool) -> FileOperation {
    match (from, is_there, stays) {
        (Some(from), _, _) => FileOperation::Rename {
            from: from.shown().to_owned(),
        },
        (None, false, _) => FileOperation::Create,
        (None, true, true) => FileOperation::Update,
        (None, true, false) => FileOperation::Delete,
    }
}

fn mode_now(path: &WorkPath) -> Result<Option<u32>, NotUndone> {
    Ok(path.stat().map_err(unreadable)?.map(|stat| stat.mode & 0o777))
}

/// Handles a change of only the mode, which is never undone. Succeeds if the file already has its previous mode.
fn mode_alone(file: &FileBytes, path: &WorkPath) -> Result<(), NotUndone> {
    match mode_now(path)? {
        None => Err(NotUndone::Gone),
        has if has == file.mode_before => Ok(()),
        Some(_) => Err(NotUndone::ModeAlone { was: file.mode_before }),
    }
}

/// Undoes in `now` the hunks that still apply, or the conflicting hunks if none applies and `overlaps` says so. Returns
/// the result and the line numbers of the conflicting hunks. Returns `None` if `now` no longer contains the change.
fn fitted(
    was: &Bytes,
    became: &Bytes,
    now: &Bytes,
    overlaps: Overlaps,
) -> Result<Option<(Bytes, Vec<usize>)>, NotUndone> {
    if was == became {
        // The file was moved without a change of content.
        return Ok(None);
    }
    let hunks = String::from_utf8(unified_text(became, was, CONTEXT)).map_err(|_| NotUndone::Changed)?;
    let patch = format!("--- a/{FITTED}\n+++ b/{FITTED}\n{hunks}");
    let mut file = Fitted(Arc::clone(now));
    let (applied, conflicts) = apply_fitting(&patch, &mut file).map_err(|_| NotUndone::Changed)?;
    let after = applied.files.into_iter().next().and_then(|edit| edit.after);
    let lines = || conflicts.iter().map(|conflict| conflict.line).collect();
    match after.filter(|after| after != now) {
        Some(after) => Ok(Some((after, lines()))),
        None if conflicts.is_empty() => Ok(None),
        None if overlaps == Overlaps::Stay => Err(NotUndone::Changed),
        None => match Bytes::from(take_there(now, &conflicts)) {
            after if after == *now => Err(NotUndone::Changed),
            after => Ok(Some((after, lines()))),
        },
    }
}

struct Fitted(Bytes);

impl Files for Fitted {
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError> {
        Ok((path == FITTED).then(|| Arc::clone(&self.0)))
    }
}

#[cfg(test)]
mod tests;
