//! Keeps on disk what arrives of an answer, so that a sudden end takes away no more than the last moment of what was seen. The
//! stream never waits for the disk: what comes while one write is on its way goes with the next.

use std::future::pending;
use std::time::Duration;

use futures::FutureExt;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, sleep_until, timeout};

use crate::domain::message::Delta;
use crate::storage::Partial;

/// What was seen for this long is written.
const MOMENT: Duration = Duration::from_millis(50);
/// So much is written at once.
const MUCH: usize = 16 << 10;
/// How long the end of an answer waits for a write that is on its way.
const LAST: Duration = Duration::from_millis(5);

pub(super) struct Kept {
    unwritten: Vec<Delta>,
    bytes: usize,
    /// When it is to be written; `None`: there is nothing to write.
    due: Option<Instant>,
    file: Where,
}

enum Where {
    Here(Partial),
    /// On a thread that may wait.
    Writing(JoinHandle<Option<Partial>>),
    /// It cannot be written: nothing more is kept of this answer.
    Lost,
}

impl Kept {
    pub(super) fn new(partial: Partial) -> Self {
        Self {
            unwritten: Vec::new(),
            bytes: 0,
            due: None,
            file: Where::Here(partial),
        }
    }

    pub(super) fn add(&mut self, delta: &Delta) {
        if matches!(self.file, Where::Lost) {
            return;
        }
        let (Delta::Text(more) | Delta::Reasoning(more)) = delta;
        self.bytes += more.len();
        match (self.unwritten.last_mut(), delta) {
            (Some(Delta::Text(text)), Delta::Text(more)) | (Some(Delta::Reasoning(text)), Delta::Reasoning(more)) => {
                text.push_str(more);
            }
            _ => self.unwritten.push(delta.clone()),
        }
        let now = Instant::now();
        let due = *self.due.get_or_insert(now + MOMENT);
        if due <= now || self.bytes >= MUCH {
            self.write();
        }
    }

    /// Awaits `next`, and writes meanwhile what is due.
    pub(super) async fn meanwhile<T>(&mut self, next: impl Future<Output = T>) -> T {
        let mut next = std::pin::pin!(next);
        loop {
            tokio::select! {
                biased;
                done = &mut next => return done,
                () = self.wait_until_due() => self.write(),
            }
        }
    }

    /// Ends when there is something to write and nothing stands in the way.
    async fn wait_until_due(&mut self) {
        match self.due {
            None => pending().await,
            Some(due) => sleep_until(due).await,
        }
        if let Where::Writing(task) = &mut self.file {
            self.file = back(task.await);
        }
    }

    /// The answer is whole, and its entry follows. One that was over within a moment gets no file of its own.
    pub(super) async fn end(&mut self) {
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

    /// Writes what there is, unless a write is on its way.
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
