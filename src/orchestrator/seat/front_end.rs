//! Sends the session to a front end: when the seat is opened, and again when a front end attaches later.

use super::Seat;
use crate::engine::{Engine, FolderId};
use benchdog_domain::session::SessionMeta;
use benchdog_protocol::{Answer, Event, Live, Opened};

/// Timeout for loading the unsent prompt when a session is opened.
const DRAFT_PATIENCE: std::time::Duration = std::time::Duration::from_millis(150);

impl Seat {
    pub(crate) fn folder(&self) -> FolderId {
        self.of
    }

    pub(crate) async fn show(&mut self, engine: &mut Engine) {
        self.tell_opened(engine).await;
        let jobs = self.jobs().all();
        let jobs = (!jobs.is_empty()).then_some(Live::Jobs(jobs));
        for live in self.live_snapshot.lives(&self.calls).into_iter().chain(jobs) {
            engine.live(self.id, live).await;
        }
    }

    pub(crate) fn note(&mut self, event: &Event) {
        self.live_snapshot.note(event, &mut self.calls);
    }

    pub(crate) async fn announce(&mut self, engine: &mut Engine) {
        self.tell_opened(engine).await;
        if self.above.is_some() {
            // A subagent has no prompt input.
            return;
        }
        // A busy index must not delay the session. A draft that is not loaded in time remains stored.
        let draft = engine.setup.storage.draft(&self.draft);
        if let Ok(Ok(draft)) = tokio::time::timeout(DRAFT_PATIENCE, draft).await
            && !draft.text.is_empty()
        {
            let (text, written) = (draft.text, draft.written);
            engine.answer(self.id, Answer::Draft { text, written }).await;
        }
        if self.log.history().entries().is_empty() {
            self.tell_previous(engine);
        }
    }

    fn tell_previous(&self, engine: &Engine) {
        let (storage, workspace) = (engine.setup.storage.clone(), self.session.workspace.clone());
        let line = engine.line(self.id);
        tokio::spawn(async move {
            if let Ok(Some(SessionMeta { title, updated, .. })) = storage.latest_in(&workspace).await {
                line.tell(Event::Answer(Answer::Previous { title, updated })).await;
            }
        });
    }

    async fn tell_opened(&mut self, engine: &mut Engine) {
        self.served.recall().await;
        let opened = Opened {
            meta: self.session.clone(),
            worktree: engine.worktree(self.of),
            model: self.model(),
            gone: self.log.history().gone(),
            entries: self.log.history().entries().to_vec(),
            todo: self.machine.todo().clone(),
            plan: self.machine.plan().cloned(),
            tools: self.tools.facts(),
            skills: self.skills(engine),
        };
        engine.answer(self.id, Answer::Opened(opened.into())).await;
        let waiting = self.machine.waiting_prompts();
        if !waiting.is_empty() {
            engine.live(self.id, Live::Queued(waiting)).await;
        }
        self.tell_confinement(engine);
        self.tell_context(engine).await;
    }
}
