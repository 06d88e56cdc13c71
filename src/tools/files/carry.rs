//! Writes files: checks all of them first, then writes all of them, and rolls back after an error.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::settle::Settled;
use super::{MOST_READ, ToolContext, current};
use crate::scratch;
use crate::write_set::{FileImage, SetFile};
use benchdog_base::disk::bytes_text;
use benchdog_base::id::BlobId;
use benchdog_domain::review::FileOperation;
use benchdog_domain::tool::Outcome;
use benchdog_security::workspace::{PathError, WorkPath};

pub(super) type Modes = BTreeMap<String, u32>;

/// Writes the files. Afterwards, the new content counts as known to the model.
pub(super) fn carry(settled: &[Settled<'_>], cx: &ToolContext) -> Result<Modes, Box<Outcome>> {
    for file in settled.iter().filter(|file| file.acts()) {
        unchanged(file)?;
    }
    fits(settled)?;
    if let Some(set) = &cx.write_set
        && let Some((files, modes)) = set_of(settled).map_err(|error| Box::new(failed(&error)))?
    {
        set.write(files)
            .map_err(|error| Box::new(Outcome::error(error.code, format!("{}.\n", error.text))))?;
        remember(settled, cx);
        return Ok(modes);
    }
    let mut done: Vec<Undo> = Vec::new();
    for file in settled.iter().filter(|file| file.acts()) {
        if let Err(error) = write(file, &mut done) {
            return Err(Box::new(undo(&error, done)));
        }
    }
    remember(settled, cx);
    Ok(done.iter().filter_map(Undo::mode).collect())
}

fn unchanged(file: &Settled<'_>) -> Result<(), Box<Outcome>> {
    let planned = file.planned;
    let expect = |path: &WorkPath, expected: Option<&Arc<[u8]>>| -> Result<(), Box<Outcome>> {
        let now = current(path, MOST_READ).map_err(|error| Box::new(failed(&error)))?;
        let expected = expected.map(|text| planned.on_disk(text));
        if now.as_deref() == expected.as_ref().and_then(|bytes| bytes.as_deref().ok()) {
            return Ok(());
        }
        let what = match (now, expected) {
            (None, _) => "no longer exists",
            (Some(_), None) => "exists now",
            (Some(_), Some(_)) => "changed on disk",
        };
        Err(Box::new(Outcome::error(
            "conflict",
            format!(
                "`{}` {what} since the change was proposed. Nothing was written. Read it again and propose the change \
                 for its current content.",
                path.shown()
            ),
        )))
    };
    match &planned.from {
        Some(from) => {
            expect(from, planned.before.as_ref())?;
            expect(&planned.path, None)
        }
        None => expect(&planned.path, planned.before.as_ref()),
    }
}

fn fits(settled: &[Settled<'_>]) -> Result<(), Box<Outcome>> {
    let there = settled.iter().filter(|file| file.acts());
    let there: Vec<_> = there.filter(|file| file.planned.path.scratch().is_some()).collect();
    let more = there
        .iter()
        .map(|file| file.after.as_ref().map_or(0, |bytes| bytes.len() as u64));
    let more: u64 = more.sum();
    let folder = there.iter().find_map(|file| file.planned.path.scratch());
    match folder {
        Some(folder) if more > 0 && !scratch::has_room(folder, more) => Err(Box::new(Outcome::error(
            "scratch_full",
            format!(
                "The scratch folder can hold at most {}. Nothing was written. Remove files that you no longer need.",
                bytes_text(scratch::MOST)
            ),
        ))),
        _ => Ok(()),
    }
}

/// Converts the files to a set for an atomic write, and returns the previous mode of each file. Returns `None` for a
/// single file, or if a path or mode cannot be part of a set.
fn set_of(settled: &[Settled<'_>]) -> Result<Option<(Vec<SetFile>, Modes)>, PathError> {
    let (mut files, mut modes) = (Vec::new(), Modes::new());
    for file in settled.iter().filter(|file| file.acts()) {
        let planned = file.planned;
        let from = planned.from.as_ref().unwrap_or(&planned.path);
        let mode = from.stat()?.map(|stat| stat.mode & 0o777);
        modes.extend(mode.map(|mode| (from.shown().to_owned(), mode)));
        let image = |text: &Option<Arc<[u8]>>, mode: Option<u32>| {
            let bytes = text.as_ref().map(|text| planned.on_disk(text)).transpose();
            let bytes = bytes.ok()?;
            Some(bytes.zip(mode).map(|(bytes, mode)| FileImage { bytes, mode }))
        };
        let after = planned.mode_after.or(mode);
        let lacks_mode = file.after.is_some() && after.is_none();
        let (Some(before), Some(after)) = (image(&planned.before, mode), image(&file.after, after)) else {
            return Ok(None);
        };
        let is_elsewhere = |path: &WorkPath| path.scratch().is_some() || Path::new(path.shown()).is_absolute();
        if lacks_mode || is_elsewhere(from) || is_elsewhere(&planned.path) {
            return Ok(None);
        }
        let mut add = |path: &WorkPath, before, after| {
            let path = path.absolute();
            files.push(SetFile { path, before, after });
        };
        match (&file.operation, &planned.from) {
            (FileOperation::Rename { .. }, Some(from)) => {
                add(from, before, None);
                add(&planned.path, None, after);
            }
            (FileOperation::Copy { .. }, _) => return Ok(None),
            _ => add(&planned.path, before, after),
        }
    }
    Ok((files.len() > 1).then_some((files, modes)))
}

enum Undo {
    Remove(WorkPath),
    Restore(WorkPath, Arc<[u8]>, Option<u32>),
}

impl Undo {
    fn mode(&self) -> Option<(String, u32)> {
        match self {
            Self::Restore(path, _, Some(mode)) => Some((path.shown().to_owned(), mode & 0o777)),
            Self::Restore(_, _, None) | Self::Remove(_) => None,
        }
    }
}

fn write(file: &Settled<'_>, done: &mut Vec<Undo>) -> Result<(), PathError> {
    let planned = file.planned;
    let path = &planned.path;
    let on_disk = |text: &Option<Arc<[u8]>>| {
        let bytes = planned.on_disk(&text.clone().unwrap_or_default());
        bytes.map_err(|lacking| PathError {
            code: "encoding",
            path: path.shown().to_owned(),
            reason: format!("its encoding has no `{lacking}`"),
        })
    };
    let (before, after) = (on_disk(&planned.before)?, on_disk(&file.after)?);
    let after = &*after;
    match (&file.operation, &planned.from) {
        (FileOperation::Create, _) => {
            path.create_new(after, planned.mode_after)?;
            done.push(Undo::Remove(path.clone()));
        }
        (FileOperation::Update, _) => {
            let mode = path.stat()?.map(|stat| stat.mode);
            if planned.before.as_deref() == file.after.as_deref() {
                if let Some(mode) = planned.mode_after {
                    path.set_mode(mode)?;
                }
            } else {
                path.write(after, planned.mode_after)?;
            }
            done.push(Undo::Restore(path.clone(), before, mode));
        }
        (FileOperation::Delete, _) => {
            let mode = path.stat()?.map(|stat| stat.mode);
            path.remove()?;
            done.push(Undo::Restore(path.clone(), before, mode));
        }
        (FileOperation::Rename { .. } | FileOperation::Copy { .. }, Some(from)) => {
            let mode = from.stat()?.map(|stat| stat.mode);
            path.create_new(after, planned.mode_after.or(mode))?;
            done.push(Undo::Remove(path.clone()));
            if matches!(file.operation, FileOperation::Rename { .. }) {
                from.remove()?;
                done.push(Undo::Restore(from.clone(), before, mode));
            }
        }
        (FileOperation::Rename { from } | FileOperation::Copy { from }, None) => {
            return Err(PathError {
                code: "internal",
                path: from.clone(),
                reason: "the plan does not say where the file comes from".to_owned(),
            });
        }
    }
    Ok(())
}

/// Reverts finished writes in reverse order. Reports files that cannot be restored.
fn undo(error: &PathError, done: Vec<Undo>) -> Outcome {
    let mut left = Vec::new();
    for step in done.into_iter().rev() {
        let (path, result) = match &step {
            Undo::Remove(path) => (path, path.remove()),
            Undo::Restore(path, bytes, mode) => (path, path.write(bytes, *mode)),
        };
        if let Err(error) = result {
            left.push(format!("`{}` ({})", path.shown(), error.reason));
        }
    }
    let state = if left.is_empty() {
        "Nothing was changed: the files already written were restored.".to_owned()
    } else {
        format!("These files could not be restored: {}.", left.join(", "))
    };
    Outcome::error(error.code, format!("{error}. {state}"))
}

pub(super) fn failed(error: &PathError) -> Outcome {
    Outcome::error(error.code, format!("{error}. Nothing was written."))
}

/// Records the written content as known to the model, except for files that others saved in the meantime.
fn remember(settled: &[Settled<'_>], cx: &ToolContext) {
    let mut seen = cx.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for file in settled.iter().filter(|file| file.acts()) {
        if let (FileOperation::Rename { .. }, Some(from)) = (&file.operation, &file.planned.from) {
            seen.remove(from.shown());
        }
        match &file.after {
            Some(_) if file.planned.is_against_newer() || file.planned.moves_cells() => {
                seen.remove(file.planned.path.shown())
            }
            Some(text) => match file.planned.on_disk(text) {
                Ok(bytes) => seen.insert(file.planned.path.shown().to_owned(), BlobId::of(&bytes)),
                Err(_) => seen.remove(file.planned.path.shown()),
            },
            None => seen.remove(file.planned.path.shown()),
        };
    }
}
