//! The end of a seat: stops running work, and stores unfinished data for the next run.

use super::{Access, Seat};
use crate::engine::Engine;
use crate::input::Happened;
use benchdog_domain::job::JobName;

impl Seat {
    pub(crate) fn waits_to_be_taken_up(&self) -> bool {
        self.access == Access::Writable && self.machine.waits_to_be_taken_up(self.log.history())
    }

    pub(crate) async fn end(&mut self, engine: &mut Engine) {
        self.unsent.close();
        if !self.waits_to_be_taken_up() {
            self.interrupt(engine).await;
        }
    }

    /// Interrupts the turn because the session is being closed. Queued prompts remain stored for the next run.
    pub(crate) async fn interrupt(&mut self, engine: &mut Engine) {
        self.unsent.close();
        if self.is_busy() {
            self.feed(engine, Happened::Interrupt).await;
        }
    }

    pub(crate) async fn leave(self, engine: &mut Engine) -> Vec<JobName> {
        let ended = self.background.jobs.end_all().await;
        self.leave_after(engine, ended.clone()).await;
        ended
    }

    pub(crate) async fn leave_after(mut self, engine: &mut Engine, ended: Vec<JobName>) {
        self.stop_model();
        engine.free_slot(self.id);
        self.end_hooks(engine).await;
        for running in self.calls.take_all_running() {
            running.task.abort();
        }
        if !ended.is_empty() {
            self.log_changes_of_jobs(engine).await;
        }
        self.log_ended_jobs(engine, ended).await;
        self.catch_up(engine).await;
        self.unsent.end().await;
        self.folder_notes.end().await;
        self.printed.end(&engine.setup.storage, &self.session.id).await;
        self.describe(engine).await;
        // Remove the scratch folder before the lease is released, because another process may then open the session.
        if self.above.is_none() {
            self.scratch.iter().for_each(|scratch| scratch.leave());
        }
        engine.setup.storage.release(&self.session.id).await;
    }
}
