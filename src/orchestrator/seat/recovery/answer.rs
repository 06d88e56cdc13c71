//! Writes the arriving answer to disk, so that a crash loses only the last moment. The stream never waits for the disk.

use std::future::pending;
use std::time::Duration;

use futures::FutureExt;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, sleep_until, timeout};

use benchdog_domain::message::Delta;
use benchdog_storage::Partial;

/// Delay before received text is written.
const MOMENT: Duration = Duration::from_millis(50);
/// Bytes that are written at once, without the delay.
const MUCH: usize = 16 << 10;
/// Timeout at the end of an answer for a running write.
const LAST: Duration = Duration::from_millis(5);

pub(in crate::seat) struct AnswerWriter {
    unwritten: Vec<Delta>,
    bytes: usize,
    due: Option<Instant>,
    file: Where,
}

enum Where {
    Here(Partial),
    Writing(JoinHandle<Option<Partial>>),
    /// A write failed, so nothing more of this answer is stored.
    Lost,
}

impl AnswerWriter {
    pub(in crate::seat) fn new(partial: Partial) -> Self {
        Self {
            unwritten: Vec::new(),
            bytes: 0,
            due: None,
            file: Where::Here(partial),
        }
    }

    pub(in crate::seat) fn add(&mut self, delta: &Delta) {
        if matches!(self.file, Where::Lost) {
            return;
        }
        let (Delta::Text(more) | Delta::Reasoning(more)) = delta;
        self.bytes += more.len();
        Delta::merge(&mut self.unwritten, delta.clone());
        let now = Instant::now();
        let due = *self.due.get_or_insert(now + MOMENT);
        if due <= now || self.bytes >= MUCH {
            self.write();
        }
    }

    pub(in crate::seat) async fn meanwhile<T>(&mut self, next: impl Future<Output = T>) -> T {
        let mut next = std::pin::pin!(next);
        loop {
            tokio::select! {
                biased;
                done = &mut next => return done,
                () = self.wait_until_due() => self.write(),
            }
        }
    }

    async fn wait_until_due(&mut self) {
        match self.due {
            None => pending().await,
            Some(due) => sleep_until(due).await,
        }
        if let Where::Writing(task) = &mut self.file {
            self.file = back(task.await);
        }
    }

    /// Ends the file once the answer is complete. A very short answer never gets a file.
    pub(in crate::seat) async fn end(&mut self) {
        if let Where::Writing(task) = &mut self.file
            && let Ok(written) = timeout(LAST, task).await
        {
            self.file = back(written);
        }
        if let Where::Here(partial) = &self.file
            && partial.is_begun()
        {
            self.write();
        }
    }

    fn write(&mut self) {
        if let Where::Writing(task) = &mut self.file
            && let Some(written) = task.now_or_never()
        {
            self.file = back(written);
        }
        if self.unwritten.is_empty() {
            return;
        }
        match std::mem::replace(&mut self.file, Where::Lost) {
            Where::Here(mut partial) => {
                let deltas = std::mem::take(&mut self.unwritten);
                (self.bytes, self.due) = (0, None);
                self.file = Where::Writing(tokio::task::spawn_blocking(move || {
                    let written = partial.append(&deltas);
                    written.map(|()| partial).ok()
                }));
            }
            writing @ Where::Writing(_) => self.file = writing,
            Where::Lost => {
                self.unwritten.clear();
                (self.bytes, self.due) = (0, None);
            }
        }
    }
}

fn back(written: Result<Option<Partial>, JoinError>) -> Where {
    written.ok().flatten().map_or(Where::Lost, Where::Here)
}
