//! The processes outside a confined child. For a child whose files are confined, one makes the namespaces that need no plan, starts the
//! first process inside, and waits: the call's thread waits for it, and a stop ends it. It can be started before there is a command.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};

use nix::sched::{CloneFlags, unshare};
use rustix::thread::CapabilitySet;

use super::plan::{Message, Plan, Preparation, receive, send, try_part};
use super::{INIT, network, rights, signals};
use crate::EXEC_CHILD;
use crate::exec::bind_to;
use benchdog_domain::confinement::{Missing, Part};

/// Cuts off the network and becomes the program. `words` are empty where it is only tried.
pub(crate) fn cut_off(parent: &OsStr, words: &[OsString]) -> io::Result<ExitCode> {
    let mut engine = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let plan: Plan = receive(&mut engine)?;
    let mut missing = Vec::new();
    try_part(&plan, Part::Network, &mut missing, || {
        own_rights()?;
        unshare(CloneFlags::CLONE_NEWNET)?;
        network::bring_up()
    });
    if let Some(why) = refusal(&plan, &missing) {
        send(&mut engine, &Message::Refused { why })?;
        return Ok(ExitCode::FAILURE);
    }
    send(&mut engine, &Message::Stands { missing })?;
    let Some((program, rest)) = words.split_first() else {
        return Ok(ExitCode::SUCCESS);
    };
    rustix::thread::clear_ambient_capability_set()?;
    let _ = crate::privacy::give_up_reading();
    rustix::thread::set_no_new_privs(true)?;
    bind_to(parent)?;
    Err(Command::new(program).args(rest).stdin(Stdio::null()).exec())
}

/// Makes the process namespace, starts the first process in it, which then waits for a command on standard input, and ends with that
/// process. With `without_processes` it does as if the kernel had no such namespace.
pub(crate) fn stand_by(parent: &OsStr, without_processes: bool) -> io::Result<ExitCode> {
    // A polite signal is for the program; this process ends when that has ended, or when it is killed.
    signals::hear_none()?;
    let rights = own_rights();
    let processes = match &rights {
        _ if without_processes => Err(io::ErrorKind::Unsupported.into()),
        Ok(()) => unshare(CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWIPC).map_err(io::Error::from),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    };
    let made = Preparation {
        rights: rights.err().map(|error| error.to_string()),
        processes: processes.err().map(|error| error.to_string()),
    };
    // Only now: new rights clear it.
    bind_to(parent)?;
    let (mut bound, tells) = io::pipe()?;
    let mut child = Command::new("/proc/self/exe")
        .arg(EXEC_CHILD)
        .arg(INIT)
        .arg(serde_json::to_string(&made)?)
        .stdin(io::stdin().as_fd().try_clone_to_owned()?)
        .stdout(tells)
        .spawn()?;
    // No plan is handed over before the end of this process would end the other.
    if bound.read(&mut [0])? > 0 {
        let mut engine = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        send(&mut engine, &Message::Ready)?;
    }
    child.wait()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the missing part of the sandbox that forbids the start.
pub(super) fn refusal(plan: &Plan, missing: &[Missing]) -> Option<String> {
    let missing = missing.iter().find(|missing| !plan.accepted.contains(&missing.part))?;
    Some(format!("{}: {}", missing.part.code(), missing.why))
}

/// The right to make namespaces: what root has anyway, and what anybody has in a user namespace of their own.
fn own_rights() -> io::Result<()> {
    let own = rustix::thread::capabilities(None)?;
    if own.effective.contains(CapabilitySet::SYS_ADMIN) {
        return Ok(());
    }
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    // Everybody is who they were; all others are nobody.
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    rights::keep_for_setup()
}
