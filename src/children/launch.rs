//! The child process of a call: starts it through `exec-child` in its own session, monitors it, and ends it.
//!
//! When a call ends, all its processes are ended. These are the processes in its session, and orphans that left the
//! session. Orphans become children of Benchdog, which is their subreaper.

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

/// The values of `MARK` of the running calls, by the process id of the child.
static LIVE: Mutex<BTreeMap<u32, String>> = Mutex::new(BTreeMap::new());
static ENDED: Condvar = Condvar::new();

/// Children of Benchdog that belong to no call and lead their own session.
static OWN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Waits at exit until all stopped children have ended, at most `limit`.
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

pub struct Launch {
    pub launcher: PathBuf,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub folder: PathBuf,
    /// The environment variables, except `MARK`.
    pub variables: Vec<(String, String)>,
    /// Sandbox plan; `None` inherits Benchdog's own restrictions.
    pub confined: Option<Plan>,
    /// Callback after the child and all its descendants have ended, even if nobody waits for the call.
    pub then: Option<Box<dyn FnOnce() + Send>>,
}

/// A started child. Drop ends the child and all its descendants.
pub struct Running {
    shared: Arc<Shared>,
    /// Receives the exit status of the child itself. Its descendants may still run.
    pub exited: oneshot::Receiver<io::Result<ExitStatus>>,
    sweep: mpsc::Sender<()>,
    swept: oneshot::Receiver<Vec<Leftover>>,
    finished: bool,
}

/// State shared by a call's thread and the code that can end the call.
pub(super) struct Shared {
    pid: u32,
    mark: String,
    /// Whether the child has not been reaped. Until then, its process id cannot belong to another process.
    alive: Mutex<bool>,
    gone: Condvar,
    stopping: AtomicBool,
}

/// Starts a child whose stdout and stderr go to one pipe, in order.
pub async fn start(launch: Launch) -> io::Result<(Running, PipeReader)> {
    let (reader, writer) = io::pipe()?;
    let streams = Streams {
        input: Input::Nothing,
        output: writer.try_clone()?,
        errors: writer,
    };
    Ok((begin(launch, streams).await?, reader))
}

/// Works like `start`, with `input` as stdin and separate pipes for stdout and stderr.
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

pub struct Spoken {
    pub to: PipeWriter,
    pub from: PipeReader,
    /// Diagnostics for people, separate from the protocol.
    pub aside: PipeReader,
}

/// Starts a child with open stdin, stdout and stderr. A confined child needs a file sandbox, because a network-only
/// plan is sent on stdin.
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

pub(super) enum Input {
    Nothing,
    /// A file that is complete before the start. A confined child gets the file's text with the plan instead.
    Held(OwnedFd),
    Spoken(OwnedFd),
}

impl Input {
    /// Returns the pipe for standard input, which a confined child gets with its plan.
    pub(super) fn spoken(self) -> Option<OwnedFd> {
        match self {
            Self::Spoken(pipe) => Some(pipe),
            Self::Nothing | Self::Held(_) => None,
        }
    }
}

pub(super) struct Streams {
    pub(super) input: Input,
    pub(super) output: PipeWriter,
    pub(super) errors: PipeWriter,
}

pub(super) struct Job {
    pub(super) launch: Launch,
    pub(super) streams: Streams,
    pub(super) reports: Reports,
    pub(super) after: After,
    pub(super) span: tracing::Span,
}

/// Starts a call's thread, which lives as long as its child. A call needs its own thread, because the kernel sends the
/// parent-death signal when the parent *thread* ends.
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

pub(super) fn new_mark() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    format!("{}.{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

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

pub(super) struct Reports {
    pub(super) started: oneshot::Sender<io::Result<Arc<Shared>>>,
    exited: oneshot::Sender<io::Result<ExitStatus>>,
    swept: oneshot::Sender<Vec<Leftover>>,
}

/// Actions after the child has ended: wait for `may_sweep`, end the leftover processes, then call `then`.
pub(super) struct After {
    may_sweep: mpsc::Receiver<()>,
    then: Box<dyn FnOnce() + Send>,
}

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
        // The lock delays the search for orphans until this child is registered. This closure drops the command and so
        // closes Benchdog's copies of the pipes. Otherwise readers would never reach the end.
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

/// Monitors a child that is registered in `LIVE`. The callback `begin` sends the plan to a confined child.
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
        // The caller no longer waits for this call, so end it.
        stop(&shared, GRACE);
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
    // The caller reads the rest of the output before the leftovers are ended. If the channel is closed, end them at
    // once.
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

/// Reaps the child. Afterwards `alive` is false, so that nobody sends it a signal.
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

pub(super) fn log_exit(child: u32, status: &io::Result<ExitStatus>, began: Instant) {
    let (code, signal) = match status {
        Ok(status) => (status.code(), status.signal()),
        Err(_) => (None, None),
    };
    let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::debug!(child, exit = code, signal, took_ms, "child ended");
}

/// Waits for the end of the child without reaping it. Its process id stays reserved, so no signal reaches another
/// process.
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
    /// Asks all processes of the call to end, and kills the rest after `GRACE`. Returns at once. `exited` reports the
    /// end.
    pub fn stop(&self) {
        self.stop_within(GRACE);
    }

    pub fn stop_within(&self, grace: Duration) {
        stop(&self.shared, grace);
    }

    /// Ends the leftover processes of the call and returns them.
    pub async fn finish(mut self) -> Vec<Leftover> {
        self.finished = true;
        let _ = self.sweep.send(());
        (&mut self.swept).await.unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.finished {
            stop(&self.shared, GRACE);
        }
    }
}

/// Sends SIGTERM now. A thread sends SIGKILL after `grace`.
fn stop(shared: &Arc<Shared>, grace: Duration) {
    if shared.stopping.swap(true, Ordering::SeqCst) {
        return;
    }
    shared.signal(Signal::TERM);
    let later = Arc::clone(shared);
    let insist = move || {
        let mut until = Instant::now() + grace;
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
    /// Sends a signal to the child, its process group and all its descendants.
    fn signal(&self, signal: Signal) {
        let alive = self.alive.lock().unwrap_or_else(PoisonError::into_inner);
        let (true, Some(pid)) = (*alive, as_pid(self.pid)) else {
            return;
        };
        // Find the descendants before the signal. After the child's death they are harder to identify.
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
