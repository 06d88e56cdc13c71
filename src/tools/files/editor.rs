//! Writes a file that has unsaved changes in the editor. The editor writes and saves the file, so that its buffer keeps
//! the unsaved changes. Then Benchdog checks the file on disk.
//!
//! Files without unsaved changes are written to disk directly, and editors reload them automatically.

use std::time::Duration;

use super::carry::Modes;
use super::settle::{Part, Settled, settle};
use super::{FilesPlan, MOST_READ, current, report};
use crate::unsaved::{Saved, for_editor, unsaved};
use crate::{ToolContext, cancelled};
use benchdog_base::id::BlobId;
use benchdog_domain::permission::Kept;
use benchdog_domain::tool::Outcome;
use benchdog_security::workspace::{Buffer, PathError, Unanswered, WorkPath};

/// Time after an interrupt in which the editor can still confirm a write.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// The editor's answer to a write request. `None` if an interrupt ended the wait.
type Answer = Option<Result<(), Unanswered>>;

/// Writes a file with unsaved changes through the editor. Returns `None` without unsaved changes, so that the caller
/// writes to disk.
pub(crate) async fn carry(plan: &FilesPlan, kept: &Kept, cx: &ToolContext) -> Option<Outcome> {
    let buffers = || plan.changes.iter().filter_map(|change| change.path.buffer());
    if plan.changes.iter().all(|change| change.unsaved.is_none()) && buffers().next().is_none() {
        return None;
    }
    let mut settled = match settle(plan, kept) {
        Ok(settled) => settled,
        Err(outcome) => return Some(*outcome),
    };
    for file in settled.iter().filter(|file| file.acts()) {
        if let Err(outcome) = unchanged(file).await {
            return Some(*outcome);
        }
    }
    let [file] = settled.as_mut_slice() else { return None };
    if !file.acts() || file.planned.unsaved.is_none() {
        return None;
    }
    Some(match write(file, cx).await {
        Ok(()) => report::report(&settled, &Modes::new(), cx.limits.result_bytes),
        Err(outcome) => *outcome,
    })
}

/// Checks that the editor and the disk still have the content that was reviewed.
async fn unchanged(file: &Settled<'_>) -> Result<(), Box<Outcome>> {
    let path = file.planned.from.as_ref().unwrap_or(&file.planned.path);
    // If the proposal was not based on unsaved changes, skip this check: the file is new, or the check of the disk
    // reports the difference.
    let unknown = || match file.planned.unsaved {
        Some(_) => Err(conflict(path)),
        None => Ok(()),
    };
    let Some(buffer) = path.buffer() else {
        return unknown();
    };
    let failed = |error: &PathError| Box::new(super::carry::failed(error));
    let Some(disk) = current(path, MOST_READ).map_err(|error| failed(&error))? else {
        return unknown();
    };
    let Some(saved) = Saved::of(&disk, path) else {
        return unknown();
    };
    let open = unsaved(path, &buffer, &saved).await.map_err(|error| failed(&error))?;
    let reviewed = match &file.planned.unsaved {
        Some(on_disk) => on_disk[..] == disk && open.as_deref().map(str::as_bytes) == file.planned.before.as_deref(),
        None => open.is_none(),
    };
    if reviewed { Ok(()) } else { Err(conflict(path)) }
}

fn conflict(path: &WorkPath) -> Box<Outcome> {
    Box::new(Outcome::error(
        "conflict",
        format!(
            "`{}` changed in the editor since the change was proposed. Nothing was written. Read it again and propose the change for its \
             current content.",
            path.shown()
        ),
    ))
}

