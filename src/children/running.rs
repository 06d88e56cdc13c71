//! The child of a call: started through our own `exec-child` in a session of its own, followed, ended.
//!
//! When a call ends, everything it has started ends: its session, and whatever left that session and came back to us as its subreaper.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitId, WaitIdOptions};
use tokio::sync::oneshot;

use super::confined::{self, Confining, End, Plan};
use super::family::{self, Left};
use super::{EXEC_CHILD, GRACE, MARK, as_pid};

/// The calls that run, by the id of the child that was started for them.
static LIVE: Mutex<BTreeMap<u32, String>> = Mutex::new(BTreeMap::new());
static ENDED: Condvar = Condvar::new();

/// Children that belong to no call and lead a session of their own.
static OWN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Waits until everything that was told to end has ended, `limit` at the most. For the way out of the program.
pub fn wait_for_endings(limit: Duration) {
    let live = live();
    drop(ENDED.wait_timeout_while(live, limit, |live| !live.is_empty()));
}

pub(super) fn live() -> MutexGuard<'static, BTreeMap<u32, String>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn own() -> MutexGuard<'static, BTreeSet<u32>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What to start.
pub struct Launch {
    /// Our own executable.
    pub launcher: PathBuf,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub folder: PathBuf,
    /// The whole environment, but for the mark.
    pub variables: Vec<(String, String)>,
    /// How the kernel holds it in; `None`: as it holds in ourselves.
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
    swept: oneshot::Receiver<Vec<Left>>,
    finished: bool,
}

/// What the thread of a call and those who want to end it know together.
struct Shared {
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
    let both = |command: &mut Command| {
        command.stdout(writer.try_clone()?).stderr(writer);
        Ok(())
    };
    Ok((begin(launch, both).await?, reader))
}

/// Starts one that reads `input`, and whose outputs are apart: what it says, and its errors.
pub async fn start_apart(launch: Launch, input: File) -> io::Result<(Running, [PipeReader; 2])> {
    let (says, output) = io::pipe()?;
    let (fails, errors) = io::pipe()?;
    // A confined one is given its plan that way, and in it what it reads.
    let is_confined = launch.confined.is_some();
    let apart = |command: &mut Command| {
        command.stdout(output).stderr(errors);
        if !is_confined {
            command.stdin(input);
        }
        Ok(())
    };
    Ok((begin(launch, apart).await?, [says, fails]))
}

/// The ends of a child that is spoken with.
pub struct Spoken {
    pub to: PipeWriter,
    pub from: PipeReader,
    /// What it says beside, for people.
    pub aside: PipeReader,
}

/// Starts one that is spoken with. Its input carries what is said to it, so that no plan of confinement can come that way.
pub async fn start_spoken(launch: Launch) -> io::Result<(Running, Spoken)> {
    if launch.confined.is_some() {
        let told = "a program that is spoken with cannot be held in";
        return Err(io::Error::new(io::ErrorKind::Unsupported, told));
    }
    let ((hears, to), (from, says), (aside, tells)) = (io::pipe()?, io::pipe()?, io::pipe()?);
    let spoken = |command: &mut Command| {
        command.stdin(hears).stdout(says).stderr(tells);
        Ok(())
    };
    Ok((begin(launch, spoken).await?, Spoken { to, from, aside }))
}

