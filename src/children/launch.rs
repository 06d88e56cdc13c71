//! The child of a call: started through our own `exec-child` in a session of its own, followed, ended.
//!
//! When a call ends, everything it has started ends: its session, and whatever left that session and came back to us as its subreaper.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitId, WaitIdOptions};
use tokio::sync::oneshot;

use super::confined::{CUT_OFF, Channel, End, Extent, Plan};
use super::process_tree::{self, Leftover};
use super::{EXEC_CHILD, GRACE, MARK, as_pid, standby};

/// The calls that run, by the id of the child that was started for them.
static LIVE: Mutex<BTreeMap<u32, String>> = Mutex::new(BTreeMap::new());
static ENDED: Condvar = Condvar::new();

/// Children that belong to no call and lead a session of their own.
static OWN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Waits until everything that was told to end has ended, `limit` at the most. For the way out of the program.
pub fn wait_for_exits(limit: Duration) {
    let live = live();
    drop(ENDED.wait_timeout_while(live, limit, |live| !live.is_empty()));
}

pub(super) fn live() -> MutexGuard<'static, BTreeMap<u32, String>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn own() -> MutexGuard<'static, BTreeSet<u32>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Program to start, with its arguments and environment.
pub struct Launch {
    /// Our own executable.
    pub launcher: PathBuf,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub folder: PathBuf,
    /// The whole environment, but for the mark.
    pub variables: Vec<(String, String)>,
    /// Sandbox plan; `None` inherits Benchdog's own restrictions.
    pub confined: Option<Plan>,
    /// Done when the child and all that came of it are gone, also where nobody waits for that any more.
    pub then: Option<Box<dyn FnOnce() + Send>>,
}

/// A started child. Dropping it ends the child and all that came of it.
pub struct Running {
    shared: Arc<Shared>,
    /// Set when the child itself has ended; what it left behind may still run.
    pub exited: oneshot::Receiver<io::Result<ExitStatus>>,
    sweep: mpsc::Sender<()>,
    swept: oneshot::Receiver<Vec<Leftover>>,
    finished: bool,
}

/// State shared by a call's thread and the code that can end the call.
pub(super) struct Shared {
    pid: u32,
    mark: String,
    /// The child was not waited for yet, so its ids are still its own.
    alive: Mutex<bool>,
    gone: Condvar,
    stopping: AtomicBool,
}

/// Starts a child whose outputs both go to the one pipe, in order.
pub async fn start(launch: Launch) -> io::Result<(Running, PipeReader)> {
    let (reader, writer) = io::pipe()?;
    let streams = Streams {
        input: Input::Nothing,
        output: writer.try_clone()?,
        errors: writer,
    };
    Ok((begin(launch, streams).await?, reader))
}

/// Starts one that reads `input`, and whose outputs are apart: what it says, and its errors.
pub async fn start_with_input(launch: Launch, input: File) -> io::Result<(Running, [PipeReader; 2])> {
    let (says, output) = io::pipe()?;
    let (fails, errors) = io::pipe()?;
    let streams = Streams {
        input: Input::Held(input.into()),
        output,
        errors,
    };
    Ok((begin(launch, streams).await?, [says, fails]))
}

/// The ends of a child that is spoken with.
pub struct Spoken {
    pub to: PipeWriter,
    pub from: PipeReader,
    /// Diagnostics for people, separate from the protocol.
    pub aside: PipeReader,
}

/// Starts one that is spoken with. A confined one must be confined in its files: the plan that only cuts off the network comes on the input.
pub async fn start_with_pipes(launch: Launch) -> io::Result<(Running, Spoken)> {
    if let Some(Plan {
        extent: Extent::NetworkOnly,
        ..
    }) = &launch.confined
    {
        let told = "a program that is spoken with cannot have its network cut off alone";
        return Err(io::Error::new(io::ErrorKind::Unsupported, told));
    }
    let ((hears, to), (from, says), (aside, tells)) = (io::pipe()?, io::pipe()?, io::pipe()?);
    let streams = Streams {
        input: Input::Spoken(hears.into()),
        output: says,
        errors: tells,
    };
    Ok((begin(launch, streams).await?, Spoken { to, from, aside }))
}

/// The standard input of a child.
pub(super) enum Input {
    Nothing,
    /// Text that is known before the start. A confined child gets it with its plan instead.
    Held(OwnedFd),
    /// A pipe of which we keep the other end.
    Spoken(OwnedFd),
}

impl Input {
    /// Returns the pipe that goes along with the plan of a confined child.
    pub(super) fn spoken(self) -> Option<OwnedFd> {
        match self {
            Self::Spoken(pipe) => Some(pipe),
            Self::Nothing | Self::Held(_) => None,
        }
    }
}

