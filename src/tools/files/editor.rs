//! Writes a file with unsaved changes through the editor, so that its buffer keeps them. The editor saves it, and the
//! disk is checked afterwards.
//!
//! Files without unsaved changes are written to disk. Editors reload them automatically.

use std::sync::Arc;

use super::carry::Modes;
use super::settle::{Part, Settled, settle};
use super::{FilesPlan, MOST_READ, current, report};
use crate::unsaved::{Saved, for_editor, unread, unsaved};
use crate::{ToolContext, cancelled};
use benchdog_base::id::BlobId;
use benchdog_domain::permission::Kept;
use benchdog_domain::tool::Outcome;
use benchdog_security::workspace::{PathError, Unanswered, WorkPath};

/// Writes the file through the editor. `None` if the editor has no unsaved changes: the caller then writes to disk.
pub(super) async fn carry(plan: &FilesPlan, kept: &Kept, cx: &ToolContext) -> Option<Outcome> {
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

/// Checks that the editor and the disk have what was reviewed.
async fn unchanged(file: &Settled<'_>) -> Result<(), Box<Outcome>> {
    let path = file.planned.from.as_ref().unwrap_or(&file.planned.path);
    let Some(buffer) = path.buffer() else {
        return match file.planned.unsaved {
            Some(_) => Err(conflict(path)),
            None => Ok(()),
        };
    };
    let failed = |error: &PathError| Box::new(super::carry::failed(error));
    let Some(disk) = current(path, MOST_READ).map_err(|error| failed(&error))? else {
        // A new file, or one that the check of the disk reports.
        return Ok(());
    };
    let Some(saved) = Saved::of(&disk, path) else {
        return Ok(());
    };
    let open = unsaved(&buffer, &saved).await;
    let open = open.map_err(|error| failed(&unread(path, error)))?;
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

async fn write(file: &mut Settled<'_>, cx: &ToolContext) -> Result<(), Box<Outcome>> {
    let planned = file.planned;
    let path = &planned.path;
    let failed = |error: &PathError| Box::new(super::carry::failed(error));
    path.may_be_written().map_err(|error| failed(&error))?;
    let after = file.after.clone().unwrap_or_default();
    let on_disk = planned.on_disk(&after).map_err(|_| conflict(path))?;
    let text = std::str::from_utf8(&after).map_err(|_| conflict(path))?;
    let buffer = path.buffer().ok_or_else(|| conflict(path))?;
    let answer = tokio::select! {
        biased;
        answer = buffer.write(for_editor(text)) => Some(answer),
        () = cx.stop.stopped() => None,
    };
    let now = current(path, MOST_READ)
        .map_err(|error| failed(&error))?
        .unwrap_or_default();
    let is_written = now[..] == on_disk[..];
    let is_as_before = planned.unsaved.as_deref() == Some(&now);
    match answer {
        Some(Ok(())) => {}
        _ if is_written => {}
        other => return Err(Box::new(unfinished(path, other, is_as_before))),
    }
    if !is_written {
        let (there, wanted) = (Saved::of(&now, path), Saved::of(&on_disk, path));
        let is_like = there
            .as_ref()
            .zip(wanted)
            .is_some_and(|(there, wanted)| there.is_like(&wanted));
        if is_as_before || is_like {
            // The editor changed only its buffer, or wrote other line ends.
            path.write(&on_disk, planned.mode_after)
                .map_err(|error| failed(&error))?;
        } else {
            // The editor changed the text on save, for example by formatting. The content on disk is the result.
            let there = there.ok_or_else(|| Box::new(unfinished(path, Some(Ok(())), false)))?;
            file.after = Some(there.into_bytes());
            file.part = Part::Whole;
            file.notes
                .push("the editor changed the text when it saved it; read the file again".to_owned());
        }
    }
    path.sync().map_err(|error| failed(&error))?;
    let mut seen = cx.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match file.after == Some(Arc::clone(&after)) {
        true => seen.insert(path.shown().to_owned(), BlobId::of(&on_disk)),
        false => seen.remove(path.shown()),
    };
    Ok(())
}

/// Reports a write that the editor did not confirm.
fn unfinished(path: &WorkPath, answer: Option<Result<(), Unanswered>>, is_as_before: bool) -> Outcome {
    let shown = path.shown();
    let state = match is_as_before {
        true => "The file on disk is unchanged.",
        false => "The file on disk has other content now. Read it again before you continue.",
    };
    match answer {
        Some(Err(Unanswered::Refused(words))) => Outcome::error(
            "editor",
            format!("The editor did not write `{shown}`: {words}. {state}"),
        ),
        Some(Err(Unanswered::Silent) | Ok(())) => Outcome::error(
            "editor",
            format!("The editor did not confirm that it wrote `{shown}`. {state}"),
        ),
        None => cancelled(format!("The editor was writing `{shown}`. {state}")),
    }
}
