//! Keeps on disk what the person sent and the log does not have yet, so that no end of the program takes it away. The way of a
//! prompt never waits for it: a task writes what is newest, and what came meanwhile is written next.

use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::base::id::{EntryId, SessionId};
use crate::orchestrator::machine::Unlogged;
use crate::storage::{Storage, Unsent};

/// A prompt that begins a turn is mostly in the log before this is over, and nothing is written for it then.
const MOMENT: Duration = Duration::from_millis(50);
/// How long the end of a session waits for the last of it.
const LAST: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct Keeper {
    writer: Option<(watch::Sender<News>, JoinHandle<()>)>,
    /// There is a file.
    written: bool,
    /// The program is being left: what waits goes back to nobody, and stays as it is.
    is_closing: bool,
}

#[derive(Clone)]
struct News {
    unsent: Unsent,
    /// Some of it waits, and is not on its way into the log.
    waits: bool,
}

impl Keeper {
    /// `found`: what an earlier run of the program kept is there still.
    pub(super) fn new(found: bool) -> Self {
        Self {
            written: found,
            ..Self::default()
        }
    }

    /// A session whose log has nothing is not found again, and neither would be what is kept beside it.
    pub(super) fn note(&mut self, storage: &Storage, session: &SessionId, after: EntryId, unlogged: Unlogged) {
        if self.is_closing || after == EntryId(0) {
            return;
        }
        let waits = !unlogged.waits.is_empty();
        let prompts: Vec<String> = unlogged.begins.into_iter().chain(unlogged.waits).collect();
        let news = News {
            unsent: Unsent {
                session: session.clone(),
                after,
                prompts,
            },
            waits,
        };
        match &self.writer {
            Some((writer, _)) => drop(writer.send(news)),
            None if news.unsent.prompts.is_empty() && !self.written => {}
            None => {
                let (writer, reader) = watch::channel(news);
                let task = tokio::spawn(write(storage.clone(), reader, self.written));
                self.writer = Some((writer, task));
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.is_closing = true;
    }

    /// The last of it is on disk.
    pub(super) async fn end(&mut self) {
        if let Some((writer, task)) = self.writer.take() {
            drop(writer);
            let _ = timeout(LAST, task).await;
        }
    }
}

async fn write(storage: Storage, mut news: watch::Receiver<News>, mut written: bool) {
    news.mark_changed();
    while news.changed().await.is_ok() {
        if !news.borrow().waits && !news.borrow().unsent.prompts.is_empty() {
            sleep(MOMENT).await;
        }
        let unsent = news.borrow_and_update().unsent.clone();
        let is_empty = unsent.prompts.is_empty();
        if written || !is_empty {
            storage.keep_unsent(unsent).await;
        }
        written = !is_empty;
    }
}
