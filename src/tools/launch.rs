//! Starting and ending children. A child is started through our own `exec-child`, in a session of its own, and dies with us.
//!
//! When a call ends, everything it has started ends: its session, and whatever left that session and came back to us as its subreaper.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, PipeReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use tokio::sync::oneshot;

mod family;
pub(crate) mod keeper;

pub(super) use family::Left;

/// The name of the hidden command, which `main` looks for before anything else.
pub(crate) const EXEC_CHILD: &str = "exec-child";

/// Every process of a call carries this variable; its value tells the calls apart.
const MARK: &str = "BENCHDOG_CALL";

/// From a polite signal to the one that cannot be refused.
const GRACE: Duration = Duration::from_millis(200);

/// The calls that run, by the id of the child that was started for them.
static LIVE: Mutex<BTreeMap<u32, String>> = Mutex::new(BTreeMap::new());
static ENDED: Condvar = Condvar::new();

/// Children that belong to no call and lead a session of their own.
static OWN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// What `benchdog exec-child PARENT PROGRAM ARGUMENT…` does: it leads a session of its own, is bound to the life of the thread that started
/// it, and becomes the program. Answers only when that failed.
pub(crate) fn exec_child(arguments: &[OsString]) -> io::Error {
    let [parent, program, rest @ ..] = arguments else {
        return io::Error::new(
            io::ErrorKind::InvalidInput,
            "usage: exec-child PARENT PROGRAM [ARGUMENT…]",
        );
    };
    // Its own session: it has no terminal to ask on, and the whole of it can be ended as one.
    if let Err(error) = rustix::process::setsid() {
        return error.into();
    }
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // Whoever started us may have died before the signal was set.
    let alive = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().to_string());
    if alive.as_deref().map(std::ffi::OsStr::new) != Some(parent) {
        return io::Error::other("the program that started this is gone");
    }
    Command::new(program).args(rest).exec()
}

/// Makes orphans of our children come to us, so that they can be found and ended. Once, at the start of the program.
pub(crate) fn become_subreaper() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

/// Waits until everything that was told to end has ended, `limit` at the most. For the way out of the program.
pub(crate) fn wait_for_endings(limit: Duration) {
    let live = live();
    drop(ENDED.wait_timeout_while(live, limit, |live| !live.is_empty()));
}

fn live() -> MutexGuard<'static, BTreeMap<u32, String>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn own() -> MutexGuard<'static, BTreeSet<u32>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What to start.
pub(super) struct Launch {
    /// Our own executable.
    pub(super) launcher: PathBuf,
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) folder: PathBuf,
    /// The whole environment, but for the mark.
    pub(super) variables: Vec<(String, String)>,
}

/// A started child. Dropping it ends the child and all that came of it.
pub(super) struct Running {
    shared: Arc<Shared>,
    /// Set when the child itself has ended; what it left behind may still run.
    pub(super) exited: oneshot::Receiver<io::Result<ExitStatus>>,
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

/// Starts a child on a thread that lives as long as it does: the signal that ends a child with its parent is bound to the parent's *thread*.
/// Both outputs go to the one pipe, in order.
pub(super) async fn start(launch: Launch) -> io::Result<(Running, PipeReader)> {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let (reader, writer) = io::pipe()?;
    let mark = format!("{}.{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let mut command = Command::new(&launch.launcher);
    command
        .arg(EXEC_CHILD)
        .arg(std::process::id().to_string())
        .arg(&launch.program)
        .args(&launch.arguments)
        .current_dir(&launch.folder)
        .env_clear()
        .envs(launch.variables)
        .env(MARK, &mark)
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let (tell_started, started) = oneshot::channel();
    let (tell_exited, exited) = oneshot::channel();
    let (tell_swept, swept) = oneshot::channel();
    let (sweep, may_sweep) = mpsc::channel();
    std::thread::Builder::new().name("command".to_owned()).spawn(move || {
        let telling = Telling {
            started: tell_started,
            exited: tell_exited,
            swept: tell_swept,
        };
        attend(command, mark, telling, &may_sweep);
    })?;
    let shared = started
        .await
        .map_err(|_| io::Error::other("the thread of the command is gone"))??;
    Ok((
        Running {
            shared,
            exited,
            sweep,
            swept,
            finished: false,
        },
        reader,
    ))
}

/// The ends of the channels on which the thread of a call reports.
struct Telling {
    started: oneshot::Sender<io::Result<Arc<Shared>>>,
    exited: oneshot::Sender<io::Result<ExitStatus>>,
    swept: oneshot::Sender<Vec<Left>>,
}

/// The life of one call, from start to the end of what it left behind.
fn attend(mut command: Command, mark: String, telling: Telling, may_sweep: &mpsc::Receiver<()>) {
    let spawned = {
        // Whoever looks for orphans waits here, and then knows this child as one of ours.
        let mut live = live();
        command
            .spawn()
            .inspect(|child| drop(live.insert(child.id(), mark.clone())))
    };
    // Our copy of the pipe's writing end must go, or reading would never end.
    drop(command);
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let _ = telling.started.send(Err(error));
            return;
        }
    };
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
    wait_without_reaping(shared.pid);
    let status = {
        let mut alive = shared.alive.lock().unwrap_or_else(PoisonError::into_inner);
        *alive = false;
        child.wait()
    };
    shared.gone.notify_all();
    let _ = telling.exited.send(status);
    // A last word that the pipe still holds is read before what is left is ended. A closed channel means: at once.
    let _ = may_sweep.recv();
    let left = family::end_leftovers(&shared.mark, shared.pid);
    live().remove(&shared.pid);
    ENDED.notify_all();
    let _ = telling.swept.send(left);
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
    /// Asks everything of the call to end, and makes it after a moment. Returns at once; `exited` tells when.
    pub(super) fn stop(&self) {
        stop(&self.shared);
    }

    /// Ends what the call left behind and says what that was.
    pub(super) async fn finish(mut self) -> Vec<Left> {
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
        // Found first: once the child is gone, its children are not so easily told from others.
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

fn as_pid(pid: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(pid).ok()?)
}

/// Where a program lies, by the folders of `PATH`.
pub(super) fn find_program(name: &str, path: &str) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    path.split(':')
        .filter(|folder| folder.starts_with('/'))
        .map(|folder| Path::new(folder).join(name))
        .find(|file| {
            std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        })
}

#[cfg(test)]
pub(super) mod tests;
