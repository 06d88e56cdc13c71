//! Files for panes and completion: looked up beside the turn, never in its way.

use std::sync::Arc;

use super::Driver;
use crate::protocol::Event;

/// The largest file the viewer opens.
const VIEW_BYTES: u64 = 4 * 1024 * 1024;

impl Driver {
    pub(super) fn list_folder(&self, path: String) {
        let index = self.index.clone();
        let events = self.events.clone();
        tokio::task::spawn_blocking(move || {
            // A folder that is gone is shown empty; its parent tells with the next look.
            let items = index.folder(&path).unwrap_or_default();
            let _ = events.blocking_send(Event::Folder { path, items });
        });
    }

    pub(super) fn find_files(&self, query: String, limit: usize) {
        let index = self.index.clone();
        let events = self.events.clone();
        tokio::task::spawn_blocking(move || {
            let (paths, scanning) = index.find(&query, limit);
            let _ = events.blocking_send(Event::Found { query, paths, scanning });
        });
    }

    pub(super) fn open_file(&self, path: String) {
        let workspace = Arc::clone(&self.setup.workspace);
        let events = self.events.clone();
        self.index.touch(&path);
        tokio::task::spawn_blocking(move || {
            let text = workspace
                .resolve(&path)
                .and_then(|found| found.read(VIEW_BYTES))
                .map(|bytes| String::from_utf8_lossy(&bytes).into())
                .map_err(|error| error.to_string());
            let _ = events.blocking_send(Event::File { path, text });
        });
    }
}
