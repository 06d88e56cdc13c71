//! A background job: output, state, and stop signal.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;

use crate::base::clock::Time;
use crate::base::id::CallId;
use crate::domain::job::{Job, JobId, JobName};
use crate::domain::summary::Summary;
use crate::domain::tool::{CallStatus, OutputChunk};
use crate::tools::bash::{Collected, Part};
use crate::tools::{Stop, Stopper};

/// Maximum length of the last line for display.
const MOST_LAST: usize = 200;

pub(in crate::tools) struct Place {
    pub(in crate::tools) call: CallId,
    pub(in crate::tools) title: String,
    pub(in crate::tools) wrote: Arc<Mutex<Collected>>,
}

/// A handle, cheap to clone.
#[derive(Clone)]
pub(in crate::tools) struct Handle(Arc<Kept>);

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
    /// Increases with each chunk.
    pieces: u64,
    last: String,
    ended: Option<Ended>,
}

#[derive(Debug, Clone)]
pub(in crate::tools) struct Ended {
    pub(in crate::tools) how: Summary,
    /// Text for the model after the output.
    pub(in crate::tools) words: String,
    pub(in crate::tools) status: CallStatus,
    pub(in crate::tools) code: Option<&'static str>,
    /// The file with the whole output.
    pub(in crate::tools) file: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools) enum Teller {
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
    /// Creates a job. Until `goes_on`, the starting call reports its end.
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

    pub(in crate::tools) fn name(&self) -> JobName {
        self.0.name.clone()
    }

    pub(in crate::tools) fn id(&self) -> JobId {
        self.0.name.job
    }

    pub(in crate::tools) fn to_stop(&self) -> Stop {
        self.0.stop.clone()
    }

    pub(in crate::tools) fn age(&self) -> std::time::Duration {
        self.0.began.1.elapsed()
    }

    pub(in crate::tools) fn is_running(&self) -> bool {
        self.0.state.borrow().ended.is_none()
    }

    pub(in crate::tools) fn how(&self) -> Option<Ended> {
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

    // --- output ---

    pub(in crate::tools) fn wrote(&self) -> MutexGuard<'_, Collected> {
        self.0.wrote.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::tools) fn newest(&self, most: usize) -> Part {
        self.wrote().newest(most)
    }

    pub(in crate::tools) fn read_upto(&self) -> u64 {
        self.telling().read
    }

    pub(in crate::tools) fn has_read(&self, upto: u64) {
        self.telling().read = upto;
    }

    pub(in crate::tools) fn came(&self, OutputChunk { text, unfinished, .. }: &OutputChunk) {
        let mut lines = std::iter::once(unfinished.as_str()).chain(text.lines().rev());
        let last = lines.find(|line| !line.trim().is_empty());
        self.0.state.send_modify(|state| {
            // Readers wait for complete lines.
            state.pieces += u64::from(!text.is_empty());
            if let Some(last) = last {
                state.last = last.chars().take(MOST_LAST).collect();
            }
        });
    }

    pub(in crate::tools) fn pieces(&self) -> u64 {
        self.0.state.borrow().pieces
    }

    pub(in crate::tools) async fn more_than(&self, pieces: u64) {
        let mut hears = self.0.state.subscribe();
        let more = hears.wait_for(|state| state.pieces > pieces || state.ended.is_some());
        let _ = more.await;
    }

    // --- end ---

    pub(in crate::tools) fn stop(&self) {
        self.0.stopper.stop();
    }

    /// Stops the job and sets who reports its end.
    pub(in crate::tools) fn stop_for(&self, teller: Teller) {
        self.telling().by = teller;
        self.stop();
    }

    /// Marks the starting call as finished. Returns `false` if the job has ended.
    pub(in crate::tools) fn goes_on(&self) -> bool {
        let mut telling = self.telling();
        let goes_on = self.is_running();
        if goes_on {
            telling.by = Teller::Nobody;
        }
        goes_on
    }

    /// Stores the end. Returns who reports it.
    pub(in crate::tools) fn ends(&self, ended: Ended) -> Teller {
        let telling = self.telling();
        self.0.state.send_modify(|state| state.ended = Some(ended));
        telling.by
    }

    pub(in crate::tools) async fn ended(&self) {
        let mut hears = self.0.state.subscribe();
        let _ = hears.wait_for(|state| state.ended.is_some()).await;
    }

    fn telling(&self) -> MutexGuard<'_, Telling> {
        self.0.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
