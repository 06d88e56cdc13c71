//! A small process beside ours that outlives it. When we are killed, we cannot clean up: the keeper sees its pipe close, gives the
//! terminal back if it was taken, and ends what our calls had started.

use std::io::{self, IsTerminal, PipeWriter, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{family, running};

/// The name of the hidden command, which `main` looks for before anything else.
pub(crate) const KEEP: &str = "keep";

/// What the keeper is told: the terminal was taken, or given back.
pub(crate) const TAKEN: u8 = b't';
pub(crate) const GIVEN_BACK: u8 = b'g';

/// How long it tries to end what is left of the calls.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts the keeper. It lives as long as what is returned, or a copy of it, is open somewhere in this process.
pub(crate) fn start(launcher: &Path) -> io::Result<PipeWriter> {
    let (hears, tells) = io::pipe()?;
    let mut command = Command::new(launcher);
    command
        // As it stands in a list of processes.
        .arg0("benchdog-keeper")
        .arg(KEEP)
        .arg(std::process::id().to_string())
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
    // The start of the program does not wait until the keeper is ready.
    std::thread::Builder::new().name("keeper".to_owned()).spawn(move || {
        let mut own = running::own();
        if let Ok(child) = command.spawn() {
            own.insert(child.id());
        }
    })?;
    Ok(tells)
}

/// What `benchdog keep PID` does: waits for the end of that process, and cleans up after it.
pub(crate) fn keep(of: &str, give_terminal_back: impl FnOnce()) {
    // In a session of its own, the signals that the terminal sends to its jobs do not reach it.
    let _ = rustix::process::setsid();
    let mut taken = false;
    let mut said = [0_u8; 64];
    loop {
        match io::stdin().read(&mut said) {
            Ok(0) => break,
            Ok(count) => taken = said.get(..count).and_then(<[u8]>::last) == Some(&TAKEN),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
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
        let left = family::marked_with(&marks);
        if left.is_empty() || Instant::now() >= end {
            return;
        }
        family::signal_all(&left, Signal::KILL);
        std::thread::sleep(Duration::from_millis(5));
    }
}
