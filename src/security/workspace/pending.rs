//! Temporary files of unfinished writes, each next to its target under a name that only Benchdog uses. A note with the
//! path is stored first, so that the next start in this workspace can remove the file after a kill.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, FileType, OFlags};

use super::open::{Parents, parent_of};
use super::resolve::{RootPath, beneath};
use super::{Access, Workspace};
use benchdog_base::id::fresh;

const BEGINS: &str = ".benchdog-write-";

/// Maximum number of notes checked at a start. Each kill during a write leaves one note.
const MOST_NOTES: usize = 1_000;

const MOST_BYTES: u64 = 4_096;

pub(super) fn name() -> OsString {
    OsString::from(format!("{BEGINS}{}", fresh()))
}

fn is_ours(name: &OsStr) -> bool {
    let id = name.to_str().and_then(|name| name.strip_prefix(BEGINS));
    id.is_some_and(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Note with the path of a temporary file during a write. A lock on the note shows that the writer is alive.
#[derive(Debug)]
pub(super) struct Note {
    path: PathBuf,
    file: File,
}

impl Note {
    /// Writes a durable note. `None` if that fails, which does not prevent the write.
    pub(super) fn of(notes: &Path, body: &Path) -> Option<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(notes).ok()?;
        let path = notes.join(fresh());
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path).ok()?;
        let mut note = Self { path, file };
        note.file.try_lock().ok()?;
        note.file.write_all(body.as_os_str().as_bytes()).ok()?;
        note.file.sync_data().ok()?;
        Some(note)
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        // A leftover note is harmless, because its name is never used again.
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes temporary files of killed writes from the writable folders, and their notes.
pub(super) fn remove_left(workspace: &Workspace, notes: &Path) {
    for item in fs::read_dir(notes).into_iter().flatten().flatten().take(MOST_NOTES) {
        let note = item.path();
        if let Some(body) = abandoned(&note)
            && settled(workspace, &body)
        {
            let _ = fs::remove_file(&note);
        }
    }
}

/// Returns the path in a note whose writer has ended.
fn abandoned(note: &Path) -> Option<PathBuf> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    let file = options
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(note)
        .ok()?;
    if !file.metadata().ok()?.is_file() || file.try_lock().is_err() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

/// Whether this temporary file needs no cleanup now. The next start in another workspace removes the files of that
/// workspace.
fn settled(workspace: &Workspace, body: &Path) -> bool {
    let Some(name) = body.file_name().filter(|name| is_ours(name)) else {
        return true;
    };
    if body.components().any(|part| part == Component::ParentDir) {
        return true;
    }
    let place = beneath(workspace, body).filter(|place| is_writable(workspace, place));
    let Some(place) = place else {
        // The folder is deleted, so nothing is left to clean up.
        let folder = body.parent().unwrap_or(body);
        return fs::symlink_metadata(folder).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    };
    match parent_of(workspace, &place, Parents::Expect, &name.to_string_lossy()) {
        Ok(Some((dir, name))) => match rustix::fs::statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                dir.remove_file(&name).is_ok()
            }
            Ok(_) => true,
            Err(error) => error == rustix::io::Errno::NOENT,
        },
        Ok(None) => true,
        // A parent folder is missing or was replaced by a link, so the temporary file cannot be found.
        Err(error) => !matches!(error.code, "no_access" | "io"),
    }
}

fn is_writable(workspace: &Workspace, place: &RootPath) -> bool {
    let root = workspace.roots.get(place.root);
    root.is_some_and(|root| !matches!(root.access, Access::Read))
}

#[cfg(test)]
mod tests;
