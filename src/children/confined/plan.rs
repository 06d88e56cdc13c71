//! Messages between Benchdog, the process that waits outside, and the first process inside: a plan in, lines out. JSON over a
//! socket that only these three hold.

use std::collections::BTreeSet;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};

use super::raw_path;

use benchdog_domain::confinement::{Missing, Network, Part};

/// Sandbox plan for one child. Paths are absolute and exist.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Plan {
    pub extent: Extent,
    pub network: Network,
    /// Parts that may be missing, because a person was asked. Any other that cannot be had keeps the program from starting.
    pub accepted: BTreeSet<Part>,
    /// Parts that are not even tried, as if the kernel had none.
    pub without: BTreeSet<Part>,
    /// Standard input of the program. `None`: empty.
    #[serde(default)]
    pub input: Option<String>,
}

/// Extent of the sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Extent {
    /// The network alone.
    NetworkOnly,
    Files(Box<Files>),
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Files {
    /// Trees that may be written.
    #[serde(with = "raw_path::list")]
    pub writable: Vec<PathBuf>,
    /// Trees that stay readable where what lies above them is covered.
    #[serde(with = "raw_path::list")]
    pub visible: Vec<PathBuf>,
    /// Folders that are empty but for what is writable, visible or cached below them.
    #[serde(default, with = "raw_path::list")]
    pub covered: Vec<PathBuf>,
    /// Covered folders that may be written. Their content ends with the program.
    #[serde(default, with = "raw_path::list")]
    pub own: Vec<PathBuf>,
    /// Read-only paths inside writable trees.
    #[serde(with = "raw_path::list")]
    pub held: Vec<PathBuf>,
    /// Files and folders that read as empty.
    #[serde(with = "raw_path::list")]
    pub hidden: Vec<PathBuf>,
    /// Caches of tools, each with the layer that takes what is written.
    pub caches: Vec<Layered>,
    pub stage: Stage,
}

/// A folder that is read as it is; what is written goes to a layer above it, and nobody else sees it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Layered {
    #[serde(with = "raw_path")]
    pub folder: PathBuf,
    #[serde(with = "raw_path")]
    pub upper: PathBuf,
    #[serde(with = "raw_path")]
    pub work: PathBuf,
}

/// Folders that stand in for others.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Stage {
    /// Shown as `/tmp`.
    #[serde(with = "raw_path")]
    pub tmp: PathBuf,
    /// Shown as `/run`.
    #[serde(with = "raw_path")]
    pub run: PathBuf,
    /// An empty file, and an empty folder that nobody may open.
    #[serde(with = "raw_path")]
    pub no_file: PathBuf,
    #[serde(with = "raw_path")]
    pub no_folder: PathBuf,
}

/// One command, for the first process inside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Assignment {
    pub plan: Plan,
    #[serde(with = "raw_path")]
    pub folder: PathBuf,
    pub task: Task,
}

/// The outcome of the steps that need no plan: why each failed, if it did.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Preparation {
    /// The right to make namespaces.
    pub(super) rights: Option<String>,
    pub(super) processes: Option<String>,
}

/// Task to run after setup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Starts a program. Its two outputs come along as open files, and its input if it is spoken with.
    Run {
        #[serde(with = "raw_path")]
        program: PathBuf,
        arguments: Vec<String>,
        /// The whole environment.
        variables: Vec<(String, String)>,
    },
    /// Tests the setup and starts nothing.
    Probe,
}

/// Replies to the parent, one value per line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The first process inside waits for its plan. It ends with the process outside, which ends with Benchdog.
    Ready,
    /// Everything is set up but for this.
    Stands { missing: Vec<Missing> },
    /// The program was not started.
    Refused { why: String },
    /// Result of the program, and the processes it left running.
    Ended {
        /// The raw status of `wait`.
        status: i32,
        left: Vec<(u32, String)>,
        /// Whether all that it had started is gone.
        is_all: bool,
    },
}

pub(super) fn send(to: &mut impl Write, said: &Message) -> io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// Sends a value and closes this direction. After an error both are closed, so that nobody waits for the rest.
pub(super) fn send_value(to: &mut UnixStream, value: &impl Serialize) -> io::Result<()> {
    let sent = serde_json::to_vec(value)
        .map_err(io::Error::from)
        .and_then(|bytes| to.write_all(&bytes));
    to.shutdown(if sent.is_ok() { Shutdown::Write } else { Shutdown::Both })?;
    sent
}

/// Receives what `hand` sent.
pub(super) fn receive<T: for<'de> Deserialize<'de>>(from: &mut UnixStream) -> io::Result<T> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// The most open files that go along with a value.
const MOST_FILES: usize = 3;

/// Sends a value with open files, which travel with one byte before it.
pub(crate) fn send_with_files(to: &mut UnixStream, value: &impl Serialize, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FILES))];
    let mut along = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !along.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    sendmsg(&*to, &[IoSlice::new(b"\n")], &mut along, SendFlags::NOSIGNAL)?;
    send_value(to, value)
}

/// Receives what `hand_with` sent.
pub(super) fn receive_with_files<T: for<'de> Deserialize<'de>>(from: &mut UnixStream) -> io::Result<(T, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FILES))];
    let mut along = RecvAncillaryBuffer::new(&mut space);
    recvmsg(
        &*from,
        &mut [IoSliceMut::new(&mut [0])],
        &mut along,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    let files = along.drain().flat_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => files.collect(),
        _ => Vec::new(),
    });
    let files = files.collect();
    Ok((receive(from)?, files))
}

pub(crate) fn parse_messages(bytes: &[u8]) -> Vec<Message> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

impl Plan {
    /// Returns the sandbox parts this plan requires.
    pub(crate) fn parts(&self) -> BTreeSet<Part> {
        let mut parts = match &self.extent {
            Extent::NetworkOnly => BTreeSet::new(),
            Extent::Files(_) => BTreeSet::from([Part::Mounts, Part::Processes, Part::Landlock, Part::Calls]),
        };
        if self.network == Network::None {
            parts.insert(Part::Network);
        }
        parts
    }

    /// Whether a part is to be tried at all.
    pub(super) fn wants(&self, part: Part) -> bool {
        self.parts().contains(&part)
    }
}

/// A part that was tried: an error is what it is missing for.
pub(super) fn try_part(
    plan: &Plan,
    part: Part,
    missing: &mut Vec<Missing>,
    attempt: impl FnOnce() -> io::Result<()>,
) -> bool {
    if !plan.wants(part) || missing.iter().any(|known| known.part == part) {
        return false;
    }
    let outcome = if plan.without.contains(&part) {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    } else {
        attempt()
    };
    let held = outcome.is_ok();
    missing.extend(outcome.err().map(|error| Missing {
        part,
        why: error.to_string(),
    }));
    held
}

/// An error with the path it is about.
pub(super) fn with_path(path: &Path, error: impl Into<io::Error>) -> io::Error {
    let error: io::Error = error.into();
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
