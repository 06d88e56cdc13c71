//! Implements `benchdog exec-child`, the step between Benchdog and the program of a call. The command prepares its own
//! process and then becomes the program. For a confined program, `exec-child` stays outside the sandbox and waits.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::process::Signal;

use super::confined::{self, signals};
use super::service::SERVICE;

/// The name of the hidden command, which `main` checks first.
pub const EXEC_CHILD: &str = "exec-child";

/// Runs `benchdog exec-child PARENT PROGRAM ARGUMENT…`: leads a new session and becomes the program. The process dies
/// with the thread that started it. Returns only if `exec` failed, or after a confined program has ended.
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
    // In a new session, programs have no terminal on which to ask the person, and all processes can be ended together.
    rustix::process::setsid()?;
    // Ignore the error, which is normal for a user without such rights. `hides_environment` reports other failures.
    let _ = super::privacy::give_up_reading();
    // Do this last, because a change of rights may clear the parent-death signal.
    bind_to(parent)?;
    Err(become_it(program, rest))
}

/// Becomes the program. Returns only the error of a failed `exec`, with the program's name.
fn become_it(program: &OsStr, arguments: &[OsString]) -> io::Error {
    let error = Command::new(program).args(arguments).exec();
    io::Error::new(error.kind(), format!("`{}`: {error}", program.to_string_lossy()))
}

/// Makes the kernel kill this process when the thread that started it ends.
pub(super) fn bind_to(parent: &OsStr) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent may have died before the signal was set.
    let alive = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().to_string());
    if alive.as_deref().map(OsStr::new) != Some(parent) {
        return Err(io::Error::other("the program that started this is gone"));
    }
    Ok(())
}