/// Writes the text through the editor. Only the content on disk afterwards decides the result, not the editor's answer.
async fn write(file: &mut Settled<'_>, cx: &ToolContext) -> Result<(), Box<Outcome>> {
    let planned = file.planned;
    let path = &planned.path;
    path.may_be_written()
        .map_err(|error| Box::new(super::carry::failed(&error)))?;
    let after = file.after.clone().unwrap_or_default();
    let on_disk = planned.on_disk(&after).map_err(|_| conflict(path))?;
    let text = std::str::from_utf8(&after).map_err(|_| conflict(path))?;
    let buffer = path.buffer().ok_or_else(|| conflict(path))?;
    if cx.stop.is_said() {
        return Err(Box::new(cancelled(format!("`{}` is unchanged.", path.shown()))));
    }
    let answer = save(&buffer, for_editor(text), cx).await;
    let is_as_before = |now: &[u8]| planned.unsaved.as_deref() == Some(now);
    let mut now = found(path, &answer)?;
    let mut failure = None;
    if answer == Some(Ok(())) && now[..] != on_disk[..] && (is_as_before(&now) || is_like(&now, &on_disk, path)) {
        // The editor changed its buffer without saving, or wrote other line ends.
        failure = path.write(&on_disk, planned.mode_after).err();
        now = found(path, &answer)?;
    }
    let is_written = now[..] == on_disk[..];
    if !is_written && is_as_before(&now) {
        return Err(Box::new(unwritten(path, &answer, failure.as_ref())));
    }
    if !is_written {
        take(file, &now, &answer);
    }
    if let Some(error) = failure.or_else(|| path.sync().err()) {
        file.notes.push(format!("an error after the write: {error}"));
    }
    let mut seen = cx.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match is_written {
        true => seen.insert(path.shown().to_owned(), BlobId::of(&on_disk)),
        false => seen.remove(path.shown()),
    };
    Ok(())
}

/// Requests the editor to save the text. After an interrupt, waits a little longer, because the editor may still save
/// the text.
async fn save(buffer: &Buffer, text: String, cx: &ToolContext) -> Answer {
    let mut answer = std::pin::pin!(buffer.write(text));
    tokio::select! {
        biased;
        answer = &mut answer => return Some(answer),
        () = cx.stop.stopped() => {}
    }
    tokio::time::timeout(LAST_WAIT, answer).await.ok()
}

fn found(path: &WorkPath, answer: &Answer) -> Result<Vec<u8>, Box<Outcome>> {
    let state = match current(path, MOST_READ) {
        Ok(Some(now)) => return Ok(now),
        Ok(None) => "The file no longer exists.".to_owned(),
        Err(error) => format!("Its content on disk is unknown: {error}. Read it again before you continue."),
    };
    Err(Box::new(unfinished(path, answer, &state)))
}

fn is_like(now: &[u8], on_disk: &[u8], path: &WorkPath) -> bool {
    let both = Saved::of(now, path).zip(Saved::of(on_disk, path));
    both.is_some_and(|(now, wanted)| now.is_like(&wanted))
}

/// Reports the content on disk as the change, because it differs from the accepted text. For example, the editor
/// formatted the file.
fn take(file: &mut Settled<'_>, now: &[u8], answer: &Answer) {
    let text = Saved::of(now, &file.planned.path).map(|saved| saved.bytes());
    file.after = Some(text.unwrap_or_else(|| now.into()));
    file.saved = Some(now.into());
    if !matches!(file.part, Part::Some { .. }) {
        file.part = Part::Whole;
    }
    let why = match answer {
        Some(Ok(())) => "the editor changed the text when it saved it".to_owned(),
        Some(Err(Unanswered::Refused(words))) => {
            format!("the editor refused the text ({words}), and the file on disk has other content now")
        }
        Some(Err(_)) | None => {
            "the editor did not confirm the write, and the file on disk has other content now".to_owned()
        }
    };
    file.notes.push(format!("{why}; read the file again"));
}

fn unwritten(path: &WorkPath, answer: &Answer, failure: Option<&PathError>) -> Outcome {
    let state = match (answer, failure) {
        (_, Some(error)) => format!("The file on disk is unchanged: {error}. Ask the user to save it."),
        (Some(Ok(()) | Err(Unanswered::Refused(_))), None) => "The file on disk is unchanged.".to_owned(),
        (Some(Err(_)) | None, None) => {
            "The file on disk is unchanged, but the editor may still write it. Read it again before you continue."
                .to_owned()
        }
    };
    unfinished(path, answer, &state)
}

fn unfinished(path: &WorkPath, answer: &Answer, state: &str) -> Outcome {
    let shown = path.shown();
    let what = match answer {
        Some(Ok(())) => format!("The editor has the new text of `{shown}`."),
        Some(Err(Unanswered::Refused(words))) => format!("The editor did not write `{shown}`: {words}."),
        Some(Err(Unanswered::Silent)) => format!("The editor did not confirm that it wrote `{shown}`."),
        Some(Err(Unanswered::Unusable(words))) => {
            format!("The editor's answer for `{shown}` cannot be used: {words}.")
        }
        None => return cancelled(format!("The editor was writing `{shown}`. {state}")),
    };
    Outcome::error("editor", format!("{what} {state}"))
}
