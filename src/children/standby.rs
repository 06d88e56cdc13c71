//! Standby processes for the next confined command, because starting them takes longer than a short command. A pair
//! consists of an outer process and its `init`. The first pair starts with the first sandbox probe, and each further
//! pair after a command has ended. A pair receives no command data before its command starts.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use super::MARK;
use super::confined::{self, Assignment, Channel, Task};
use super::launch::{self, Job, Launch, live, own};
use benchdog_domain::confinement::Part;

/// Idle time after which a pair ends.
const IDLE: Duration = Duration::from_mins(2);

static WAITING: Mutex<Option<Waiting>> = Mutex::new(None);

struct Waiting {
    kind: Kind,
    jobs: mpsc::Sender<Job>,
}

/// The options of a pair. A command needs a pair with the same options.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    launcher: PathBuf,
    without_processes: bool,
}

/// An outer process and its `init`, which wait for a command.
struct Pair {
    child: Child,
    channel: Channel,
    mark: String,
}

fn waiting() -> MutexGuard<'static, Option<Waiting>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes a command to the standby processes, or to a new pair.
pub(super) fn give(job: Job) -> io::Result<()> {
    let kind = Kind {
        launcher: job.launch.launcher.clone(),
        without_processes: (job.launch.confined.iter()).any(|plan| plan.without.contains(&Part::Processes)),
    };
    let mut waiting = waiting();
    let job = match waiting.take().filter(|waiting| waiting.kind == kind) {
        Some(waiting) => match waiting.jobs.send(job) {
            Ok(()) => return Ok(()),
            Err(mpsc::SendError(job)) => job,
        },
        None => job,
    };
    drop(waiting);
    launch::on_own_thread(move || serve(&kind, Some(job)))
}

pub fn prepare(launcher: &Path, without_processes: bool) {
    let kind = Kind {
        launcher: launcher.to_path_buf(),
        without_processes,
    };
    if waiting().is_none() {
        // After an error, the first command starts its own processes.
        let _ = launch::on_own_thread(move || serve(&kind, None));
    }
}

/// Runs commands one after another on this thread. Ends if another thread already has a waiting pair.
fn serve(kind: &Kind, first: Option<Job>) {
    let (mut job, mut pair) = (first, None);
    loop {
        if let Some(job) = job.take() {
            let pair = pair.take().and_then(Pair::alive);
            job.span.clone().in_scope(|| attend(pair, kind, job));
        }
        let (sender, jobs) = mpsc::channel();
        {
            let mut waiting = waiting();
            if waiting.is_some() {
                return;
            }
            *waiting = Some(Waiting {
                kind: kind.clone(),
                jobs: sender,
            });
        }
        pair = Pair::start(kind).ok();
        job = next(&jobs);
        if job.is_none() {
            pair.into_iter().for_each(Pair::end);
            return;
        }
    }
}

/// Waits for the next command. `None` after the idle time, or if standby processes with other options replace this
/// pair.
fn next(jobs: &mpsc::Receiver<Job>) -> Option<Job> {
    match jobs.recv_timeout(IDLE) {
        Ok(job) => Some(job),
        Err(mpsc::RecvTimeoutError::Disconnected) => None,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            let mut waiting = waiting();
            match jobs.try_recv() {
                Ok(job) => Some(job),
                Err(mpsc::TryRecvError::Disconnected) => None,
                Err(mpsc::TryRecvError::Empty) => {
                    *waiting = None;
                    None
                }
            }
        }
    }
}

fn attend(pair: Option<Pair>, kind: &Kind, job: Job) {
    let Job {
        launch,
        streams,
        reports,
        after,
        ..
    } = job;
    let Pair {
        child,
        mut channel,
        mark,
    } = match pair.map_or_else(|| Pair::start(kind), Ok) {
        Ok(pair) => pair,
        Err(error) => {
            let _ = reports.started.send(Err(error));
            return;
        }
    };
    {
        let (mut live, mut own) = (live(), own());
        live.insert(child.id(), mark.clone());
        own.remove(&child.id());
    }
    let assignment = assignment(launch, &mark);
    launch::follow(child, mark, reports, after, move || {
        // This closure closes Benchdog's copies of the pipes. Otherwise readers would never reach the end.
        let files = [OwnedFd::from(streams.output), streams.errors.into()];
        let files: Vec<OwnedFd> = files.into_iter().chain(streams.input.spoken()).collect();
        if let (true, Some(assignment)) = (channel.wait_until_ready(), assignment) {
            let files: Vec<BorrowedFd<'_>> = files.iter().map(AsFd::as_fd).collect();
            channel.hand_over(&assignment, &files);
        }
        Some(channel)
    });
}

fn assignment(launch: Launch, mark: &str) -> Option<Assignment> {
    let mut variables = launch.variables;
    variables.push((MARK.to_owned(), mark.to_owned()));
    Some(Assignment {
        plan: launch.confined?,
        folder: launch.folder,
        task: Task::Run {
            program: launch.program,
            arguments: launch.arguments,
            variables,
        },
    })
}

impl Pair {
    fn start(kind: &Kind) -> io::Result<Self> {
        let mark = launch::new_mark();
        let (mut command, channel) = confined::standby(&kind.launcher, kind.without_processes)?;
        command.env(MARK, &mark);
        // Hold the lock during the start, so that the process is never mistaken for a leftover of a call.
        let mut own = own();
        let child = command.spawn()?;
        own.insert(child.id());
        Ok(Self { child, channel, mark })
    }

    /// Returns the pair, or cleans up and returns `None` if the pair has ended.
    fn alive(mut self) -> Option<Self> {
        match self.child.try_wait() {
            Ok(None) => Some(self),
            _ => {
                self.end();
                None
            }
        }
    }

    /// Closes the channel, which ends the processes, and waits for them.
    fn end(self) {
        let Self { mut child, channel, .. } = self;
        drop(channel);
        let _ = child.wait();
        own().remove(&child.id());
    }
}
