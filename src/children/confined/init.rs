//! The first process inside the sandbox. It receives a command, sets up the sandbox, starts the program and waits for
//! all descendants. When `init` ends, no process of the call remains.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sched::{CloneFlags, unshare};
use rustix::fs::MemfdFlags;
use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions};

use super::landlock::{self, View};
use super::outer::refusal;
use super::plan::{Assignment, Extent, Message, Plan, Preparation, Task, receive_with_files, send, try_part};
use super::{calls, mounts, network, rights, signals};
use crate::{GRACE, as_pid, process_tree};
use benchdog_domain::confinement::{Missing, Part};

pub(crate) fn init(made: &OsStr) -> io::Result<ExitCode> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    signals::hear_none()?;
    let made: Preparation = serde_json::from_slice(made.as_encoded_bytes())?;
    let mut engine = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    // Fails if the outer process is gone. This process must then end instead of waiting.
    rustix::io::write(io::stdout(), b"\n")?;
    let (Assignment { plan, folder, task }, files) = receive_with_files(&mut engine)?;
    let ended = match confine(plan, &folder, made, &mut engine) {
        Err(error) => Some(Message::Refused { why: error.to_string() }),
        Ok(None) => None,
        Ok(Some(Stands {
            own_proc,
            input,
            folder,
        })) => match task {
            Task::Probe => None,
            Task::Run {
                program,
                arguments,
                variables,
            } => {
                let mut files = files.into_iter();
                let mut next = || files.next().ok_or(io::ErrorKind::InvalidData);
                let (output, errors) = (next()?, next()?);
                let input = files.next().map_or(input, Stdio::from);
                let mut command = Command::new(program);
                command
                    .args(arguments)
                    .env_clear()
                    .envs(variables)
                    .current_dir(folder)
                    .stdin(input)
                    .stdout(output)
                    .stderr(errors)
                    // The program has its own process group, so that a signal to the group reaches only the program.
                    .process_group(0);
                Some(run(command, own_proc)?)
            }
        },
    };
    ended.map_or(Ok(()), |ended| send(&mut engine, &ended))?;
    Ok(ExitCode::SUCCESS)
}

/// Result of the sandbox setup.
struct Stands {
    /// Whether `/proc` shows the processes of this namespace and no others.
    own_proc: bool,
    input: Stdio,
    folder: PathBuf,
}

/// Sets up the sandbox. Reports to the engine whether that worked. Returns `None` if a required part is missing.
fn confine(mut plan: Plan, folder: &Path, made: Preparation, engine: &mut UnixStream) -> io::Result<Option<Stands>> {
    rustix::process::chdir(folder)?;
    let folder = fs::read_link("/proc/self/cwd")?;
    let input = input(&plan)?;
    let Extent::Files(files) = &mut plan.extent else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    // List the sockets before entering the new network namespace, because the kernel lists only sockets of the current
    // namespace.
    files.hidden.extend(sockets().into_iter().filter(|socket| {
        !files.writable.iter().any(|tree| socket.starts_with(tree)) && !files.visible.contains(socket)
    }));
    let mut missing = Vec::new();
    unshare_all(&plan, made, &mut missing);
    set_up(&plan, &folder, &mut missing);
    if let Some(why) = refusal(&plan, &missing) {
        send(engine, &Message::Refused { why })?;
        return Ok(None);
    }
    let own_proc = holds(&plan, Part::Processes, &missing) && holds(&plan, Part::Mounts, &missing);
    // Only the first process of a namespace may end all other processes. In a shared namespace, some processes belong
    // to other programs.
    let own_proc = own_proc && is_first().is_ok();
    send(engine, &Message::Stands { missing })?;
    Ok(Some(Stands {
        own_proc,
        input,
        folder,
    }))
}

fn run(mut command: Command, own_proc: bool) -> io::Result<Message> {
    signals::hear_all();
    let started = command.spawn();
    // `command` holds copies of the output pipes. Close them, or their readers never reach the end.
    drop(command);
    signals::hear_none()?;
    Ok(match started {
        Err(error) => Message::Refused { why: error.to_string() },
        // The descendants can only be found in a `/proc` of this namespace.
        Ok(child) if own_proc => wait_for_all(&child)?,
        Ok(mut child) => Message::Ended {
            status: child.wait()?.into_raw(),
            left: Vec::new(),
            is_all: false,
        },
    })
}

/// Creates the program's standard input as a file in memory, so that no writer has to wait for the program.
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

fn unshare_all(plan: &Plan, made: Preparation, missing: &mut Vec<Missing>) {
    let failed = |why: Option<&String>| why.map_or(Ok(()), |why| Err(io::Error::other(why.clone())));
    let mut own = |part: Part, flags: CloneFlags| {
        try_part(plan, part, missing, || {
            failed(made.rights.as_ref())?;
            Ok(unshare(flags)?)
        });
    };
    own(Part::Mounts, CloneFlags::CLONE_NEWNS);
    own(Part::Network, CloneFlags::CLONE_NEWNET);
    try_part(plan, Part::Processes, missing, || failed(made.processes.as_ref()));
}

fn set_up(plan: &Plan, folder: &Path, missing: &mut Vec<Missing>) {
    let Extent::Files(files) = &plan.extent else { return };
    let own_mounts = holds(plan, Part::Mounts, missing);
    if holds(plan, Part::Processes, missing) {
        also(Part::Processes, missing, is_first);
    }
    // Start a new session, so that no process from outside is in it.
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
    try_part(plan, Part::Landlock, missing, || {
        landlock::restrict(files, plan.network, view)
    });
    try_part(plan, Part::Calls, missing, calls::forbid);
}

/// Checks that this process is the first of its PID namespace: it has number 1, and there is no other process.
fn is_first() -> io::Result<()> {
    if rustix::process::getpid() == Pid::INIT {
        return Ok(());
    }
    Err(io::Error::other("the process namespace is not a new one"))
}

/// Runs a further setup step of a sandbox part. An error marks the part as missing.
fn also(part: Part, missing: &mut Vec<Missing>, step: impl FnOnce() -> io::Result<()>) {
    if let Err(error) = step() {
        missing.push(Missing {
            part,
            why: error.to_string(),
        });
    }
}

/// Reaps all processes of this namespace, and returns the status of `child`.
fn wait_for_all(child: &Child) -> io::Result<Message> {
    let child = i32::try_from(child.id()).unwrap_or_default();
    let status = loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_nonzero().get() == child => break status,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    };
    let left = end_rest();
    Ok(Message::Ended {
        status: ExitStatus::from_raw(status.as_raw()).into_raw(),
        left,
        is_all: others().is_empty(),
    })
}

/// Sends SIGTERM to the remaining processes, then SIGKILL, and returns their ids and names.
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
                process_tree::name(*pid)
            });
        }
        // Do not wait for processes that start faster than they are killed. They end with this process.
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

fn sockets() -> Vec<PathBuf> {
    let list = std::fs::read("/proc/net/unix").unwrap_or_default();
    let list = String::from_utf8_lossy(&list);
    let paths: std::collections::BTreeSet<&str> = list
        .lines()
        .filter_map(|line| Some(line.split_at_checked(line.find(" /")?)?.1.trim_start()))
        .collect();
    paths.into_iter().map(Path::new).map(Path::to_path_buf).collect()
}

fn others() -> Vec<u32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != std::process::id())
        .filter(|pid| benchdog_base::process::stat(*pid).is_some_and(|stat| !stat.zombie))
        .collect()
}
