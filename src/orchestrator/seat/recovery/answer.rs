//! Writes the streamed answer to disk, so that a killed process does not lose it. The stream never waits for the disk.

use std::future::pending;
use std::time::Duration;

use tokio::task::{JoinError, JoinHandle};
use tokio::time::timeout;

use benchdog_domain::message::Delta;
use benchdog_storage::Partial;

/// Maximum time to wait for a running write at the end of an answer.
const LAST: Duration = Duration::from_millis(5);

pub(in crate::seat) struct AnswerWriter {
    /// Text that arrived while a write was running. The next write contains all of it.
    unwritten: Vec<Delta>,
    file: PartialFile,
}

enum PartialFile {
    Idle(Partial),
    Writing(JoinHandle<Option<Partial>>),
    /// A write failed, so the rest of this answer is not stored.
    Lost,
}

impl AnswerWriter {
    pub(in crate::seat) fn new(partial: Partial) -> Self {
        Self {
            unwritten: Vec::new(),
            file: PartialFile::Idle(partial),
        }
    }

    pub(in crate::seat) fn add(&mut self, delta: &Delta) {
        if !matches!(self.file, PartialFile::Lost) {
            Delta::merge(&mut self.unwritten, delta.clone());
            self.write();
        }
    }

    /// Waits for the next piece of the answer. Meanwhile, writes the text that arrived during the last write.
    pub(in crate::seat) async fn write_until<T>(&mut self, next: impl Future<Output = T>) -> T {
        let mut next = std::pin::pin!(next);
        loop {
            tokio::select! {
                biased;
                done = &mut next => return done,
                () = self.wait_for_write() => self.write(),
            }
        }
    }

    /// Waits for the end of the running write. Waits forever if no write is running.
    async fn wait_for_write(&mut self) {
        match &mut self.file {
            PartialFile::Writing(task) => self.file = after_write(task.await),
            PartialFile::Idle(_) | PartialFile::Lost => pending().await,
        }
    }

    pub(in crate::seat) async fn end(&mut self) {
        let is_writing = matches!(self.file, PartialFile::Writing(_));
        if is_writing && timeout(LAST, self.wait_for_write()).await.is_ok() {
            self.write();
        }
    }

    fn write(&mut self) {
        if self.unwritten.is_empty() {
            return;
        }
        self.file = match std::mem::replace(&mut self.file, PartialFile::Lost) {
            PartialFile::Idle(mut partial) => {
                let deltas = std::mem::take(&mut self.unwritten);
                PartialFile::Writing(tokio::task::spawn_blocking(move || {
                    partial.append(&deltas).is_ok().then_some(partial)
                }))
            }
            other => other,
        };
    }
}

fn after_write(written: Result<Option<Partial>, JoinError>) -> PartialFile {
    written.ok().flatten().map_or(PartialFile::Lost, PartialFile::Idle)
}
