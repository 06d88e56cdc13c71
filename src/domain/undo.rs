//! Undo: finds the newest change that is still in effect, and the content of its files before and after.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::entry::{Body, Entry};
use super::folder::HeadMoved;
use super::job::JobId;
use super::tool::{AppliedChange, CallStatus};
use benchdog_base::id::{BlobId, CallId, EntryId, SessionId, TurnId};

pub const UNDO: &str = "/undo";

const NAMED: usize = 5;

pub fn line(paths: &[&str]) -> String {
    let named = paths.get(..NAMED).unwrap_or(paths).join(", ");
    let more = if paths.len() > NAMED { ", …" } else { "" };
    format!("{UNDO} {named}{more}")
}

/// Formats the log line with the files that were actually reverted. `None` if no file was reverted.
pub fn line_of_changed(files: &[FileBytes], changed: &[AppliedChange]) -> Option<String> {
    let went_back = |file: &&FileBytes| changed.iter().any(|change| change.path == file.path);
    let paths: Vec<&str> = files.iter().filter(went_back).map(|file| file.path.as_str()).collect();
    (!paths.is_empty()).then(|| line(&paths))
}

pub fn of_line(line: &str) -> Option<&str> {
    line.strip_prefix(UNDO)?.strip_prefix(' ')
}

/// Formats a shell command for the log. Adds a leading space, which shells ignore, if it looks like an undo line.
pub fn for_shell(command: String) -> String {
    match of_line(&command) {
        Some(_) => format!(" {command}"),
        None => command,
    }
}

pub fn is_for_model(command: &str, status: CallStatus) -> bool {
    status == CallStatus::Ok && of_line(command).is_some()
}

pub fn as_typed(command: &str) -> Cow<'_, str> {
    match of_line(command) {
        Some(_) => command.into(),
        None => format!("!{command}").into(),
    }
}

/// File changes of one call that are still in effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub entries: Vec<EntryId>,
    pub files: Vec<FileBack<BlobId>>,
    pub job: Option<JobId>,
    /// Whether the files changed while a command ran. A person may have made some of these changes.
    pub is_of_command: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileBack<B> {
    pub path: String,
    pub moved_to: Option<String>,
    pub was: Option<B>,
    pub became: Option<B>,
    pub mode_before: Option<u32>,
}

impl Step {
    pub fn names(&self) -> BTreeSet<String> {
        let names = |file: &FileBack<BlobId>| [Some(file.path.clone()), file.moved_to.clone()];
        self.files.iter().flat_map(names).flatten().collect()
    }
}

pub type FileBytes = FileBack<Arc<[u8]>>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NotUndone {
    Changed,
    Grown,
    Gone,
    There,
    NotKept,
    HoldsKey,
    /// A background job was running when the file changed. A person may have made the change.
    ByJob {
        job: JobId,
    },
    /// Only the permission bits changed. `was` contains the old bits, if known.
    ModeAlone {
        was: Option<u32>,
    },
    Unreadable {
        error: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum UndoNotice {
    Busy,
    Nothing {
        path: Option<String>,
    },
    No {
        files: Vec<(String, NotUndone)>,
    },
    Without {
        files: Vec<(String, NotUndone)>,
    },
    /// A command changed these files without a checkpoint, so they cannot be restored.
    NotCovered {
        files: Vec<(String, NotUndone)>,
    },
    /// A command started before the first checkpoint was complete.
    CheckpointSlow {
        seconds: u64,
    },
    CheckpointFailed {
        error: String,
    },
    /// Completed an earlier undo that was interrupted when Benchdog was killed.
    Finished {
        files: usize,
    },
    NotFinished {
        error: String,
    },
    /// `HEAD` moved after the change, so the files may belong to another state of the project.
    HeadMoved(HeadMoved),
    /// A rewind of files and conversation stopped after the files were restored.
    RewindUnfinished,
    /// This session is a copy of an earlier session. The copy does not contain the later changes of that session.
    EarlierSession {
        session: SessionId,
        title: String,
    },
    /// The proposal undoes all changes made while a command ran, perhaps also edits of the person.
    DuringCommand,
    /// The proposal undoes an older change of other files, because changes of `files` cannot be undone.
    Older {
        files: Vec<(String, NotUndone)>,
    },
}

struct Change<'a> {
    id: EntryId,
    path: &'a str,
    before: Option<&'a BlobId>,
    after: Option<&'a BlobId>,
    is_bare: bool,
    mode_before: Option<u32>,
    job: Option<JobId>,
}

struct Made {
    entries: Vec<EntryId>,
    file: FileBack<BlobId>,
}

impl Made {
    fn is_of(&self, path: &str) -> bool {
        self.file.path == path || self.file.moved_to.as_deref() == Some(path)
    }
}

/// Undone files, grouped by the log entry of the change. Excludes files that were skipped or only partly undone.
type TakenBack<'a> = BTreeMap<EntryId, BTreeSet<&'a str>>;

/// Returns the undone files. Ignores an undo that was itself undone.
fn taken_back(log: &[Arc<Entry>]) -> TakenBack<'_> {
    let mut taken_back = TakenBack::new();
    for entry in log.iter().rev() {
        if let Body::Change {
            path,
            undoes,
            in_part: false,
            ..
        } = &entry.body
            && !taken_back
                .get(&entry.id)
                .is_some_and(|paths| paths.contains(path.as_str()))
        {
            for undone in undoes {
                taken_back.entry(*undone).or_default().insert(path.as_str());
            }
        }
    }
    taken_back
}

