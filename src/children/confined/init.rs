//! The first process inside. It sets everything up, starts the program, and waits for all that comes of it; when it ends, nothing
//! of the call is left.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::MemfdFlags;
use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions};

use super::landlock::{self, View};
use super::outside::refused;
use super::plan::{Extent, Files, Handed, Plan, Said, Task, say, take, tried};
use super::{calls, mounts, network, rights, signals};
use crate::{GRACE, as_pid, family};
use benchdog_domain::confinement::{Missing, Part};

/// `exec-child init PROGRAM ARGUMENT…`, as the process outside starts it.
pub(crate) fn init(words: &[OsString]) -> io::Result<ExitCode> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    signals::hear_none()?;
    let mut outside = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    say(&mut outside, &Said::Ready)?;
    let Handed {
        plan,
        mut missing,
        folder,
        task,
    } = take(&mut outside)?;
    let Extent::Files(files) = &plan.extent else {
        return Ok(ExitCode::FAILURE);
    };
    set_up(&plan, files, &folder, &mut missing);
    if let Some(why) = refused(&plan, &missing) {
        say(&mut outside, &Said::Refused { why })?;
        return Ok(ExitCode::FAILURE);
    }
    let own_proc = holds(&plan, Part::Processes, &missing) && holds(&plan, Part::Mounts, &missing);
    // Who ends all others must be the first of its namespace, or these others are everybody's.
    let own_proc = own_proc && is_first().is_ok();
    say(&mut outside, &Said::Stands { missing })?;
    let (Task::Run, Some((program, rest))) = (task, words.split_first()) else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut command = Command::new(program);
    // A group of its own: a signal to the whole group means the program's, not ours.
    command
        .args(rest)
        .current_dir(&folder)
        .stdin(input(&plan)?)
        .process_group(0);
    signals::hear_all();
    let started = command.spawn();
    signals::hear_none()?;
    let ended = match started {
        Err(error) => Said::Refused { why: error.to_string() },
        // Only where `/proc` shows this namespace can be told who is in it.
        Ok(child) if own_proc => wait_for_all(&child)?,
        Ok(mut child) => Said::Ended {
            status: child.wait()?.into_raw(),
            left: Vec::new(),
        },
    };
    say(&mut outside, &ended)?;
    Ok(ExitCode::SUCCESS)
}

/// Standard input of the program: a file in memory, so that no writer has to wait for it.
fn input(plan: &Plan) -> io::Result<Stdio> {
    let Some(text) = &plan.input else {
        return Ok(Stdio::null());
    };
    let mut file = File::from(rustix::fs::memfd_create("benchdog-input", MemfdFlags::CLOEXEC)?);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(Stdio::from(file))
}

fn holds(plan: &Plan, part: Part, missing: &[Missing]) -> bool {
    plan.wants(part) && missing.iter().all(|known| known.part != part)
}

fn set_up(plan: &Plan, files: &Files, folder: &std::path::Path, missing: &mut Vec<Missing>) {
    let own_mounts = holds(plan, Part::Mounts, missing);
    if holds(plan, Part::Processes, missing) {
        also(Part::Processes, missing, is_first);
    }
    // A session of its own, in which nothing outside has a part.
    let _ = rustix::process::setsid();
    let mut view = View::Everybodys;
    if own_mounts {
        also(Part::Mounts, missing, mounts::keep_to_ourselves);
        if holds(plan, Part::Processes, missing) {
            also(Part::Processes, missing, mounts::own_proc);
        }
        also(Part::Mounts, missing, || mounts::lay_out(files, folder));
        if holds(plan, Part::Mounts, missing) {
            view = View::Own;
        }
    }
    if holds(plan, Part::Network, missing) {
        also(Part::Network, missing, network::bring_up);
    }
    also(Part::Calls, missing, || {
        rights::give_up()?;
        Ok(rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
    });
    tried(plan, Part::Landlock, missing, || {
        landlock::restrict(files, plan.network, view)
    });
    tried(plan, Part::Calls, missing, calls::forbid);
}

/// The first process of its namespace has this number in it and no other.
fn is_first() -> io::Result<()> {
    if rustix::process::getpid() == Pid::INIT {
        return Ok(());
    }
    Err(io::Error::other("the process namespace is not a new one"))
}

/// A further step of a part. Its error is what the part is missing for.
fn also(part: Part, missing: &mut Vec<Missing>, step: impl FnOnce() -> io::Result<()>) {
    if let Err(error) = step() {
        missing.push(Missing {
            part,
            why: error.to_string(),
        });
    }
}

/// As the first process of its namespace: everybody's orphans come here, and with its end all are ended.
fn wait_for_all(child: &Child) -> io::Result<Said> {
    let child = i32::try_from(child.id()).unwrap_or_default();
    let status = loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_nonzero().get() == child => break status,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    };
    Ok(Said::Ended {
        status: ExitStatus::from_raw(status.as_raw()).into_raw(),
        left: end_rest(),
    })
}

/// Asks what is left to end, ends what has not done so in a moment, and tells what it was.
fn end_rest() -> Vec<(u32, String)> {
    let started = Instant::now();
    let mut known = BTreeMap::new();
    let mut pause = Duration::from_millis(1);
    loop {
        while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        let running = others();
        for pid in &running {
            known.entry(*pid).or_insert_with(|| {
                as_pid(*pid).map(|pid| {
                    let _ = rustix::process::kill_process(pid, Signal::TERM);
                    rustix::process::kill_process(pid, Signal::CONT)
                });
                family::name(*pid)
            });
        }
        // What comes faster than it is ended goes with this process.
        if running.is_empty() || started.elapsed() > GRACE * 5 {
            return known.into_iter().collect();
        }
        if started.elapsed() > GRACE {
            running.iter().filter_map(|pid| as_pid(*pid)).for_each(|pid| {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Every process here but this one.
fn others() -> Vec<u32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != std::process::id())
        .filter(|pid| benchdog_base::process::stat(*pid).is_some_and(|stat| !stat.zombie))
        .collect()
}
