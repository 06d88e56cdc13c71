//! Processes that stand by for the next confined command. Their start takes longer than the rest of a short command. The first pair starts
//! with the first trial of the sandbox, each further one when a command has ended. A pair knows nothing of a command before it gets it.

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

/// A pair that got nothing to do for this long ends.
const IDLE: Duration = Duration::from_mins(2);

static WAITING: Mutex<Option<Waiting>> = Mutex::new(None);

/// A thread whose processes stand by.
struct Waiting {
    kind: Kind,
    jobs: mpsc::Sender<Job>,
}

/// Options of a pair. A command needs a pair with its own.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    launcher: PathBuf,
    without_processes: bool,
}

/// Two processes, as `confined::standby` starts them.
struct Pair {
    child: Child,
    channel: Channel,
    mark: String,
}

fn waiting() -> MutexGuard<'static, Option<Waiting>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives a command to the processes that stand by, or to a new pair.
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

/// Starts processes that stand by for the first command.
pub fn prepare(launcher: &Path, without_processes: bool) {
    let kind = Kind {
        launcher: launcher.to_path_buf(),
        without_processes,
    };
    if waiting().is_none() {
        // Else the first command starts its own.
        let _ = launch::on_own_thread(move || serve(&kind, None));
    }
}

/// Runs commands one after the other. Ends when another thread already has a pair that waits.
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

/// The next command. `None`: nothing came for long, or another kind of processes is wanted.
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
        // Our copies go with this, or reading would never end.
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
        // Before it can be seen, so that it is never taken for what a call left behind.
        let mut own = own();
        let child = command.spawn()?;
        own.insert(child.id());
        Ok(Self { child, channel, mark })
    }

    /// `None`: somebody ended it.
    fn alive(mut self) -> Option<Self> {
        match self.child.try_wait() {
            Ok(None) => Some(self),
            _ => {
                self.end();
                None
            }
        }
    }

    /// They end when nobody is on the other end of the line.
    fn end(self) {
        let Self { mut child, channel, .. } = self;
        drop(channel);
        let _ = child.wait();
        own().remove(&child.id());
    }
}