/// The standard streams of a child.
pub(super) struct Streams {
    pub(super) input: Input,
    pub(super) output: PipeWriter,
    pub(super) errors: PipeWriter,
}

/// Everything the thread of a call needs.
pub(super) struct Job {
    pub(super) launch: Launch,
    pub(super) streams: Streams,
    pub(super) reports: Reports,
    pub(super) after: After,
    pub(super) span: tracing::Span,
}

/// On a thread that lives as long as the child does: the signal that ends a child with its parent is bound to the parent's *thread*.
async fn begin(mut launch: Launch, streams: Streams) -> io::Result<Running> {
    let program = launch.program.file_name().unwrap_or_default().to_string_lossy();
    let span = tracing::debug_span!("child", program = %program);
    let (tell_started, started) = oneshot::channel();
    let (tell_exited, exited) = oneshot::channel();
    let (tell_swept, swept) = oneshot::channel();
    let (sweep, may_sweep) = mpsc::channel();
    let then = launch.then.take();
    let job = Job {
        launch,
        streams,
        reports: Reports {
            started: tell_started,
            exited: tell_exited,
            swept: tell_swept,
        },
        after: After {
            may_sweep,
            then: then.unwrap_or_else(|| Box::new(|| ())),
        },
        span,
    };
    if let Some(Plan {
        extent: Extent::Files(_),
        ..
    }) = &job.launch.confined
    {
        standby::give(job)?;
    } else {
        let attend = move || job.span.clone().in_scope(|| attend(job));
        on_own_thread(attend)?;
    }
    let shared = started
        .await
        .map_err(|_| io::Error::other("the thread of the command is gone"))??;
    Ok(Running {
        shared,
        exited,
        sweep,
        swept,
        finished: false,
    })
}

pub(super) fn on_own_thread(attend: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = std::thread::Builder::new().name("command".to_owned());
    thread.spawn(attend).map(drop)
}

/// A value of `MARK` that no other call has.
pub(super) fn new_mark() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    format!("{}.{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// The command that starts a child, and the line on which it is told how it is confined.
fn command_of(launch: &Launch, streams: Streams, mark: &str) -> io::Result<(Command, Option<Channel>)> {
    let Streams { input, output, errors } = streams;
    let mut command = Command::new(&launch.launcher);
    command.arg(EXEC_CHILD);
    let channel = match &launch.confined {
        None => {
            command.stdin(match input {
                Input::Nothing => Stdio::null(),
                Input::Held(file) | Input::Spoken(file) => Stdio::from(file),
            });
            None
        }
        Some(_) => Some(Channel::of(command.arg(OsStr::new(CUT_OFF)))?),
    };
    command
        .arg(std::process::id().to_string())
        .arg(&launch.program)
        .args(&launch.arguments)
        .current_dir(&launch.folder)
        .env_clear()
        .envs(launch.variables.iter().map(|(name, value)| (name, value)))
        .env(MARK, mark)
        .stdout(output)
        .stderr(errors);
    Ok((command, channel))
}

/// The ends of the channels on which the thread of a call reports.
pub(super) struct Reports {
    pub(super) started: oneshot::Sender<io::Result<Arc<Shared>>>,
    exited: oneshot::Sender<io::Result<ExitStatus>>,
    swept: oneshot::Sender<Vec<Leftover>>,
}

/// Callback after the child has ended.
pub(super) struct After {
    may_sweep: mpsc::Receiver<()>,
    then: Box<dyn FnOnce() + Send>,
}

/// The life of one call, from start to the end of what it left behind.
fn attend(job: Job) {
    let Job {
        launch,
        streams,
        reports,
        after,
        ..
    } = job;
    let mark = new_mark();
    let spawned = command_of(&launch, streams, &mark).and_then(|(mut command, channel)| {
        // The lock holds off the search for orphans until this child is registered as one of ours. With the command our copies of what the
        // child was given go, or reading would never end.
        let mut live = live();
        let child = command.spawn()?;
        live.insert(child.id(), mark.clone());
        Ok((child, channel))
    });
    match spawned {
        Err(error) => {
            let _ = reports.started.send(Err(error));
        }
        Ok((child, channel)) => follow(child, mark, reports, after, || {
            let mut channel = channel?;
            launch.confined.iter().for_each(|plan| channel.cut_off(plan));
            Some(channel)
        }),
    }
}

/// Follows a child that is registered as live. `begin` tells a confined one its plan.
pub(super) fn follow(
    mut child: Child,
    mark: String,
    reports: Reports,
    after: After,
    begin: impl FnOnce() -> Option<Channel>,
) {
    let began = Instant::now();
    tracing::debug!(child = child.id(), "child started");
    let shared = Arc::new(Shared {
        pid: child.id(),
        mark,
        alive: Mutex::new(true),
        gone: Condvar::new(),
        stopping: AtomicBool::new(false),
    });
    if reports.started.send(Ok(Arc::clone(&shared))).is_err() {
        // Nobody waits for this call any more.
        stop(&shared);
    }
    let mut channel = begin();
    if let Some(End { status, left }) = channel.as_mut().and_then(Channel::early_end) {
        log_exit(shared.pid, &status, began);
        let _ = reports.exited.send(status);
        let _ = after.may_sweep.recv();
        (after.then)();
        let _ = reports.swept.send(left);
        let _ = reap(&mut child, &shared);
        process_tree::end_leftovers(&shared.mark, shared.pid);
        live().remove(&shared.pid);
        ENDED.notify_all();
        return;
    }
    let status = reap(&mut child, &shared);
    let End { status, mut left } = match channel {
        Some(channel) => channel.end(status),
        None => End {
            status,
            left: Vec::new(),
        },
    };
    log_exit(shared.pid, &status, began);
    let _ = reports.exited.send(status);
    // Output that is still in the pipe is read before what is left is ended. A closed channel means: end it at once.
    let _ = after.may_sweep.recv();
    left.extend(process_tree::end_leftovers(&shared.mark, shared.pid));
    (after.then)();
    live().remove(&shared.pid);
    ENDED.notify_all();
    if !left.is_empty() {
        tracing::debug!(child = shared.pid, processes = left.len(), "leftovers ended");
    }
    let _ = reports.swept.send(left);
}

/// Waits for the end of a child, after which nobody signals it any more.
fn reap(child: &mut Child, shared: &Shared) -> io::Result<ExitStatus> {
    wait_without_reaping(shared.pid);
    let status = {
        let mut alive = shared.alive.lock().unwrap_or_else(PoisonError::into_inner);
        *alive = false;
        child.wait()
    };
    shared.gone.notify_all();
    status
}

/// For the log: how a child ended, and how long it ran.
pub(super) fn log_exit(child: u32, status: &io::Result<ExitStatus>, began: Instant) {
    let (code, signal) = match status {
        Ok(status) => (status.code(), status.signal()),
        Err(_) => (None, None),
    };
    let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::debug!(child, exit = code, signal, took_ms, "child ended");
}

/// Returns when the child has ended. Its id stays taken until it is waited for, so that nobody signals a stranger.
fn wait_without_reaping(pid: u32) {
    let Some(pid) = as_pid(pid) else { return };
    loop {
        match rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
            Err(rustix::io::Errno::INTR) => {}
            _ => return,
        }
    }
}

