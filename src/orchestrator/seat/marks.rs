//! Keeps on disk what the person made of proposals that they have not decided. The way of a decision never waits for it: a task writes
//! what is newest. What an earlier end left is told with the session; where its proposal is not asked about again, its texts are laid open.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::Seat;
use crate::base::id::SessionId;
use crate::domain::marked::Marked;
use crate::orchestrator::engine::Engine;
use crate::protocol::Answer;
use crate::storage::Storage;

/// How long the end of a session waits for the last of it.
const LAST: Duration = Duration::from_secs(1);

/// All marks of a session, as they are kept.
type Kept = Arc<[Marked]>;

#[derive(Default)]
pub(super) struct MarksKeeper {
    /// Of an earlier end, until it is told.
    found: Vec<Marked>,
    writer: Option<(watch::Sender<Kept>, JoinHandle<()>)>,
}

impl MarksKeeper {
    pub(super) fn new(found: Vec<Marked>) -> Self {
        Self { found, writer: None }
    }

    fn note(&mut self, storage: &Storage, session: &SessionId, marks: Kept) {
        match &self.writer {
            Some((writer, _)) => drop(writer.send(marks)),
            None => {
                let (writer, reader) = watch::channel(marks);
                let task = tokio::spawn(write(storage.clone(), session.clone(), reader));
                self.writer = Some((writer, task));
            }
        }
    }

    /// The last of it is on disk.
    pub(super) async fn end(&mut self) {
        if let Some((writer, task)) = self.writer.take() {
            drop(writer);
            let _ = timeout(LAST, task).await;
        }
    }
}

async fn write(storage: Storage, session: SessionId, mut news: watch::Receiver<Kept>) {
    news.mark_changed();
    while news.changed().await.is_ok() {
        let marks = Arc::clone(&news.borrow_and_update());
        storage.keep_marks(session.clone(), marks).await;
    }
}

impl Seat {
    pub(in crate::orchestrator) fn keep_marks(&mut self, engine: &Engine, marks: Kept) {
        self.marks.note(&engine.setup.storage, &self.session.id, marks);
    }

    /// Before what is asked again.
    pub(super) async fn tell_marks(&mut self, engine: &mut Engine) {
        if !self.machine.has_person() || self.marks.found.is_empty() {
            return;
        }
        let mut marks = mem::take(&mut self.marks.found);
        let is_over = |marked: &&mut Marked| !marked.is_laid_open && !self.machine.is_taken_up(&marked.call);
        let mut over = Vec::new();
        for marked in marks.iter_mut().filter(is_over) {
            marked.is_laid_open = true;
            over.push(marked.clone());
        }
        if !over.is_empty() {
            self.lay_open(engine, &over).await;
            self.keep_marks(engine, marks.clone().into());
        }
        engine.answer(self.id, Answer::Marked(marks)).await;
    }

    /// Texts that nobody wrote are not laid open.
    pub(in crate::orchestrator) async fn lay_open(&mut self, engine: &mut Engine, marks: &[Marked]) {
        let texts: Vec<String> = marks.iter().filter_map(Marked::texts).collect();
        if texts.is_empty() {
            return;
        }
        let storage = engine.setup.storage.clone();
        if let Some(path) = storage.lay_open(&self.session.id, texts.join("\n")).await {
            engine.answer(self.id, Answer::LaidOpen(path)).await;
        }
    }
}
