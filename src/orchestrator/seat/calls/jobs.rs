//! The background jobs of a session. All jobs end when the seat closes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

use crate::engine::{Engine, Line};
use crate::input::Happened;
use crate::machine::last_job;
use crate::seat::Seat;
use crate::seat::calls::command_changes::{OwnerJob, Watched};
use benchdog_base::id::SeatId;
use benchdog_domain::history::History;
use benchdog_domain::job::{JobId, JobName};
use benchdog_domain::tool::AppliedChange;
use benchdog_domain::undo::UndoNotice;
use benchdog_protocol::{Answer, Event, Live};
use benchdog_security::redact::Redactor;
use benchdog_tools::jobs::{Jobs, News};

/// Interval in which the output of jobs is collected before it is sent to front ends.
const GATHERED: Duration = Duration::from_millis(200);

const SHOWN: usize = 32 * 1024;

pub(in crate::seat) struct Background {
    pub(in crate::seat) jobs: Jobs,
    pub(in crate::seat) changes: ChangesOfJobs,
    watch: AbortHandle,
}

/// The running jobs whose file changes are tracked. Clones share the data.
#[derive(Clone, Default)]
pub(in crate::seat) struct ChangesOfJobs(Arc<Mutex<BTreeMap<JobId, (Watched, Redactor)>>>);

impl ChangesOfJobs {
    fn watched(&self) -> MutexGuard<'_, BTreeMap<JobId, (Watched, Redactor)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts to track a background job. Returns the changes that the call made before it continued as the job.
    pub(in crate::seat) async fn begin(
        &self,
        watched: Watched,
        owner: OwnerJob,
        jobs: &Jobs,
    ) -> (Vec<AppliedChange>, Option<UndoNotice>) {
        let (job, line, redactor) = (owner.job, owner.line.clone(), owner.redactor.clone());
        let (watched, changes, notice) = watched.go_on(owner).await;
        self.watched().insert(job, (watched, redactor));
        // End the tracking if the job has already ended.
        if !jobs.runs(job) {
            self.end(job, &line).await;
        }
        (changes, notice)
    }

    async fn end(&self, job: JobId, line: &Line) {
        let ended = self.watched().remove(&job);
        if let Some((watched, redactor)) = ended {
            let (changes, _) = watched.end(redactor).await;
            if !changes.is_empty() {
                line.happened(Happened::JobChanged { job, changes }).await;
            }
        }
    }
}

impl Background {
    pub(in crate::seat) fn of(engine: &Engine, seat: SeatId, history: &History) -> Self {
        let (jobs, news) = Jobs::new(last_job(history));
        let changes = ChangesOfJobs::default();
        let watch = tokio::spawn(pass_on(jobs.clone(), changes.clone(), news, engine.line(seat))).abort_handle();
        Self { jobs, changes, watch }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

async fn pass_on(jobs: Jobs, changes: ChangesOfJobs, mut news: mpsc::Receiver<News>, line: Line) {
    let mut due: Option<Instant> = None;
    loop {
        tokio::select! {
            told = news.recv() => {
                match told {
                    None => return,
                    Some(News::Changed) => {}
                    Some(News::Output(chunk)) if chunk.text.is_empty() => {}
                    Some(News::Output(chunk)) => line.tell(Event::Live(Live::ToolOutput(chunk))).await,
                    Some(News::Ended(end)) => {
                        changes.end(end.name.job, &line).await;
                        line.happened(Happened::JobEnded(end)).await;
                    }
                }
                due.get_or_insert_with(|| Instant::now() + GATHERED);
            }
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                due = None;
                line.tell(Event::Live(Live::Jobs(jobs.all()))).await;
            }
        }
    }
}

impl Seat {
    pub(crate) async fn show_job(&self, engine: &Engine, job: JobId) {
        let text = self.background.jobs.newest(job, SHOWN).unwrap_or_default();
        engine.answer(self.id, Answer::JobOutput { job, text }).await;
    }

    pub(crate) fn end_job(&self, job: JobId) {
        self.background.jobs.end(job);
    }

    pub(crate) fn jobs(&self) -> Jobs {
        self.background.jobs.clone()
    }

    pub(in crate::seat) async fn log_changes_of_jobs(&mut self, engine: &mut Engine) {
        for (owner, changes) in engine.at(self.folder()).command_changes.changes_of_jobs().await {
            let (job, line) = (owner.job, owner.line);
            if line.seat == self.id {
                self.feed(engine, Happened::JobChanged { job, changes }).await;
            } else {
                // Use a separate task, because the engine's task must not wait for its own report channel.
                tokio::spawn(async move { line.happened(Happened::JobChanged { job, changes }).await });
            }
        }
    }

    pub(in crate::seat) async fn log_ended_jobs(&mut self, engine: &mut Engine, ended: Vec<JobName>) {
        if !ended.is_empty() {
            self.feed(engine, Happened::JobsEnded(ended)).await;
        }
    }
}
