//! Keeps deleted sessions for a day, as `trash/<id>.redb` next to the folder of sessions.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::error::StorageError;
use super::folder::{Folder, is_name};
use super::session_file::read_meta;
use benchdog_base::clock::Time;
use benchdog_base::id::SessionId;
use benchdog_domain::session::SessionMeta;

const KEPT: Duration = Duration::from_secs(24 * 3_600);

fn place(data: &Path, id: &SessionId) -> PathBuf {
    data.join("trash").join(format!("{id}.redb"))
}

/// Moves the file of a session into the trash. The caller must hold the session's lease.
pub(super) fn put(folder: &Folder, id: &SessionId) -> Result<(), StorageError> {
    let (from, to) = (folder.session(id), place(folder.data(), id));
    let moved = DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder.data().join("trash"))
        .and_then(|()| {
            // Store the time of deletion as the modification time.
            let now = UNIX_EPOCH + Duration::from_millis(u64::try_from(Time::now().0).unwrap_or_default());
            File::options().write(true).open(&from)?.set_modified(now)?;
            fs::rename(&from, &to)
        });
    moved.map_err(|error| StorageError::io("delete", &from, error))
}

/// Moves a session and its subagents back from the trash. Returns the session's id.
pub fn restore(data: &Path, partial: &str) -> Result<SessionId, StorageError> {
    let folder = Folder::prepare(data)?;
    let partial = partial.to_ascii_lowercase();
    let held = in_trash(data);
    let mut found = held.iter().filter(|id| id.is_meant_by(&partial));
    let id = match (found.next(), found.next()) {
        (Some(id), None) => id.clone(),
        _ => return Err(StorageError::NotFound(SessionId(partial))),
    };
    let is_child = |other: &&SessionId| {
        let meta = read_meta(&place(data, other), Duration::ZERO);
        meta.is_ok_and(|meta| meta.parent.is_some_and(|parent| parent.session == id))
    };
    for one in held.iter().filter(is_child).chain([&id]) {
        let (from, to) = (place(data, one), folder.session(one));
        if to.exists() {
            continue;
        }
        fs::rename(&from, &to).map_err(|error| StorageError::io("restore", &to, error))?;
    }
    Ok(id)
}

/// Lists the sessions in the trash without subagents, newest first. Omits unreadable files.
pub fn list(data: &Path) -> Vec<SessionMeta> {
    let held = in_trash(data).into_iter();
    let mut all: Vec<_> = held
        .filter_map(|id| read_meta(&place(data, &id), Duration::ZERO).ok())
        .collect();
    all.retain(|meta| meta.parent.is_none());
    all.sort_by_key(|meta| std::cmp::Reverse(meta.updated));
    all
}

/// Removes sessions that were deleted more than a day ago.
pub fn empty(data: &Path) {
    for id in in_trash(data) {
        let path = place(data, &id);
        let modified = fs::metadata(&path).and_then(|meta| meta.modified()).ok();
        let since = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
        let now = Duration::from_millis(u64::try_from(Time::now().0).unwrap_or_default());
        if since.is_some_and(|since| since + KEPT < now) {
            let _ = fs::remove_file(path);
        }
    }
}

fn in_trash(data: &Path) -> Vec<SessionId> {
    let Ok(files) = fs::read_dir(data.join("trash")) else {
        return Vec::new();
    };
    let id = |name: &str| Some(SessionId(name.strip_suffix(".redb")?.to_owned())).filter(is_name);
    files.filter_map(|file| id(file.ok()?.file_name().to_str()?)).collect()
}
