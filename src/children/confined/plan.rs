//! Messages between Benchdog, the outer process and `init`: Benchdog sends a plan and receives result lines. All
//! messages are JSON over a socket that only these three processes share.

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
    /// Sandbox parts that may be missing, because a person accepted that. If any other part is missing, the program
    /// does not start.
    pub accepted: BTreeSet<Part>,
    /// Parts that are not tried, as if the kernel lacked them.
    pub without: BTreeSet<Part>,
    /// Standard input of the program. `None` for empty input.
    #[serde(default)]
    pub input: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Extent {
    /// Only the network is disconnected.
    NetworkOnly,
    Files(Box<Files>),
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Files {
    #[serde(with = "raw_path::list")]
    pub writable: Vec<PathBuf>,
    /// Trees that stay readable inside folders that appear empty.
    #[serde(with = "raw_path::list")]
    pub visible: Vec<PathBuf>,
    /// Folders that appear empty, except for writable, visible or cached paths below them.
    #[serde(default, with = "raw_path::list")]
    pub covered: Vec<PathBuf>,
    /// Folders of `covered` in which the program may write. Their content is discarded when the program ends.
    #[serde(default, with = "raw_path::list")]
    pub own: Vec<PathBuf>,
    /// Read-only paths inside writable trees.
    #[serde(with = "raw_path::list")]
    pub held: Vec<PathBuf>,
    /// Files and folders that appear empty.
    #[serde(with = "raw_path::list")]
    pub hidden: Vec<PathBuf>,
    pub caches: Vec<Layered>,
    pub stage: Stage,
}

/// A cache folder with an overlay: reads see the folder's content, and writes go to a private layer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Layered {
    #[serde(with = "raw_path")]
    pub folder: PathBuf,
    #[serde(with = "raw_path")]
    pub upper: PathBuf,
    #[serde(with = "raw_path")]
    pub work: PathBuf,
}

/// Files and folders that are mounted over others in the sandbox.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Stage {
    #[serde(with = "raw_path")]
    pub tmp: PathBuf,
    #[serde(with = "raw_path")]
    pub run: PathBuf,
    /// The empty file that is mounted over hidden files, as the empty folder `no_folder` is over hidden folders.
    #[serde(with = "raw_path")]
    pub no_file: PathBuf,
    #[serde(with = "raw_path")]
    pub no_folder: PathBuf,
}

/// One command, for `init`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Assignment {
    pub plan: Plan,
    #[serde(with = "raw_path")]
    pub folder: PathBuf,
    pub task: Task,
}

/// Errors of the setup steps that need no plan. `None` means that the step succeeded.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Preparation {
    /// Error when obtaining the right to create namespaces.
    pub(super) rights: Option<String>,
    pub(super) processes: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Starts a program. The message carries the files for the outputs, and for the input of an interactive program.
    Run {
        #[serde(with = "raw_path")]
        program: PathBuf,
        arguments: Vec<String>,
        /// All environment variables.
        variables: Vec<(String, String)>,
    },
    /// Tests the setup and starts nothing.
    Probe,
}

/// Replies to the parent, one value per line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// `init` waits for its plan, and is bound to the outer process, which is bound to Benchdog.
    Ready,
    /// The sandbox is set up, except for the missing parts.
    Stands { missing: Vec<Missing> },
    /// The program was not started.
    Refused { why: String },
    /// Result of the program, and the processes that the program left running.
    Ended {
        /// The raw exit status from `wait`.
        status: i32,
        left: Vec<(u32, String)>,
        /// Whether all processes that the program started have ended.
        is_all: bool,
    },
}

pub(super) fn send(to: &mut impl Write, said: &Message) -> io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// Sends a value and closes this direction. After an error, closes both directions, so that the peer does not wait for
/// the rest.
pub(super) fn send_value(to: &mut UnixStream, value: &impl Serialize) -> io::Result<()> {
    let sent = serde_json::to_vec(value)
        .map_err(io::Error::from)
        .and_then(|bytes| to.write_all(&bytes));
    to.shutdown(if sent.is_ok() { Shutdown::Write } else { Shutdown::Both })?;
    sent
}

pub(super) fn receive<T: for<'de> Deserialize<'de>>(from: &mut UnixStream) -> io::Result<T> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

const MOST_FILES: usize = 3;

/// Sends a value with files. The files are attached to one extra byte before the value.
pub(crate) fn send_with_files(to: &mut UnixStream, value: &impl Serialize, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FILES))];
    let mut along = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !along.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    sendmsg(&*to, &[IoSlice::new(b"\n")], &mut along, SendFlags::NOSIGNAL)?;
    send_value(to, value)
}

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

    pub(super) fn wants(&self, part: Part) -> bool {
        self.parts().contains(&part)
    }
}

/// Tries to set up a part, and returns whether that worked. An error adds the part to `missing`.
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

pub(super) fn with_path(path: &Path, error: impl Into<io::Error>) -> io::Error {
    let error: io::Error = error.into();
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
