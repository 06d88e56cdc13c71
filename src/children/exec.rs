//! `benchdog exec-child`: what stands between us and a program that we start. It makes the process what a call's child must be, and
//! becomes the program.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::Signal;

/// The name of the hidden command, which `main` looks for before anything else.
pub(crate) const EXEC_CHILD: &str = "exec-child";

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
    // Where this is not possible, `hides_environment` has said so before any child was started. A user without rights may not lower the bound
    // of rights, and has none to fear.
    let _ = super::privacy::give_up_reading();
    // After that, because a change of rights may clear it.
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // Whoever started us may have died before the signal was set.
    let alive = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().to_string());
    if alive.as_deref().map(OsStr::new) != Some(parent) {
        return io::Error::other("the program that started this is gone");
    }
    Command::new(program).args(rest).exec()
}
