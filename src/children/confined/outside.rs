//! The process that waits outside for a confined child: it makes the namespaces, starts the first process inside, and hands on what
//! that one says. It is what the call's thread waits for and what a stop ends.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use nix::sched::{CloneFlags, unshare};
use rustix::thread::CapabilitySet;

use super::plan::{Extent, Handed, Plan, Said, Task, hand, heard, say, take, tried};
use super::{INIT, network, rights, signals};
use crate::EXEC_CHILD;
use crate::exec::bind_to;
use benchdog_domain::confinement::{Missing, Part};

/// Becomes a confined program where that takes no process beside it, else waits for it and answers how to exit.
pub(crate) fn confine(parent: &OsStr, words: &[OsString], task: Task) -> io::Result<ExitCode> {
    let mut engine = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let plan: Plan = take(&mut engine)?;
    match &plan.extent {
        Extent::NetworkOnly => cut_off(&plan, parent, words, task, &mut engine),
        Extent::Files(_) => outside(plan, parent, words, task, &mut engine),
    }
}

/// Cuts off the network and becomes the program.
fn cut_off(
    plan: &Plan,
    parent: &OsStr,
    words: &[OsString],
    task: Task,
    engine: &mut UnixStream,
) -> io::Result<ExitCode> {
    let mut missing = Vec::new();
    tried(plan, Part::Network, &mut missing, || {
        own_rights()?;
        unshare(CloneFlags::CLONE_NEWNET)?;
        network::bring_up()
    });
    if let Some(why) = refused(plan, &missing) {
        say(engine, &Said::Refused { why })?;
        return Ok(ExitCode::FAILURE);
    }
    say(engine, &Said::Stands { missing })?;
    let (Task::Run, Some((program, rest))) = (task, words.split_first()) else {
        return Ok(ExitCode::SUCCESS);
    };
    rustix::thread::clear_ambient_capability_set()?;
    let _ = crate::privacy::give_up_reading();
    rustix::thread::set_no_new_privs(true)?;
    bind_to(parent)?;
    Err(Command::new(program).args(rest).stdin(Stdio::null()).exec())
}

fn outside(
    mut plan: Plan,
    parent: &OsStr,
    words: &[OsString],
    task: Task,
    engine: &mut UnixStream,
) -> io::Result<ExitCode> {
    // A polite signal is for the program; this process ends when that has ended, or when it is killed.
    signals::hear_none()?;
    let folder = std::fs::read_link("/proc/self/cwd")?;
    // Before the namespaces: the list is that of the network one is in.
    if let Extent::Files(files) = &mut plan.extent {
        files.hidden.extend(sockets().into_iter().filter(|socket| {
            !files.writable.iter().any(|tree| socket.starts_with(tree)) && !files.visible.contains(socket)
        }));
    }
    let mut missing = Vec::new();
    unshare_all(&plan, &mut missing);
    // Only now: new rights clear it.
    bind_to(parent)?;
    let (mut inside, theirs) = UnixStream::pair()?;
    let mut child = Command::new("/proc/self/exe")
        .arg(EXEC_CHILD)
        .arg(INIT)
        .args(words)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .spawn()?;
    let mut lines = BufReader::new(inside.try_clone()?);
    let mut first = Vec::new();
    lines.read_until(b'\n', &mut first)?;
    if heard(&first) == [Said::Ready] {
        let handed = Handed {
            plan,
            missing,
            folder,
            task,
        };
        hand(&mut inside, &handed)?;
        io::copy(&mut lines, engine)?;
    }
    child.wait()?;
    Ok(ExitCode::SUCCESS)
}

/// Why the program must not be started, if it must not.
pub(super) fn refused(plan: &Plan, missing: &[Missing]) -> Option<String> {
    let missing = missing.iter().find(|missing| !plan.accepted.contains(&missing.part))?;
    Some(format!("{}: {}", missing.part.code(), missing.why))
}

fn unshare_all(plan: &Plan, missing: &mut Vec<Missing>) {
    let may = own_rights();
    let mut own = |part: Part, flags: CloneFlags| {
        tried(plan, part, missing, || {
            may.as_ref()
                .map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
            Ok(unshare(flags)?)
        });
    };
    own(Part::Mounts, CloneFlags::CLONE_NEWNS);
    own(Part::Processes, CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWIPC);
    own(Part::Network, CloneFlags::CLONE_NEWNET);
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

/// Sockets in the file system that somebody listens on, as the kernel lists them.
fn sockets() -> Vec<PathBuf> {
    let list = std::fs::read("/proc/net/unix").unwrap_or_default();
    let list = String::from_utf8_lossy(&list);
    let paths: std::collections::BTreeSet<&str> = list
        .lines()
        .filter_map(|line| Some(line.split_at_checked(line.find(" /")?)?.1.trim_start()))
        .collect();
    paths.into_iter().map(Path::new).map(Path::to_path_buf).collect()
}
