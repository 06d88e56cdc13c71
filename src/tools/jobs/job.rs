//! A background job: output, state, and stop signal.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;

use crate::bash::{Collected, Part};
use crate::{Stop, Stopper};
use benchdog_base::clock::Time;
use benchdog_base::id::CallId;
use benchdog_domain::job::{Job, JobId, JobName};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, OutputChunk};

/// Maximum characters of the last line that the user sees.
const MOST_LAST: usize = 200;

pub(crate) struct Place {
    pub call: CallId,
    pub title: String,
    pub wrote: Arc<Mutex<Collected>>,
}

#[derive(Clone)]
pub(crate) struct Handle(Arc<Kept>);

struct Kept {
    name: JobName,
    call: CallId,
    began: (Time, Instant),
    wrote: Arc<Mutex<Collected>>,
    stopper: Stopper,
    stop: Stop,
    state: watch::Sender<State>,
    told: Mutex<Telling>,
}

#[derive(Debug, Default, Clone)]
struct State {
    /// Number of output chunks that contained complete lines.
    pieces: u64,
    last: String,
    ended: Option<Ended>,
}

#[derive(Debug, Clone)]
pub(crate) struct Ended {
    pub how: Summary,
    /// Text for the model, after the output.
    pub words: String,
    pub status: CallStatus,
    pub code: Option<&'static str>,
    pub file: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Teller {
    Begins,
    Ends,
    Session,
    Nobody,
}

#[derive(Debug)]
struct Telling {
    read: u64,
    by: Teller,
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.name.fmt(out)
    }
}

impl Handle {
    /// Creates a job. Until `goes_on`, the call that started the job reports its end.
    pub(super) fn new(job: JobId, place: Place) -> Self {
        let (stopper, stop) = Stop::pair();
        let Place { call, title, wrote } = place;
        Self(Arc::new(Kept {
            name: JobName { job, title },
            call,
            began: (Time::now(), Instant::now()),
            wrote,
            stopper,
            stop,
            state: watch::Sender::default(),
            told: Mutex::new(Telling {
                read: 0,
                by: Teller::Begins,
            }),
        }))
    }

    pub(crate) fn name(&self) -> JobName {
        self.0.name.clone()
    }

    pub(crate) fn id(&self) -> JobId {
        self.0.name.job
    }

    pub(crate) fn to_stop(&self) -> Stop {
        self.0.stop.clone()
    }

    pub(crate) fn age(&self) -> std::time::Duration {
        self.0.began.1.elapsed()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.0.state.borrow().ended.is_none()
    }

    pub(crate) fn how(&self) -> Option<Ended> {
        self.0.state.borrow().ended.clone()
    }

    pub(super) fn seen(&self) -> Job {
        let state = self.0.state.borrow();
        Job {
            id: self.id(),
            call: self.0.call.clone(),
            title: self.0.name.title.clone(),
            began: self.0.began.0,
            ended: state.ended.as_ref().map(|ended| ended.how.clone()),
            last: state.last.clone(),
        }
    }

    pub(crate) fn wrote(&self) -> MutexGuard<'_, Collected> {
        self.0.wrote.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn newest(&self, most: usize) -> Part {
        self.wrote().newest(most)
    }

    pub(crate) fn read_upto(&self) -> u64 {
        self.telling().read
    }

    pub(crate) fn has_read(&self, upto: u64) {
        self.telling().read = upto;
    }

    pub(crate) fn came(&self, OutputChunk { text, unfinished, .. }: &OutputChunk) {
        let mut lines = std::iter::once(unfinished.as_str()).chain(text.lines().rev());
        let last = lines.find(|line| !line.trim().is_empty());
        self.0.state.send_modify(|state| {
            // Only complete lines count, because readers wait for them.
            state.pieces += u64::from(!text.is_empty());
            if let Some(last) = last {
                state.last = last.chars().take(MOST_LAST).collect();
            }
        });
    }

    pub(crate) fn pieces(&self) -> u64 {
        self.0.state.borrow().pieces
    }

    pub(crate) async fn more_than(&self, pieces: u64) {
        let mut hears = self.0.state.subscribe();
        let more = hears.wait_for(|state| state.pieces > pieces || state.ended.is_some());
        let _ = more.await;
    }

    pub(crate) fn stop(&self) {
        self.0.stopper.stop();
    }

    pub(crate) fn stop_for(&self, teller: Teller) {
        self.telling().by = teller;
        self.stop();
    }

    /// Records that the call that started the job has returned. Returns `false` if the job has already ended.
    pub(crate) fn goes_on(&self) -> bool {
        let mut telling = self.telling();
        let goes_on = self.is_running();
        if goes_on {
            telling.by = Teller::Nobody;
        }
        goes_on
    }

    /// Marks the job as ended. Returns who reports the end.
    pub(crate) fn ends(&self, ended: Ended) -> Teller {
        let telling = self.telling();
        self.0.state.send_modify(|state| state.ended = Some(ended));
        telling.by
    }

    pub(crate) async fn ended(&self) {
        let mut hears = self.0.state.subscribe();
        let _ = hears.wait_for(|state| state.ended.is_some()).await;
    }

    fn telling(&self) -> MutexGuard<'_, Telling> {
        self.0.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
