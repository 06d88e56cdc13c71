//! Writes the output of running calls to disk at intervals, so that a crash loses only the most recent output.
//!
//! The output contains no secrets. An incomplete last line lacks text that may be the start of a secret.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::engine::Engine;
use crate::seat::{Access, Seat};
use benchdog_base::id::{CallId, SessionId};
use benchdog_base::ring::Ends;
use benchdog_domain::entry::Entry;
use benchdog_domain::tool::OutputChunk;
use benchdog_storage::{MOST_PRINTED, Printed, Storage};
use benchdog_tools::gap;

/// Delay before each write. A shorter command needs no write, because its result soon contains its output.
const MOMENT: Duration = Duration::from_millis(200);

#[derive(Default)]
pub(in crate::seat) struct PrintedKeeper {
    shared: Arc<Shared>,
    writer: JoinSet<()>,
}

#[derive(Default)]
struct Shared {
    calls: Mutex<BTreeMap<CallId, Output>>,
    news: Notify,
}

struct Output {
    ends: Ends,
    unfinished: String,
}

impl Shared {
    fn calls(&self) -> MutexGuard<'_, BTreeMap<CallId, Output>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> Vec<Printed> {
        let calls = self.calls();
        let printed = calls.iter().map(|(call, output)| Printed {
            call: call.clone(),
            text: output.text(),
        });
        printed.filter(|printed| !printed.text.is_empty()).collect()
    }
}

impl Output {
    fn text(&self) -> String {
        let kept = self.ends.kept();
        let gap = match kept.lost_bytes {
            0 => String::new(),
            _ => gap(&kept, None),
        };
        kept.head + &gap + &kept.tail + &self.unfinished
    }
}

impl PrintedKeeper {
    pub(in crate::seat) fn logged(&self, entries: &[Arc<Entry>]) {
        if self.writer.is_empty() {
            return;
        }
        for call in entries.iter().filter_map(|entry| entry.body.ends()) {
            if self.shared.calls().remove(call).is_some() {
                self.shared.news.notify_one();
            }
        }
    }

    pub(in crate::seat) async fn end(&mut self, storage: &Storage, session: &SessionId) {
        if !self.writer.is_empty() {
            self.writer.shutdown().await;
            storage.keep_printed(session.clone(), Vec::new()).await;
        }
    }
}

impl Seat {
    pub(in crate::seat) fn keep_printed(&mut self, engine: &Engine, chunk: &OutputChunk) {
        if self.access != Access::Writable {
            return;
        }
        let half = MOST_PRINTED.min(self.result_bytes(engine).saturating_sub(1_000)) / 2;
        let keeper = &mut self.printed;
        let mut calls = keeper.shared.calls();
        let output = calls.entry(chunk.call.clone()).or_insert_with(|| Output {
            ends: Ends::new(half, half),
            unfinished: String::new(),
        });
        output.ends.push(&chunk.text);
        output.unfinished.clone_from(&chunk.unfinished);
        drop(calls);
        keeper.shared.news.notify_one();
        if keeper.writer.is_empty() {
            let (storage, session) = (engine.setup.storage.clone(), self.session.id.clone());
            keeper.writer.spawn(write(Arc::clone(&keeper.shared), storage, session));
        }
    }
}

async fn write(shared: Arc<Shared>, storage: Storage, session: SessionId) {
    let mut is_written = false;
    loop {
        shared.news.notified().await;
        sleep(MOMENT).await;
        let all = shared.all();
        let is_empty = all.is_empty();
        if is_written || !is_empty {
            storage.keep_printed(session.clone(), all).await;
        }
        is_written = !is_empty;
    }
}