/// On a thread that lives as long as the child does: the signal that ends a child with its parent is bound to the parent's *thread*.
async fn begin(mut launch: Launch, streams: impl FnOnce(&mut Command) -> io::Result<()>) -> io::Result<Running> {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let mark = format!("{}.{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let (mut command, confining) = command_of(&launch, &mark)?;
    streams(&mut command)?;
    let program = launch.program.file_name().unwrap_or_default().to_string_lossy();
    let span = tracing::debug_span!("child", program = %program);
    let (tell_started, started) = oneshot::channel();
    let (tell_exited, exited) = oneshot::channel();
    let (tell_swept, swept) = oneshot::channel();
    let (sweep, may_sweep) = mpsc::channel();
    let then = launch.then.take();
    std::thread::Builder::new().name("command".to_owned()).spawn(move || {
        let telling = Telling {
            started: tell_started,
            exited: tell_exited,
            swept: tell_swept,
        };
        let after = After {
            may_sweep,
            then: then.unwrap_or_else(|| Box::new(|| ())),
        };
        span.in_scope(|| attend(command, mark, confining, telling, after));
    })?;
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

/// The command that starts a child, and the line on which it is told how it is confined.
fn command_of(launch: &Launch, mark: &str) -> io::Result<(Command, Option<Confining>)> {
    let mut command = Command::new(&launch.launcher);
    command.arg(EXEC_CHILD);
    let confining = match &launch.confined {
        None => {
            command.stdin(Stdio::null());
            None
        }
        Some(plan) => Some(Confining::of(&mut command, plan.clone(), confined::CONFINED)?),
    };
    command
        .arg(std::process::id().to_string())
        .arg(&launch.program)
        .args(&launch.arguments)
        .current_dir(&launch.folder)
        .env_clear()
        .envs(launch.variables.iter().map(|(name, value)| (name, value)))
        .env(MARK, mark);
    Ok((command, confining))
}

/// The ends of the channels on which the thread of a call reports.
struct Telling {
    started: oneshot::Sender<io::Result<Arc<Shared>>>,
    exited: oneshot::Sender<io::Result<ExitStatus>>,
    swept: oneshot::Sender<Vec<Left>>,
}

/// What comes when the child has ended.
struct After {
    may_sweep: mpsc::Receiver<()>,
    then: Box<dyn FnOnce() + Send>,
}

/// The life of one call, from start to the end of what it left behind.
fn attend(mut command: Command, mark: String, confining: Option<Confining>, telling: Telling, after: After) {
    let spawned = {
        // The lock holds off the search for orphans until this child is registered as one of ours.
        let mut live = live();
        command
            .spawn()
            .inspect(|child| drop(live.insert(child.id(), mark.clone())))
    };
    // Our copies of what the child was given must go, or reading would never end.
    drop(command);
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let _ = telling.started.send(Err(error));
            return;
        }
    };
    let began = Instant::now();
    tracing::debug!(child = child.id(), "child started");
    let shared = Arc::new(Shared {
        pid: child.id(),
        mark,
        alive: Mutex::new(true),
        gone: Condvar::new(),
        stopping: AtomicBool::new(false),
    });
    if telling.started.send(Ok(Arc::clone(&shared))).is_err() {
        // Nobody waits for this call any more.
        stop(&shared);
    }
    let confining = confining.map(|mut confining| {
        confining.begin();
        confining
    });
    wait_without_reaping(shared.pid);
    let status = {
        let mut alive = shared.alive.lock().unwrap_or_else(PoisonError::into_inner);
        *alive = false;
        child.wait()
    };
    shared.gone.notify_all();
    let End { status, mut left } = match confining {
        Some(confining) => confining.end(status),
        None => End {
            status,
            left: Vec::new(),
        },
    };
    tell_end(shared.pid, &status, began);
    let _ = telling.exited.send(status);
    // Output that is still in the pipe is read before what is left is ended. A closed channel means: end it at once.
    let _ = after.may_sweep.recv();
    left.extend(family::end_leftovers(&shared.mark, shared.pid));
    (after.then)();
    live().remove(&shared.pid);
    ENDED.notify_all();
    if !left.is_empty() {
        tracing::debug!(child = shared.pid, processes = left.len(), "leftovers ended");
    }
    let _ = telling.swept.send(left);
}

/// For the log: how a child ended, and how long it ran.
pub(super) fn tell_end(child: u32, status: &io::Result<ExitStatus>, began: Instant) {
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
    pub async fn finish(mut self) -> Vec<Left> {
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
        let family = family::of_call(&self.mark, self.pid);
        let _ = rustix::process::kill_process_group(pid, signal);
        let _ = rustix::process::kill_process(pid, signal);
        family::signal_all(&family, signal);
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
