//! The outer processes of a confined child. For a file sandbox, an outer process creates the namespaces that need no
//! plan, starts `init` and waits for it. The call's thread waits for the outer process, and ends it when the call is
//! stopped. The outer process may start before there is a command.

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

/// Disconnects this process from the network and becomes the program. `words` is empty for a probe.
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

/// Creates the process namespace and starts its first process, which reads a command from standard input. Returns when
/// that process ends. With `without_processes`, behaves as if the kernel did not support process namespaces.
pub(crate) fn stand_by(parent: &OsStr, without_processes: bool) -> io::Result<ExitCode> {
    // Block SIGTERM, which is meant for the program. This process ends after the program, or by SIGKILL.
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
    // Bind only now, because a change of rights clears the parent-death signal.
    bind_to(parent)?;
    let (mut bound, tells) = io::pipe()?;
    let mut child = Command::new("/proc/self/exe")
        .arg(EXEC_CHILD)
        .arg(INIT)
        .arg(serde_json::to_string(&made)?)
        .stdin(io::stdin().as_fd().try_clone_to_owned()?)
        .stdout(tells)
        .spawn()?;
    // Send `Ready` only after the child is bound to this process, so that the end of this process also ends the child.
    if bound.read(&mut [0])? > 0 {
        let mut engine = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        send(&mut engine, &Message::Ready)?;
    }
    child.wait()?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn refusal(plan: &Plan, missing: &[Missing]) -> Option<String> {
    let missing = missing.iter().find(|missing| !plan.accepted.contains(&missing.part))?;
    Some(format!("{}: {}", missing.part.code(), missing.why))
}

/// Obtains the right to create namespaces. Root has this right, and other users get it in a new user namespace.
fn own_rights() -> io::Result<()> {
    let own = rustix::thread::capabilities(None)?;
    if own.effective.contains(CapabilitySet::SYS_ADMIN) {
        return Ok(());
    }
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    // Map only the own user and group. All others appear as nobody.
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    rights::keep_for_setup()
}
