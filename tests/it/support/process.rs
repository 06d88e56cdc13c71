//! Runs of the binary without a terminal, and checks for remaining processes.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::{PATIENCE, Watched};

/// Locked while a child process starts. Otherwise, a file descriptor that another thread has just opened could leak
/// into the child.
pub static SPAWNING: Mutex<()> = Mutex::new(());

#[derive(Debug)]
pub struct Finished {
    /// Exit code. `None` if a signal ended the process.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    #[track_caller]
    pub fn assert_code(&self, code: i32) {
        assert_eq!(self.code, Some(code), "{self}");
    }

    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let parsed: Result<Vec<_>, _> = self.stdout.lines().map(serde_json::from_str).collect();
        parsed.unwrap_or_else(|error| panic!("stdout is not one JSON value a line: {error}\n{self}"))
    }

    /// Returns the lines of this type in a `stream-json` run.
    pub fn events(&self, kind: &str) -> Vec<serde_json::Value> {
        let mut lines = self.json_lines();
        lines.retain(|line| line["type"] == kind);
        lines
    }
}

impl std::fmt::Display for Finished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "exit {:?}, signal {:?}\n── stdout\n{}\n── stderr\n{}",
            self.code, self.signal, self.stdout, self.stderr
        )
    }
}

#[derive(Default)]
struct Said {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    open: usize,
    exit: Option<ExitStatus>,
}

pub struct Running {
    said: Arc<Watched<Said>>,
    pid: u32,
}

impl Running {
    pub fn spawn(command: Command, input: Option<Vec<u8>>) -> Self {
        let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
        let (running, stdin) = Self::begin(command, stdin);
        if let (Some(input), Some(mut stdin)) = (input, stdin) {
            // Ignore errors, because a program that does not read its input closes it.
            std::thread::spawn(move || stdin.write_all(&input));
        }
        running
    }

    /// Starts a run whose input the caller writes.
    pub fn fed(command: Command) -> (Self, ChildStdin) {
        let (running, stdin) = Self::begin(command, Stdio::piped());
        (running, stdin.expect("stdin is a pipe"))
    }

    fn begin(mut command: Command, stdin: Stdio) -> (Self, Option<ChildStdin>) {
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let alone = SPAWNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn().expect("the binary starts");
        drop(alone);
        let stdin = child.stdin.take();
        let said = Arc::new(Watched::new(Said {
            open: 2,
            ..Said::default()
        }));
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let stderr = child.stderr.take().expect("stderr is a pipe");
        collect(stdout, Arc::clone(&said), |said| &mut said.stdout);
        collect(stderr, Arc::clone(&said), |said| &mut said.stderr);
        let (pid, waiting) = (child.id(), Arc::clone(&said));
        std::thread::spawn(move || {
            let status = child.wait().expect("a child can be waited for");
            waiting.change(|said| said.exit = Some(status));
        });
        (Self { said, pid }, stdin)
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    pub fn signal(&self, signal: Signal) {
        kill(self.pid, signal);
    }

    #[track_caller]
    pub fn wait_for_stdout(&self, text: &str) {
        let came = self.said.wait(PATIENCE, |said| {
            String::from_utf8_lossy(&said.stdout).contains(text).then_some(())
        });
        if let Err(said) = came {
            panic!("waited for {text:?} on stdout\n{}", finished(&said));
        }
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.said.look().stdout).into_owned()
    }

    #[track_caller]
    pub fn wait(self) -> Finished {
        self.wait_within(PATIENCE)
    }

    /// Like `wait`, with `patience` as the time limit.
    #[track_caller]
    pub fn wait_within(self, patience: Duration) -> Finished {
        let exit = self.said.wait(patience, |said| said.exit);
        if let Err(said) = exit {
            let report = finished(&said).to_string();
            drop(said);
            panic!("the run did not end within {patience:?}\n{report}");
        }
        // A grandchild may keep the pipes open. `assert_gone` detects it.
        let _ = self
            .said
            .wait(Duration::from_secs(2), |said| (said.open == 0).then_some(()));
        finished(&self.said.look())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.said.look().exit.is_none() {
            kill(self.pid, Signal::KILL);
        }
    }
}

