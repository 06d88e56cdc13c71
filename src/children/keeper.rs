//! A small process that outlives Benchdog and cleans up after a kill. When the pipe from Benchdog closes, the keeper
//! restores the terminal if necessary and ends the processes of running calls.
//!
//! Until then, the keeper is a waiting shell, which needs a tenth of Benchdog's memory. When the pipe closes, the shell
//! becomes a copy of Benchdog.

use std::fs::File;
use std::io::{self, IsTerminal, PipeReader, PipeWriter};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{launch, process_tree};

/// The name of the hidden command, which `main` checks first.
pub const KEEP: &str = "keep";

/// Messages to the keeper, one per line: Benchdog has taken over the terminal, or has given it back.
pub const TAKEN: &str = "t";
pub const GIVEN_BACK: &str = "g";

/// Shell script that waits for the end of its input, then becomes `benchdog keep PID LAST_LINE`. The script's standard
/// error is Benchdog's open executable, so the script can still start Benchdog after an update or removal. The script
/// ignores all signals from terminals and job control.
const WAITS: &str = r#"trap '' HUP INT QUIT TERM TSTP TTIN TTOU
while read -r said; do last=$said; done
program=/proc/self/fd/2
[ -x "$program" ] || program=$2
exec "$program" keep "$1" "$last""#;

/// Time limit for ending the processes left by calls.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts the keeper, which lives until the returned pipe and all its copies in this process are closed.
pub fn start(launcher: &Path) -> io::Result<PipeWriter> {
    let (hears, tells) = io::pipe()?;
    let mut waits = waiting(launcher, hears.try_clone()?)?;
    let mut keeps = Command::new(launcher);
    keeps
        .arg0("benchdog-keeper")
        .arg(KEEP)
        .arg(std::process::id().to_string());
    let mut keeps = apart(keeps, hears);
    // Use a thread, so that Benchdog's start does not wait for the keeper.
    std::thread::Builder::new().name("keeper".to_owned()).spawn(move || {
        let mut own = launch::own();
        // Without a shell, a copy of Benchdog waits instead.
        if let Ok(child) = waits.spawn().or_else(|_| keeps.spawn()) {
            own.insert(child.id());
        }
    })?;
    Ok(tells)
}

fn waiting(launcher: &Path, hears: PipeReader) -> io::Result<Command> {
    let mut shell = Command::new("/bin/sh");
    // The third argument is the name in process lists.
    shell.args(["-c", WAITS, "benchdog-keeper", &std::process::id().to_string()]);
    shell.arg(std::fs::read_link(launcher).unwrap_or_else(|_| launcher.to_owned()));
    let mut shell = apart(shell, hears);
    // Use a new process group, so that signals to Benchdog's group do not reach the keeper.
    shell.process_group(0).stderr(File::open(launcher)?);
    Ok(shell)
}

fn apart(mut command: Command, hears: PipeReader) -> Command {
    command
        // Clear the environment, so that it contains no `MARK` of a call or of an outer Benchdog.
        .env_clear()
        .current_dir("/")
        .stdin(hears)
        // If stdout is a pipe, the keeper must not inherit it: the pipe would stay open until the keeper ends.
        .stdout(if io::stdout().is_terminal() {
            Stdio::inherit()
        } else {
            Stdio::null()
        })
        .stderr(Stdio::null());
    command
}

/// Runs `benchdog keep PID LAST_LINE`: waits until the process `PID` has ended, then cleans up.
pub fn keep(of: &str, last: &str, give_terminal_back: impl FnOnce()) {
    // Start a new session, so that the terminal's job signals do not reach this process.
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
