//! The end of a seat: what is stopped, what is left as it is for the next open, and what is on disk before it is gone.

use std::mem;

use super::{Access, Seat};
use crate::domain::job::JobName;
use crate::orchestrator::engine::Engine;
use crate::orchestrator::input::Happened;

impl Seat {
    /// Whether nothing but the person is waited for, and the next open finds what they were asked.
    pub(in crate::orchestrator) fn waits_to_be_taken_up(&self) -> bool {
        self.access == Access::Writable && self.machine.waits_to_be_taken_up(self.log.history())
    }

    /// The program is left. What waits is not given back to a front end that is gone; it is found by the next open, and so is what the
    /// person is asked.
    pub(in crate::orchestrator) async fn end(&mut self, engine: &mut Engine) {
        self.unsent.close();
        if !self.waits_to_be_taken_up() {
            self.interrupt(engine).await;
        }
    }

    /// The session is closed: its turn ends, and what waits behind that is found by the next open.
    pub(in crate::orchestrator) async fn interrupt(&mut self, engine: &mut Engine) {
        self.unsent.close();
        if self.is_busy() {
            self.feed(engine, Happened::Interrupt).await;
        }
    }

    /// The seat is closed: what still runs is ended, and the lease is given back. Answers with what went on in the background and ended
    /// with it.
    pub(in crate::orchestrator) async fn leave(self, engine: &mut Engine) -> Vec<JobName> {
        let ended = self.background.jobs.end_all().await;
        self.leave_after(engine, ended.clone()).await;
        ended
    }

    /// The same where these have ended already.
    pub(in crate::orchestrator) async fn leave_after(mut self, engine: &mut Engine, ended: Vec<JobName>) {
        self.stop_model();
        self.end_hooks(engine).await;
        for (_, running) in mem::take(&mut self.running) {
            running.task.abort();
        }
        self.log_ended_jobs(engine, ended).await;
        self.catch_up(engine).await;
        self.unsent.end().await;
        self.printed.end(&engine.setup.storage, &self.session.id).await;
        self.describe(engine).await;
        // While nobody else can have opened the session.
        if self.above.is_none() {
            self.scratch.iter().for_each(|scratch| scratch.leave());
        }
        engine.setup.storage.release(&self.session.id).await;
    }
}
