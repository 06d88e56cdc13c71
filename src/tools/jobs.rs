//! Background jobs of a session. Their number is limited. They are stopped when the session ends.

mod job;
pub(super) mod kill;
pub(super) mod output;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;

pub(crate) use self::job::{Ended, Handle, Place, Teller};
use super::Refusal;
use super::bash::Part;
use benchdog_domain::job::{Job, JobEnd, JobId, JobName};
use benchdog_domain::tool::OutputChunk;

pub(crate) const MOST_RUNNING: usize = 16;

/// Maximum number of ended jobs whose output can still be read.
const MOST_ENDED: usize = 32;

/// Maximum wait for all jobs when the session ends. Each job is killed long before that.
const PATIENCE: Duration = Duration::from_secs(2);

/// Capacity of the event channel. A full channel drops output and change events, because later events replace them.
const NEWS: usize = 256;

#[derive(Debug)]
pub enum News {
    Output(OutputChunk),
    /// A job was started, or its state changed.
    Changed,
    Ended(JobEnd),
}

#[derive(Debug, Clone)]
pub struct Jobs(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    list: Mutex<List>,
    news: mpsc::Sender<News>,
}

#[derive(Debug, Default)]
struct List {
    last: u32,
    jobs: BTreeMap<JobId, Handle>,
    /// Set at the end of the session, so that no more jobs start.
    closed: bool,
}

impl Jobs {
    /// Creates an empty list. `last` is the highest job number already used.
    pub fn new(last: u32) -> (Self, mpsc::Receiver<News>) {
        let (news, told) = mpsc::channel(NEWS);
        let list = Mutex::new(List {
            last,
            ..List::default()
        });
        (Self(Arc::new(Shared { list, news })), told)
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.0.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has_room(&self) -> Result<(), Refusal> {
        let list = self.list();
        let running: Vec<String> = list.running().map(|job| job.name().to_string()).collect();
        if running.len() < MOST_RUNNING {
            return Ok(());
        }
        Err(Refusal::new(
            "too_many_jobs",
            format!(
                "{MOST_RUNNING} commands run in the background already, the maximum: {}. End one with `bash_kill` first.",
                running.join(", ")
            ),
        ))
    }

    pub(crate) fn begin(&self, place: Place) -> Result<Handle, Refusal> {
        self.has_room()?;
        let mut list = self.list();
        if list.closed {
            return Err(Refusal::new(
                "not_started",
                "The session has ended; nothing was started.",
            ));
        }
        list.last += 1;
        let id = JobId(list.last);
        let handle = Handle::new(id, place);
        list.jobs.insert(id, handle.clone());
        list.forget_oldest();
        drop(list);
        self.tell(News::Changed);
        Ok(handle)
    }

    pub(crate) fn forget(&self, id: JobId) {
        self.list().jobs.remove(&id);
        self.tell(News::Changed);
    }

    pub(crate) fn find(&self, text: &str) -> Result<Handle, Refusal> {
        let list = self.list();
        let found = JobId::of(text).and_then(|id| list.jobs.get(&id));
        found.cloned().ok_or_else(|| list.unknown(text))
    }

    pub(crate) fn tell(&self, news: News) {
        let _ = self.0.news.try_send(news);
    }

    pub(crate) async fn tell_surely(&self, news: News) {
        let _ = self.0.news.send(news).await;
    }

    pub fn all(&self) -> Vec<Job> {
        self.list().jobs.values().map(Handle::seen).collect()
    }

    pub fn runs(&self, id: JobId) -> bool {
        self.list().jobs.get(&id).is_some_and(Handle::is_running)
    }

    pub fn any_runs(&self) -> bool {
        self.list().running().next().is_some()
    }

    /// Returns at most `most` bytes: the newest complete lines, and the incomplete last line.
    pub fn newest(&self, id: JobId, most: usize) -> Option<String> {
        let handle = self.list().jobs.get(&id).cloned()?;
        let mut wrote = handle.wrote();
        Some(wrote.newest(most).text + &wrote.unfinished())
    }

    pub fn end(&self, id: JobId) {
        if let Some(handle) = self.list().jobs.get(&id) {
            handle.stop();
        }
    }

    /// Stops all jobs, waits for their end, and returns the jobs that were running.
    pub async fn end_all(&self) -> Vec<JobName> {
        let running: Vec<Handle> = {
            let mut list = self.list();
            list.closed = true;
            list.running().cloned().collect()
        };
        for handle in &running {
            handle.stop_for(Teller::Session);
        }
        let all_ended = async {
            for handle in &running {
                handle.ended().await;
            }
        };
        let _ = tokio::time::timeout(PATIENCE, all_ended).await;
        running.iter().map(Handle::name).collect()
    }
}

impl List {
    fn running(&self) -> impl Iterator<Item = &Handle> {
        self.jobs.values().filter(|job| job.is_running())
    }

    fn forget_oldest(&mut self) {
        let ended: Vec<JobId> = (self.jobs.iter())
            .filter(|(_, job)| !job.is_running())
            .map(|(id, _)| *id)
            .collect();
        let too_many = ended.len().saturating_sub(MOST_ENDED);
        for id in ended.into_iter().take(too_many) {
            self.jobs.remove(&id);
        }
    }

    fn unknown(&self, text: &str) -> Refusal {
        let known: Vec<String> = self.jobs.values().map(|job| job.name().to_string()).collect();
        let known = if known.is_empty() {
            "This session has none.".to_owned()
        } else {
            format!("There are: {}.", known.join(", "))
        };
        let text = super::size::shorten(text, 40);
        Refusal::new(
            "unknown_job",
            format!(
                "There is no background command `{text}`. {known} Commands of an earlier run of this session ended with that run."
            ),
        )
    }
}

fn titled(job: &Handle) -> String {
    let JobName { job, title } = job.name();
    format!("{job} {title}")
}

/// Returns the number of bytes omitted before a part. Returns `None` for up to three bytes, which belong to an
/// incomplete character.
fn skipped(wanted: u64, part: &Part) -> Option<u64> {
    part.from.checked_sub(wanted).filter(|skipped| *skipped > 3)
}

#[cfg(test)]
mod tests;
