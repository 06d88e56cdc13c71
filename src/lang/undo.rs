//! Messages about undo.

use super::{Word, message, word};
use benchdog_base::clock::Time;
use benchdog_domain::folder::{FolderChanges, Head, HeadMoved};
use benchdog_domain::rewind::RewindPoint;
use benchdog_domain::undo::{NotUndone, UndoNotice};

const NAMED: usize = 3;
/// Digits of a commit's hash that are shown.
const SHORT: usize = 7;

pub(super) fn undo(notice: &UndoNotice) -> String {
    match notice {
        UndoNotice::Busy => word(Word::UndoBusy).to_owned(),
        UndoNotice::Nothing { path: None } => word(Word::UndoNothing).to_owned(),
        UndoNotice::Nothing { path: Some(path) } => message::undo_nothing_of(path),
        UndoNotice::No { files } => message::undo_no(&why(files)),
        UndoNotice::Without { files } => message::undo_without(&why(files)),
        UndoNotice::NotCovered { files } => message::undo_not_covered(&why(files)),
        UndoNotice::CheckpointSlow { seconds } => message::undo_checkpoint_slow(&seconds.to_string()),
        UndoNotice::CheckpointFailed { error } => message::undo_checkpoint_failed(error),
        UndoNotice::Finished { files } => message::undo_finished(*files),
        UndoNotice::NotFinished { error } => message::undo_not_finished(error),
        UndoNotice::HeadMoved(moved) => message::undo_head_moved(&head_moved(moved)),
        UndoNotice::EarlierSession { session, title } => message::undo_earlier_session(session.short(), title),
        UndoNotice::RewindUnfinished => word(Word::UndoRewindUnfinished).to_owned(),
        UndoNotice::DuringCommand => word(Word::UndoDuringCommand).to_owned(),
        UndoNotice::Older { files } => message::undo_older(&why(files)),
    }
}

pub fn files_changed(files: usize) -> String {
    message::files_changed(files)
}

/// Describes the old and the new position of `HEAD`.
pub fn head_moved(moved: &HeadMoved) -> String {
    let (was, is) = (&moved.was, &moved.is);
    let commits = moved.commits.filter(|commits| *commits > 0);
    let commits = commits.map(|commits| message::git_commits_since(&commits.to_string()));
    let place = match commits.is_some() && was.branch == is.branch {
        // Both positions are on the same branch, and the new one only adds commits.
        true => is.branch.clone().unwrap_or_else(|| short(is)),
        false if was.branch == is.branch => message::git_commit_was(&short(is), &short(was)),
        false => message::git_branch_was(&head_name(is), &head_name(was)),
    };
    [Some(place), commits]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("; ")
}

fn head_name(head: &Head) -> String {
    head.branch.clone().unwrap_or_else(|| short(head))
}

fn short(head: &Head) -> String {
    head.commit.chars().take(SHORT).collect()
}

pub(super) fn folder_changes(changes: &FolderChanges) -> String {
    let more = changes.files.saturating_sub(changes.names.len());
    let names = match (changes.names.join(", "), more) {
        (names, 0) => names,
        (names, more) => message::folder_names_more(&more.to_string(), &names),
    };
    let files = (changes.files > 0).then(|| message::folder_files(changes.files, &names));
    let head = changes
        .head
        .as_ref()
        .map(|moved| message::folder_git(&head_moved(moved)));
    [files, head].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Describes the changes after a prompt, and the age of the prompt.
pub fn rewind_point(point: &RewindPoint, now: Time) -> String {
    let age = super::age(now.since(point.time));
    if point.files == 0 {
        return age;
    }
    let lines = format!("+{} −{}", point.added, point.removed);
    format!("{} · {age}", message::rewind_changed(point.files, &lines))
}

fn why(files: &[(String, NotUndone)]) -> String {
    let named = files.iter().take(NAMED).map(|(path, why)| file_row(path, why));
    let more = files.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| message::undo_more(&more.to_string()));
    named.chain(more).collect::<Vec<_>>().join("; ")
}

fn file_row(path: &str, why: &NotUndone) -> String {
    let said = match why {
        NotUndone::Changed => message::undo_changed,
        NotUndone::Grown => message::undo_grown,
        NotUndone::Gone => message::undo_gone,
        NotUndone::There => message::undo_there,
        NotUndone::NotKept => message::undo_not_kept,
        NotUndone::HoldsKey => message::undo_holds_key,
        NotUndone::ModeAlone { was: None } => message::undo_mode_alone,
        NotUndone::ModeAlone { was: Some(mode) } => {
            return message::undo_mode_alone_from(&format!("{mode:o}"), path);
        }
        NotUndone::ByJob { job } => return message::undo_by_job(&job.to_string(), path),
        NotUndone::Unreadable { error } => {
            return message::undo_unreadable(error, path);
        }
    };
    said(path)
}