fn collect(mut from: impl Read + Send + 'static, said: Arc<Watched<Said>>, field: fn(&mut Said) -> &mut Vec<u8>) {
    std::thread::spawn(move || {
        let mut buffer = [0_u8; 8192];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default();
            said.change(|said| field(said).extend_from_slice(bytes));
        }
        said.change(|said| said.open -= 1);
    });
}

fn finished(said: &Said) -> Finished {
    Finished {
        code: said.exit.and_then(|exit| exit.code()),
        signal: said.exit.and_then(|exit| exit.signal()),
        stdout: String::from_utf8_lossy(&said.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&said.stderr).into_owned(),
    }
}

/// Sends a signal to one process. Ignores a process that has already ended.
pub fn kill(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// Returns the processes with `mark` in their environment, and their command lines. The binary gets the mark, and its
/// children inherit it.
pub fn marked(mark: &str) -> Vec<(u32, String)> {
    marked_or(mark, &[])
}

/// Like `marked`. Also returns processes of `started` with an unreadable environment, and all descendants. The
/// environment of the binary is unreadable for users other than root, and the sandbox passes only listed variables.
pub fn marked_or(mark: &str, started: &[u32]) -> Vec<(u32, String)> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let ids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let mut closed = Vec::new();
    let mut ours = Vec::new();
    let mut parents = Vec::new();
    for pid in ids {
        parents.push((pid, parent_of(pid)));
        match std::fs::read(format!("/proc/{pid}/environ")) {
            Ok(environment) if environment.split(|byte| *byte == 0).any(|pair| pair == mark.as_bytes()) => {
                ours.push(pid)
            }
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => closed.push(pid),
            _ => {}
        }
    }
    ours.extend(closed.iter().filter(|pid| started.contains(pid)));
    let mut next = 0;
    while let Some(parent) = ours.get(next).copied() {
        let children = parents
            .iter()
            .filter(|(_, of)| *of == Some(parent))
            .map(|(pid, _)| *pid);
        let new: Vec<u32> = children.filter(|pid| !ours.contains(pid)).collect();
        ours.extend(new);
        next += 1;
    }
    ours.into_iter()
        .filter_map(|pid| Some((pid, command_line(pid)?)))
        .collect()
}

/// Returns the command line of a process. `None` if the process has ended, even if its parent has not read the exit
/// status.
fn command_line(pid: u32) -> Option<String> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let line = String::from_utf8_lossy(&line).replace('\0', " ").trim_end().to_owned();
    (!line.is_empty()).then_some(line)
}

fn parent_of(pid: u32) -> Option<u32> {
    fields(pid)?.get(1)?.parse().ok()
}

/// Checks `ready` every few milliseconds, at most for `patience`. For events that the kernel does not report, such as
/// the end of a process that is not a child.
pub fn look_until(patience: Duration, mut ready: impl FnMut() -> bool) -> bool {
    let (_never, clock) = mpsc::channel::<()>();
    let end = Instant::now() + patience;
    loop {
        if ready() {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
        let _ = clock.recv_timeout(Duration::from_millis(5));
    }
}

/// Returns the CPU time of a process in ticks, in user and in kernel mode.
pub fn ticks(pid: u32) -> u64 {
    let fields = fields(pid).expect("the process runs");
    let number = |index: usize| {
        fields
            .get(index)
            .and_then(|field| field.parse::<u64>().ok())
            .unwrap_or(0)
    };
    number(11) + number(12)
}

/// Returns the fields of `/proc/PID/stat` after the name: state, parent, and so on.
fn fields(pid: u32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may contain anything, so count the fields after it.
    let (_, fields) = stat.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_owned).collect())
}
