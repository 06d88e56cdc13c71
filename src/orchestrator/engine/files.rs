//! Files for panes and completion: looked up beside the turn, never in its way.

use std::sync::Arc;

use super::Engine;
use crate::base::id::SeatId;
use crate::protocol::Answer;

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
}