/// Returns the changes that are still in effect, newest first. If `only` is set, returns only changes of that file.
pub fn steps(log: &[Arc<Entry>], only: Option<&str>) -> Vec<Step> {
    steps_of(log, only, |_, undoes| undoes.is_empty())
}

/// Returns the undos that are still in effect, newest first.
pub fn undone(log: &[Arc<Entry>]) -> Vec<Step> {
    let mut undos = BTreeSet::new();
    for entry in log {
        // The undo of an undo restores the original change.
        if let Body::Change { undoes, .. } = &entry.body
            && undoes.iter().any(|undone| !undos.contains(undone))
        {
            undos.insert(entry.id);
        }
    }
    steps_of(log, None, |id, _| undos.contains(&id))
}

fn steps_of(log: &[Arc<Entry>], only: Option<&str>, wanted: impl Fn(EntryId, &[EntryId]) -> bool) -> Vec<Step> {
    let taken_back = taken_back(log);
    let mut calls: BTreeMap<(TurnId, &CallId), Vec<Change<'_>>> = BTreeMap::new();
    let mut edits = BTreeSet::new();
    for entry in log {
        // Only calls of file tools log the affected files before they start.
        if let Body::CallStarted { call, files, .. } = &entry.body
            && !files.is_empty()
        {
            edits.insert((entry.turn, call));
        }
        if let Body::Change {
            call,
            path,
            before,
            after,
            added,
            removed,
            undoes,
            mode_before,
            job,
            ..
        } = &entry.body
            && wanted(entry.id, undoes)
        {
            calls.entry((entry.turn, call)).or_default().push(Change {
                id: entry.id,
                path,
                before: before.as_ref(),
                after: after.as_ref(),
                is_bare: *added == 0 && *removed == 0,
                mode_before: *mode_before,
                job: *job,
            });
        }
    }
    let step = |(call, changes): (_, Vec<Change<'_>>)| {
        let step = step(&changes, &taken_back, only)?;
        let is_of_command = !edits.contains(&call);
        Some(Step { is_of_command, ..step })
    };
    let mut steps: Vec<Step> = calls.into_iter().filter_map(step).collect();
    steps.sort_by_key(|step| std::cmp::Reverse(step.entries.last().copied()));
    steps
}

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
    let job = changes.iter().find_map(|change| change.job);
    Some(Step {
        entries,
        files,
        job,
        is_of_command: false,
    })
}

/// Whether only the permission bits changed. Content that was changed and reverted counts as unchanged.
fn is_mode_alone(changes: &[Change<'_>], path: &str) -> bool {
    let mut of_it = changes.iter().filter(|change| change.path == path);
    of_it.all(|change| change.before.is_some() && change.before == change.after)
}

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
