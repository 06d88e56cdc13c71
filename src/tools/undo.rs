//! A change of the session turned around: a proposal like any other, so it is seen, judged and written as one.
//!
//! A file that is as the change left it goes back to what it was. Of one that was changed since, the hunks that still fit are proposed.
//! Nothing that came later is lost unseen: what does not fit stays, and it is said why.

use std::sync::Arc;

use super::files::{FilesPlan, MOST_READ, PlannedFile, current};
use super::row::{Draft, Work};
use super::{Refusal, ToolContext};
use crate::diff::patch::{Files, PatchError, apply_fitting};
use crate::diff::unified_text;
use crate::domain::review::{FileNote, FileOperation};
use crate::domain::tool::CallStatus;
use crate::domain::undo::{FileBytes, NotUndone};
use crate::security::workspace::{PathError, Workspace};

/// What the model reads first.
const TAKEN_BACK: &str = "The user took back an earlier change of this session. What was written for it:\n";

/// Equal lines that show where a hunk belongs.
const CONTEXT: usize = 3;
/// The name of the file in the patch that is fitted to it.
const FITTED: &str = "file";

type Bytes = Arc<[u8]>;

/// What can be taken back of a change, and what cannot.
#[derive(Debug, Default)]
struct Turned {
    changes: Vec<PlannedFile>,
    left: Vec<(String, NotUndone)>,
}

/// The same before anything is proposed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Undoable {
    /// All files are as they were.
    IsBack,
    No(Vec<(String, NotUndone)>),
    /// But for these.
    Yes(Vec<(String, NotUndone)>),
}

/// Looks whether a change can be taken back, as the files are now.
pub(crate) fn look(files: &[FileBytes], workspace: &Workspace) -> Undoable {
    let Turned { changes, left } = turned(files, workspace);
    match (changes.is_empty(), left.is_empty()) {
        (true, true) => Undoable::IsBack,
        (true, false) => Undoable::No(left),
        (false, _) => Undoable::Yes(left),
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
        return Err(Refusal::new(code, format!("Nothing was taken back.\n{why}")));
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
        NotUndone::Changed => "it was changed since in the same lines".to_owned(),
        NotUndone::Grown => "it was changed since it was made".to_owned(),
        NotUndone::Gone => "it is not there any more".to_owned(),
        NotUndone::There => "there is such a file again".to_owned(),
        NotUndone::NotKept => "what it held is not kept".to_owned(),
        NotUndone::Unreadable { error } => error.clone(),
    }
}

fn turned(files: &[FileBytes], workspace: &Workspace) -> Turned {
    let mut all = Turned::default();
    for file in files {
        match back(file, workspace) {
            Ok(change) => all.changes.extend(change),
            Err(why) => {
                let path = file.moved_to.as_ref().unwrap_or(&file.path);
                all.left.push((path.clone(), why));
            }
        }
    }
    all
}

impl From<PathError> for NotUndone {
    fn from(error: PathError) -> Self {
        Self::Unreadable {
            error: error.to_string(),
        }
    }
}

/// `None`: the file is as it was.
fn back(file: &FileBytes, workspace: &Workspace) -> Result<Option<PlannedFile>, NotUndone> {
    let path = workspace.resolve(&file.path)?;
    let here: Option<Bytes> = current(&path, MOST_READ)?.map(Into::into);
    let (from, now) = match &file.moved_to {
        None => (None, here),
        Some(to) => {
            let from = workspace.resolve(to)?;
            let now: Option<Bytes> = current(&from, MOST_READ)?.map(Into::into);
            match (here, now) {
                (here, None) if here == file.was => return Ok(None),
                // It went back, but for some of its hunks.
                (Some(here), None) if file.was != file.became => (None, Some(here)),
                (_, None) => return Err(NotUndone::Gone),
                (Some(_), Some(_)) => return Err(NotUndone::There),
                (None, now) => (Some(from), now),
            }
        }
    };
    if from.is_none() && now == file.was {
        return Ok(None);
    }
    let (after, lines) = if now == file.became {
        (file.was.clone(), Vec::new())
    } else {
        match (&file.was, &file.became, &now) {
            (Some(was), Some(became), Some(now)) => match fitted(was, became, now)? {
                Some((after, lines)) => (Some(after), lines),
                None if from.is_some() => (Some(Arc::clone(now)), Vec::new()),
                None => return Ok(None),
            },
            (None, _, Some(_)) => return Err(NotUndone::Grown),
            (_, _, None) => return Err(NotUndone::Gone),
            (_, None, _) => return Err(NotUndone::There),
        }
    };
    let operation = match (&from, &now, &after) {
        (Some(from), _, _) => FileOperation::Rename {
            from: from.shown().to_owned(),
        },
        (None, None, _) => FileOperation::Create,
        (None, Some(_), Some(_)) => FileOperation::Update,
        (None, Some(_), None) => FileOperation::Delete,
    };
    Ok(Some(PlannedFile {
        path,
        from,
        operation,
        before: now,
        after,
        mode: None,
        note: (!lines.is_empty()).then_some(FileNote::ChangedSince { lines }),
    }))
}

/// A file that was changed since with the hunks that still fit, and the lines where one does not. `None`: nothing of the change is in it.
fn fitted(was: &Bytes, became: &Bytes, now: &Bytes) -> Result<Option<(Bytes, Vec<usize>)>, NotUndone> {
    if was == became {
        // It was only moved.
        return Ok(None);
    }
    let hunks = String::from_utf8(unified_text(became, was, CONTEXT)).map_err(|_| NotUndone::Changed)?;
    let patch = format!("--- a/{FITTED}\n+++ b/{FITTED}\n{hunks}");
    let mut file = Fitted(Arc::clone(now));
    let (applied, conflicts) = apply_fitting(&patch, &mut file).map_err(|_| NotUndone::Changed)?;
    let after = applied.files.into_iter().next().and_then(|edit| edit.after);
    match after.filter(|after| after != now) {
        Some(after) => Ok(Some((after, conflicts.iter().map(|conflict| conflict.line).collect()))),
        None if conflicts.is_empty() => Ok(None),
        None => Err(NotUndone::Changed),
    }
}

/// The one file that the patch names.
struct Fitted(Bytes);

impl Files for Fitted {
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError> {
        Ok((path == FITTED).then(|| Arc::clone(&self.0)))
    }
}

#[cfg(test)]
mod tests;
