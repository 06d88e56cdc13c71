//! Writes prompts that are not logged yet to disk, so that they survive every kind of exit. Sending a prompt never
//! waits for the disk.

use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::machine::Unlogged;
use benchdog_base::id::{EntryId, SessionId};
use benchdog_storage::{Storage, Unsent};

/// Maximum time to wait for the last write at the end of a session.
const LAST: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(in crate::seat) struct Keeper {
    writer: Option<(watch::Sender<News>, JoinHandle<()>)>,
    written: bool,
    /// Whether the session is being closed. From then on, nothing is written, so that queued prompts stay on disk.
    is_closing: bool,
}

#[derive(Clone)]
struct News {
    unsent: Unsent,
    /// The name of the draft. Set if the session has no log yet.
    draft: Option<String>,
}

impl Keeper {
    /// Creates the writer. `found` is set if unsent prompts of an earlier run are on disk.
    pub(in crate::seat) fn new(found: bool) -> Self {
        Self {
            written: found,
            ..Self::default()
        }
    }

    /// Stores the unlogged prompts while they are being committed to the log. A new log takes milliseconds to create,
    /// but a small file takes less than one to write.
    ///
    /// `draft` is the name of the draft, set if the log is empty. A session with an empty log cannot be opened again,
    /// so its prompts become the draft.
    pub(in crate::seat) fn note(
        &mut self,
        storage: &Storage,
        (session, draft): (&SessionId, Option<&str>),
        after: EntryId,
        unlogged: Unlogged,
    ) {
        if self.is_closing {
            return;
        }
        let prompts = unlogged.begins.into_iter().chain(unlogged.waits).collect();
        let news = News {
            unsent: Unsent {
                session: session.clone(),
                after,
                prompts,
            },
            draft: draft.map(str::to_owned),
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

    pub(in crate::seat) fn close(&mut self) {
        self.is_closing = true;
    }

    pub(in crate::seat) async fn end(&mut self) {
        if let Some((writer, task)) = self.writer.take() {
            drop(writer);
            let _ = timeout(LAST, task).await;
        }
    }
}

async fn write(storage: Storage, mut news: watch::Receiver<News>, mut written: bool) {
    // The name of the draft, and a prompt of a killed process. The front end has not shown this prompt, because the
    // index was busy. The prompt stays on disk until it is shown.
    let mut first: Option<(String, String)> = None;
    news.mark_changed();
    while news.changed().await.is_ok() {
        let News { unsent, draft } = news.borrow_and_update().clone();
        let is_empty = unsent.prompts.is_empty();
        if let Some(draft) = draft.filter(|_| !is_empty) {
            let text = unsent.prompts.join("\n\n");
            if first.is_none() {
                let earlier = storage.first_prompt(&draft).await;
                let earlier = earlier.filter(|earlier| !text.contains(earlier));
                first = Some((draft.clone(), earlier.unwrap_or_default()));
            }
            let parts = first.iter().map(|(_, earlier)| earlier).chain([&text]);
            let parts: Vec<&str> = parts.map(String::as_str).filter(|part| !part.is_empty()).collect();
            storage.keep_first_prompt(&draft, parts.join("\n\n")).await;
            continue;
        }
        if written || !is_empty {
            storage.keep_unsent(unsent).await;
        }
        written = !is_empty;
        if let Some((draft, earlier)) = first.take() {
            storage.keep_first_prompt(&draft, earlier).await;
        }
    }
}

#[cfg(test)]
mod tests;
