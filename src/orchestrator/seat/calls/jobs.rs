//! The background commands of a session. No job outlives the seat.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

use crate::engine::{Engine, Line};
use crate::input::Happened;
use crate::machine::last_job;
use crate::seat::Seat;
use benchdog_base::id::SeatId;
use benchdog_domain::history::History;
use benchdog_domain::job::{JobId, JobName};
use benchdog_protocol::{Answer, Event, Live};
use benchdog_tools::jobs::{Jobs, News};

/// Time to collect news before viewers get it.
const GATHERED: Duration = Duration::from_millis(200);

const SHOWN: usize = 32 * 1024;

pub(in crate::seat) struct Background {
    pub(in crate::seat) jobs: Jobs,
    watch: AbortHandle,
}

impl Background {
    pub(in crate::seat) fn of(engine: &Engine, seat: SeatId, history: &History) -> Self {
        let (jobs, news) = Jobs::new(last_job(history));
        let watch = tokio::spawn(pass_on(jobs.clone(), news, engine.line(seat))).abort_handle();
        Self { jobs, watch }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

async fn pass_on(jobs: Jobs, mut news: mpsc::Receiver<News>, line: Line) {
    let mut due: Option<Instant> = None;
    loop {
        tokio::select! {
            told = news.recv() => {
                match told {
                    None => return,
                    Some(News::Changed) => {}
                    Some(News::Output(chunk)) if chunk.text.is_empty() => {}
                    Some(News::Output(chunk)) => line.tell(Event::Live(Live::ToolOutput(chunk))).await,
                    Some(News::Ended(end)) => line.happened(Happened::JobEnded(end)).await,
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

    pub(in crate::seat) async fn log_ended_jobs(&mut self, engine: &mut Engine, ended: Vec<JobName>) {
        if !ended.is_empty() {
            self.feed(engine, Happened::JobsEnded(ended)).await;
        }
    }
}
