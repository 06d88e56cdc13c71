//! Files for panes and completion: looked up beside the turn, never in its way.

use std::sync::Arc;

use super::Engine;
use crate::base::id::{BlobId, SeatId, SessionId};
use crate::domain::review::{FileChange, FileOperation};
use crate::protocol::Answer;
use crate::security::workspace::Workspace;

/// The largest file the viewer opens.
const VIEW_BYTES: u64 = 4 * 1024 * 1024;

impl Engine {
    pub(super) fn list_folder(&self, seat: SeatId, path: String) {
        let (index, line) = (self.index.clone(), self.line(seat));
        tokio::task::spawn_blocking(move || {
            // A folder that is gone is shown empty; its parent tells with the next look.
            let items = index.folder(&path).unwrap_or_default();
            line.tell_blocking(Answer::Folder { path, items });
        });
    }

    pub(super) fn find_files(&self, seat: SeatId, query: String, limit: usize) {
        let (index, line) = (self.index.clone(), self.line(seat));
        tokio::task::spawn_blocking(move || {
            let (paths, scanning) = index.find(&query, limit);
            line.tell_blocking(Answer::Found { query, paths, scanning });
        });
    }

    pub(super) fn open_file(&self, seat: SeatId, path: String) {
        let workspace = Arc::clone(&self.setup.workspace);
        let line = self.line(seat);
        self.index.touch(&path);
        tokio::task::spawn_blocking(move || {
            let text = workspace
                .resolve(&path)
                .and_then(|found| found.read(VIEW_BYTES))
                .map(|bytes| String::from_utf8_lossy(&bytes).into())
                .map_err(|error| error.to_string());
            line.tell_blocking(Answer::File { path, text });
        });
    }

    pub(super) fn compare(&self, seat: SeatId, session: SessionId, files: Vec<(String, Option<BlobId>)>) {
        let (workspace, storage) = (Arc::clone(&self.setup.workspace), self.setup.storage.clone());
        let line = self.line(seat);
        tokio::spawn(async move {
            let mut then = Vec::new();
            for (path, blob) in files {
                let bytes = match blob {
                    None => Ok(None),
                    Some(blob) => storage.blob(&session, &blob).await,
                };
                then.push((path, bytes.map_err(|error| error.to_string())));
            }
            tokio::task::spawn_blocking(move || {
                let changes = then
                    .into_iter()
                    .filter_map(|(path, before)| compared(&workspace, path, before));
                line.tell_blocking(Answer::Compared(changes.collect()));
            });
        });
    }
}

/// What a file is now against what it was; `None`: the same.
fn compared(workspace: &Workspace, path: String, before: Result<Option<Vec<u8>>, String>) -> Option<FileChange> {
    let now = match workspace.resolve(&path).and_then(|found| found.read(VIEW_BYTES)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.code == "not_found" => Ok(None),
        Err(error) => Err(error.to_string()),
    };
    let (before, after, note) = match (before, now) {
        (Ok(before), Ok(after)) => (before, after, None),
        (Err(why), _) | (_, Err(why)) => (None, None, Some(why)),
    };
    if note.is_none() && before == after {
        return None;
    }
    let operation = match (&before, &after) {
        (None, Some(_)) => FileOperation::Create,
        (Some(_), None) => FileOperation::Delete,
        (Some(_), Some(_)) | (None, None) => FileOperation::Update,
    };
    Some(FileChange {
        path,
        operation,
        before: before.map(Into::into),
        after: after.map(Into::into),
        mode: None,
        note,
    })
}
