//! Benchdog's end of the channel to a confined child: sends the plan, and reads the result after the child has ended.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use super::plan::{Assignment, Extent, Message, Plan, Task, parse_messages, send_value, send_with_files};
use super::{CUT_OFF, STANDBY, WITHOUT_PROCESSES};
use crate::launch::own;
use crate::{EXEC_CHILD, Leftover};
use benchdog_domain::confinement::{Missing, Part};

/// Maximum duration of each step of a probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Channel {
    ours: BufReader<UnixStream>,
    messages: Vec<Message>,
    /// Whether the program's end is reported on this channel. Otherwise the child itself becomes the program, and its
    /// exit status is the result.
    reports_end: bool,
    /// Whether the program writes no workspace files. Then the call can end before the program's mounts are gone.
    reads_only: bool,
}

pub(crate) struct End {
    pub status: io::Result<ExitStatus>,
    pub left: Vec<Leftover>,
}

impl Channel {
    /// Creates a channel, and connects it to the standard input of `command`.
    pub(crate) fn of(command: &mut Command) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        command.stdin(Stdio::from(OwnedFd::from(theirs)));
        Ok(Self {
            ours: BufReader::new(ours),
            messages: Vec::new(),
            reports_end: false,
            reads_only: false,
        })
    }

    /// Sends the plan to a child that is only disconnected from the network. Ignores errors, because the exit status of
    /// a dead child shows the reason.
    pub(crate) fn cut_off(&mut self, plan: &Plan) {
        let _ = send_value(self.ours.get_mut(), plan);
    }

    /// Waits until the standby processes are ready. Returns `false` if they failed.
    pub(crate) fn wait_until_ready(&mut self) -> bool {
        self.receive() && self.messages == [Message::Ready]
    }

    pub(crate) fn hand_over(&mut self, assignment: &Assignment, files: &[BorrowedFd<'_>]) {
        if let Extent::Files(held) = &assignment.plan.extent {
            self.reads_only = held.writable.is_empty() && held.caches.is_empty();
        }
        let _ = send_with_files(self.ours.get_mut(), assignment, files);
    }

    /// Waits for the program's end. Returns `None` if the caller must also wait for the outer processes, because
    /// processes are left or workspace files are still mounted.
    pub(crate) fn early_end(&mut self) -> Option<End> {
        if !self.reads_only {
            return None;
        }
        while self.receive() {
            if let Some(Message::Ended { status, left, is_all }) = self.messages.last() {
                return is_all.then(|| End::of(*status, left));
            }
        }
        None
    }

    /// Returns the result of the child. `status` is the exit status of the outer process.
    pub(crate) fn end(mut self, status: io::Result<ExitStatus>) -> End {
        while self.receive() {}
        // If no result was reported, an exit code comes from the outer process, not from the command. A signal is a
        // valid result, because Benchdog may have sent it.
        let is_set_up = self.messages.iter().any(|said| matches!(said, Message::Stands { .. }));
        let unreported = |status: ExitStatus| match status.code().filter(|_| self.reports_end) {
            Some(_) if is_set_up => Err(io::Error::other("the sandbox ended before the command")),
            Some(_) => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "the sandbox could not start",
            )),
            None => Ok(status),
        };
        let end = End {
            status: status.and_then(unreported),
            left: Vec::new(),
        };
        self.messages.into_iter().fold(end, |end, said| match said {
            Message::Ready | Message::Stands { .. } => end,
            Message::Refused { why } => End {
                status: Err(io::Error::new(io::ErrorKind::Unsupported, why)),
                ..end
            },
            Message::Ended { status, left, .. } => End::of(status, &left),
        })
    }

    fn set_timeout(&self) -> io::Result<()> {
        self.ours.get_ref().set_read_timeout(Some(PROBE_TIMEOUT))
    }

    /// Waits for the next message. Returns `false` if the other side has closed the channel, or after the timeout.
    fn receive(&mut self) -> bool {
        let mut bytes = Vec::new();
        let is_over = !matches!(self.ours.read_until(b'\n', &mut bytes), Ok(1..));
        self.messages.extend(parse_messages(&bytes));
        !is_over
    }
}

impl End {
    fn of(status: i32, left: &[(u32, String)]) -> Self {
        let left = left.iter().map(|(pid, name)| Leftover {
            pid: *pid,
            name: name.clone(),
            ended: true,
        });
        Self {
            status: Ok(ExitStatus::from_raw(status)),
            left: left.collect(),
        }
    }
}

pub(crate) fn standby(launcher: &Path, without_processes: bool) -> io::Result<(Command, Channel)> {
    let mut command = Command::new(launcher);
    let without = without_processes.then_some(WITHOUT_PROCESSES);
    command
        .args([EXEC_CHILD, STANDBY])
        .arg(std::process::id().to_string())
        .args(without)
        .current_dir("/")
        .env_clear()
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let channel = Channel::of(&mut command)?;
    Ok((
        command,
        Channel {
            reports_end: true,
            ..channel
        },
    ))
}

/// Sets up a plan without starting a program, and returns the parts that this system lacks.
pub fn probe(launcher: &Path, mut plan: Plan, folder: &Path) -> Vec<Missing> {
    plan.accepted = Part::ALL.into_iter().collect();
    let wanted = plan.parts();
    run_probe(launcher, plan, folder).unwrap_or_else(|error| {
        let all = wanted.into_iter();
        all.map(|part| Missing {
            part,
            why: error.to_string(),
        })
        .collect()
    })
}

/// Spawns a child and registers it in `OWN`, so that it is never mistaken for a leftover of a call.
fn spawn_own(mut command: Command) -> io::Result<Child> {
    let mut own = own();
    let child = command.spawn()?;
    own.insert(child.id());
    Ok(child)
}

fn run_probe(launcher: &Path, plan: Plan, folder: &Path) -> io::Result<Vec<Missing>> {
    let (mut child, mut channel) = match &plan.extent {
        Extent::NetworkOnly => {
            let mut command = Command::new(launcher);
            command
                .args([OsStr::new(EXEC_CHILD), OsStr::new(CUT_OFF)])
                .arg(std::process::id().to_string())
                .current_dir(folder)
                .env_clear()
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let mut channel = Channel::of(&mut command)?;
            let child = spawn_own(command)?;
            channel.set_timeout()?;
            channel.cut_off(&plan);
            (child, channel)
        }
        Extent::Files(_) => {
            let (command, mut channel) = standby(launcher, plan.without.contains(&Part::Processes))?;
            let child = spawn_own(command)?;
            channel.set_timeout()?;
            if channel.wait_until_ready() {
                let assignment = Assignment {
                    plan,
                    folder: folder.to_path_buf(),
                    task: Task::Probe,
                };
                channel.hand_over(&assignment, &[]);
            }
            (child, channel)
        }
    };
    while channel.receive() {}
    // A probe that takes too long has no reliable result.
    let _ = child.kill();
    let ended = child.wait();
    own().remove(&child.id());
    ended?;
    let (mut missing, mut why) = (None, None);
    for said in channel.messages {
        match said {
            Message::Stands { missing: found } => missing = Some(found),
            Message::Refused { why: told } => why = Some(told),
            Message::Ready | Message::Ended { .. } => {}
        }
    }
    let why = why.unwrap_or_else(|| "the trial of the sandbox did not end".to_owned());
    missing.ok_or_else(|| io::Error::other(why))
}