impl Running {
    /// Asks every process of the call to end, and kills what has not ended after `GRACE`. Returns at once; `exited`
    /// tells when.
    pub fn stop(&self) {
        stop(&self.shared);
    }

    /// Ends what the call left behind and says what that was.
    pub async fn finish(mut self) -> Vec<Leftover> {
        self.finished = true;
        let _ = self.sweep.send(());
        (&mut self.swept).await.unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.finished {
            stop(&self.shared);
        }
    }
}

/// The polite signal now, the other one from a thread that waits for it.
fn stop(shared: &Arc<Shared>) {
    if shared.stopping.swap(true, Ordering::SeqCst) {
        return;
    }
    shared.signal(Signal::TERM);
    let later = Arc::clone(shared);
    let insist = move || {
        let mut until = Instant::now() + GRACE;
        while !later.gone_by(until) {
            later.signal(Signal::KILL);
            until = Instant::now() + Duration::from_millis(20);
        }
    };
    if std::thread::Builder::new()
        .name("command end".to_owned())
        .spawn(insist)
        .is_err()
    {
        shared.signal(Signal::KILL);
    }
}

impl Shared {
    /// To the child, its group, and everything that came of them.
    fn signal(&self, signal: Signal) {
        let alive = self.alive.lock().unwrap_or_else(PoisonError::into_inner);
        let (true, Some(pid)) = (*alive, as_pid(self.pid)) else {
            return;
        };
        // The family is found before the signal: once the child is gone, its children are harder to tell from others.
        let family = process_tree::processes_of_call(&self.mark, self.pid);
        let _ = rustix::process::kill_process_group(pid, signal);
        let _ = rustix::process::kill_process(pid, signal);
        process_tree::signal_all(&family, signal);
    }

    fn gone_by(&self, until: Instant) -> bool {
        let alive = self.alive.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = until.saturating_duration_since(Instant::now());
        let (alive, _) = self
            .gone
            .wait_timeout_while(alive, wait, |alive| *alive)
            .unwrap_or_else(PoisonError::into_inner);
        !*alive
    }
}
