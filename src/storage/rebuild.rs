//! Rebuilds the index with sessions and prompts from the session files, oldest first.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::database::{begin_durable, guarded, open_writable};
use super::error::StorageError;
use super::folder::{Folder, Presence, sync_folder};
use super::index_file::{self, Change, HISTORY_LIMIT};
use super::session_file;
use benchdog_base::clock::Time;
use benchdog_base::id::fresh;
use benchdog_domain::entry::Body;

/// Maximum wait for a session file that is in use. The file can be skipped, because the process that uses it updates
/// the index itself.
const WAIT: Duration = Duration::from_millis(50);

pub(super) struct Rebuilt {
    pub(super) sessions: usize,
    pub(super) unreadable: Vec<StorageError>,
}

/// Renames the damaged index. The caller must hold the index lock.
pub(super) fn move_aside(folder: &Folder) -> Result<PathBuf, StorageError> {
    let path = folder.index();
    let stamp = Time::now().rfc3339().replace([':', '.'], "-");
    // A wrong clock may give the same time stamp twice, so the name has a random part.
    let aside = folder.data().join(format!("index.redb.damaged-{stamp}-{}", fresh()));
    fs::rename(&path, &aside).map_err(|error| StorageError::io("move aside", &path, error))?;
    Ok(aside)
}

/// Writes a new index to a temporary file and renames it. The caller must hold the index lock.
pub(super) fn rebuild(folder: &Folder) -> Result<Rebuilt, StorageError> {
    let (changes, rebuilt) = collect(folder)?;
    let path = folder.index();
    let unborn = folder.data().join("index.redb.new");
    let database = open_writable(&unborn, Presence::Anew, Duration::ZERO)?;
    guarded(&unborn, move || {
        let transaction = begin_durable(&database)?;
        index_file::apply(&transaction, &changes)?;
        transaction.commit()?;
        Ok(())
    })?;
    fs::rename(&unborn, &path)
        .and_then(|()| sync_folder(folder.data()))
        .map_err(|error| StorageError::io("create", &path, error))?;
    Ok(rebuilt)
}

fn collect(folder: &Folder) -> Result<(Vec<Change>, Rebuilt), StorageError> {
    let mut metas = Vec::new();
    let mut prompts: Vec<(Time, String)> = Vec::new();
    let mut unreadable = Vec::new();
    for id in folder.listing()?.written {
        match session_file::read_whole(&folder.session(&id), WAIT) {
            Ok((meta, entries)) => {
                metas.push(meta);
                // Use the whole log, because the prompt history includes undone prompts.
                prompts.extend(entries.iter().filter_map(|entry| match &entry.body {
                    Body::User { text, .. } => Some((entry.time, text.clone())),
                    _ => None,
                }));
            }
            Err(StorageError::Busy { .. }) => {}
            Err(error) => unreadable.push(error),
        }
    }
    prompts.sort_by_key(|(time, _)| *time);
    let most = usize::try_from(HISTORY_LIMIT).unwrap_or(usize::MAX);
    prompts.drain(..prompts.len().saturating_sub(most));
    let rebuilt = Rebuilt {
        sessions: metas.len(),
        unreadable,
    };
    metas.sort_by(|a, b| (a.updated, &a.id).cmp(&(b.updated, &b.id)));
    let mut rows: Vec<Change> = metas.into_iter().map(|meta| Change::Row(Box::new(meta))).collect();
    rows.extend(prompts.into_iter().map(|(_, text)| Change::Prompt(text)));
    Ok((rows, rebuilt))
}
