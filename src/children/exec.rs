//! `benchdog exec-child`: the step between us and a program of a call. It sets up its own process as a call's child must be, and
//! then becomes the program, or waits outside for one that is confined.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::process::Signal;

use super::confined::{self, signals};
use super::service::SERVICE;

/// The name of the hidden command, which `main` looks for before anything else.
pub const EXEC_CHILD: &str = "exec-child";

/// Runs `benchdog exec-child PARENT PROGRAM ARGUMENT…`: leads a new session and becomes the program. The process dies with the
/// thread that started it. Returns only if `exec` failed, or after a confined program has ended.
pub fn exec_child(arguments: &[OsString]) -> io::Result<ExitCode> {
    signals::hear_all();
    if let [mark, made] = arguments
        && mark == confined::INIT
    {
        return confined::init(made);
    }
    if let [mark, program, rest @ ..] = arguments
        && mark == SERVICE
    {
        // No terminal, and no signal of one.
        rustix::process::setsid()?;
        let _ = super::privacy::give_up_reading();
        return Err(become_it(program, rest));
    }
    if let [mark, parent, rest @ ..] = arguments
        && (mark == confined::STANDBY || mark == confined::CUT_OFF)
    {
        rustix::process::setsid()?;
        bind_to(parent)?;
        if mark == confined::CUT_OFF {
            return confined::cut_off(parent, rest);
        }
        return confined::stand_by(parent, rest.iter().any(|word| word == confined::WITHOUT_PROCESSES));
    }
    let [parent, program, rest @ ..] = arguments else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "usage: exec-child PARENT PROGRAM [ARGUMENT…]",
        ));
    };
    // A session of its own: it has no terminal to ask the person on, and can be ended as a whole.
    rustix::process::setsid()?;
    // The result is not needed: `hides_environment` has said before the first child whether this works, and for an ordinary user, who may not
    // lower the bounding set, there are no rights to give up.
    let _ = super::privacy::give_up_reading();
    // After that, because a change of rights may clear it.
    bind_to(parent)?;
    Err(become_it(program, rest))
}

/// Answers only where there is no such program, with its name: who reads that has not started this one.
fn become_it(program: &OsStr, arguments: &[OsString]) -> io::Error {
    let error = Command::new(program).args(arguments).exec();
    io::Error::new(error.kind(), format!("`{}`: {error}", program.to_string_lossy()))
}

/// Ends this process with the thread that started it.
pub(super) fn bind_to(parent: &OsStr) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // Whoever started us may have died before the signal was set.
    let alive = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().to_string());
    if alive.as_deref().map(OsStr::new) != Some(parent) {
        return Err(io::Error::other("the program that started this is gone"));
    }
    Ok(())
}
