//! A small process beside ours that outlives it. When we are killed, we cannot clean up: the keeper sees its pipe close, gives the
//! terminal back if it was taken, and ends what our calls had started.
//!
//! Until then it is a shell that waits, which takes a tenth of the memory of a second copy of this program; then it becomes that copy.

use std::fs::File;
use std::io::{self, IsTerminal, PipeReader, PipeWriter};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{launch, process_tree};

/// The name of the hidden command, which `main` looks for before anything else.
pub const KEEP: &str = "keep";

/// Messages to the keeper, one per line: the terminal was taken, or given back.
pub const TAKEN: &str = "t";
pub const GIVEN_BACK: &str = "g";

/// Waits for the end of its input, then becomes `benchdog keep PID LAST_LINE`. Its standard error is the program's file, which stays
/// there when an update or a removal took the name away. No signal that a terminal or a job gets ends it before.
const WAITS: &str = r#"trap '' HUP INT QUIT TERM TSTP TTIN TTOU
while read -r said; do last=$said; done
program=/proc/self/fd/2
[ -x "$program" ] || program=$2
exec "$program" keep "$1" "$last""#;

/// Time limit for ending the processes left by calls.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts the keeper. It lives as long as what is returned, or a copy of it, is open somewhere in this process.
pub fn start(launcher: &Path) -> io::Result<PipeWriter> {
    let (hears, tells) = io::pipe()?;
    let mut waits = waiting(launcher, hears.try_clone()?)?;
    let mut keeps = Command::new(launcher);
    keeps
        .arg0("benchdog-keeper")
        .arg(KEEP)
        .arg(std::process::id().to_string());
    let mut keeps = apart(keeps, hears);
    // The start of the program does not wait until the keeper is ready.
    std::thread::Builder::new().name("keeper".to_owned()).spawn(move || {
        let mut own = launch::own();
        // Where there is no shell, the program itself waits.
        if let Ok(child) = waits.spawn().or_else(|_| keeps.spawn()) {
            own.insert(child.id());
        }
    })?;
    Ok(tells)
}

fn waiting(launcher: &Path, hears: PipeReader) -> io::Result<Command> {
    let mut shell = Command::new("/bin/sh");
    // The third word is what it is called in a list of processes.
    shell.args(["-c", WAITS, "benchdog-keeper", &std::process::id().to_string()]);
    shell.arg(std::fs::read_link(launcher).unwrap_or_else(|_| launcher.to_owned()));
    let mut shell = apart(shell, hears);
    // What is sent to our group is not for it.
    shell.process_group(0).stderr(File::open(launcher)?);
    Ok(shell)
}

fn apart(mut command: Command, hears: PipeReader) -> Command {
    command
        // Nothing in it may look like a call of ours, or of a Benchdog that runs us.
        .env_clear()
        .current_dir("/")
        .stdin(hears)
        // An inherited pipe would stay open as long as the keeper lives.
        .stdout(if io::stdout().is_terminal() {
            Stdio::inherit()
        } else {
            Stdio::null()
        })
        .stderr(Stdio::null());
    command
}

/// Runs `benchdog keep PID LAST_LINE`: waits for that process to end, then cleans up after it.
pub fn keep(of: &str, last: &str, give_terminal_back: impl FnOnce()) {
    // In a session of its own, the signals that the terminal sends to its jobs do not reach it.
    let _ = rustix::process::setsid();
    let mut taken = last == TAKEN;
    for said in io::stdin().lines().map_while(Result::ok) {
        taken = said == TAKEN;
    }
    if taken {
        give_terminal_back();
    }
    end_calls_of(of);
}

fn end_calls_of(pid: &str) {
    let marks = format!("{pid}.");
    let end = Instant::now() + PATIENCE;
    loop {
        let left = process_tree::marked_with(&marks);
        if left.is_empty() || Instant::now() >= end {
            return;
        }
        process_tree::signal_all(&left, Signal::KILL);
        std::thread::sleep(Duration::from_millis(5));
    }
}
