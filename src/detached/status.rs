//! Status files of running workbenches, one for each process, for `benchdog agents`.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

use super::{DetachedError, folder};
use benchdog_base::process::stat;

/// Maximum size of a status file. Larger files are not read.
const LARGEST: u64 = 1 << 20;

/// Maximum length of a text in a status file, in bytes. The texts of 16 sessions stay far below `LARGEST`.
const LONGEST_TEXT: usize = 400;

/// Maximum number of ended workbenches that are remembered.
const MOST_ENDED: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkbenchStatus {
    pub pid: u32,
    /// The start time of the process. It distinguishes a later process with the same id. `None` if the system does not
    /// report it.
    #[serde(default)]
    pub started: Option<u64>,
    /// The name of the host's socket. `None` if the workbench ends with its terminal.
    pub host: Option<String>,
    /// Minutes without a terminal and without work after which a detached workbench ends.
    #[serde(default)]
    pub idle_minutes: u64,
    /// Whether the workbench has ended because it was idle for `idle_minutes`.
    #[serde(default)]
    pub ended_idle: bool,
    pub folder: String,
    pub sessions: Vec<SessionStatus>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStatus {
    /// The session's id. `None` before the first prompt.
    pub id: Option<String>,
    pub title: String,
    pub folder: String,
    pub state: SessionState,
    /// The pending request, or the last line of the conversation.
    pub last: String,
    /// The fill level of the context window, such as `12 %`.
    pub context: String,
    /// The time when the current state began, in milliseconds since 1970.
    pub since: u64,
}

/// The states of a session, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    Waiting,
    Working,
    Ended,
    Idle,
}

/// Writes the status file of a workbench. Dropping this value removes the file, unless the workbench ended because it
/// was idle. A later attach then reports this reason.
#[derive(Debug)]
pub struct Publisher {
    file: PathBuf,
    written: Option<WorkbenchStatus>,
}

impl Publisher {
    pub fn new(folder: &Path, pid: u32) -> Self {
        Self {
            file: folder.join(format!("{pid}.json")),
            written: None,
        }
    }

    /// Writes the status if it has changed. Long texts are truncated.
    pub fn publish(&mut self, mut status: WorkbenchStatus) -> io::Result<()> {
        for session in &mut status.sessions {
            shorten(&mut session.title);
            shorten(&mut session.last);
            shorten(&mut session.context);
        }
        if self.written.as_ref() == Some(&status) {
            return Ok(());
        }
        let new = self.file.with_extension("new");
        let text = serde_json::to_vec(&status)?;
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(&new)?.write_all(&text)?;
        fs::rename(&new, &self.file)?;
        self.written = Some(status);
        Ok(())
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        if self.written.as_ref().is_some_and(|status| status.ended_idle) {
            return;
        }
        // Ignore errors: if the file remains, the next reader removes it.
        let _ = fs::remove_file(&self.file);
    }
}

fn shorten(text: &mut String) {
    if text.len() > LONGEST_TEXT {
        text.truncate(text.floor_char_boundary(LONGEST_TEXT));
        text.push('…');
    }
}

/// Returns the status of all running workbenches. Removes the files of ended workbenches, except those that ended
/// because they were idle.
pub fn list(folder: &Path) -> Result<Vec<WorkbenchStatus>, DetachedError> {
    let (ended, mut found) = files(folder)?;
    drop(newest(ended));
    found.retain(|(file, status)| is_running_or_removed(status, folder, file));
    let mut found: Vec<_> = found.into_iter().map(|(_, status)| status).collect();
    found.sort_by_key(|status| status.pid);
    Ok(found)
}

/// Returns the last status of workbenches that ended because they were idle, the newest first.
pub fn ended_idle(folder: &Path) -> Result<Vec<WorkbenchStatus>, DetachedError> {
    Ok(newest(files(folder)?.0))
}

type Files = Vec<(PathBuf, WorkbenchStatus)>;

/// Returns the status files of workbenches that ended because they were idle, and all other status files.
fn files(folder: &Path) -> Result<(Files, Files), DetachedError> {
    let files = folder::files(folder)?.into_iter();
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "json"));
    let read = files.filter_map(|file| read(&file).map(|status| (file, status)));
    Ok(read.partition(|(_, status)| status.ended_idle))
}

/// Returns the newest ended workbenches, and removes the files of the others.
fn newest(mut ended: Files) -> Vec<WorkbenchStatus> {
    let last = |(_, status): &(PathBuf, WorkbenchStatus)| status.sessions.iter().map(|session| session.since).max();
    ended.sort_by_key(|ended| std::cmp::Reverse(last(ended)));
    for (file, _) in ended.drain(ended.len().min(MOST_ENDED)..) {
        let _ = fs::remove_file(file);
    }
    ended.into_iter().map(|(_, status)| status).collect()
}

fn read(file: &Path) -> Option<WorkbenchStatus> {
    // A link is not followed, and a named pipe does not block.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = fs::File::from(rustix::fs::open(file, flags, Mode::empty()).ok()?);
    let found = opened.metadata().ok()?;
    if !found.is_file() || found.len() > LARGEST {
        return None;
    }
    let mut text = Vec::new();
    opened.take(LARGEST).read_to_end(&mut text).ok()?;
    let status: WorkbenchStatus = serde_json::from_slice(&text).ok()?;
    status.host.as_deref().is_none_or(folder::is_name).then_some(status)
}

fn is_running_or_removed(status: &WorkbenchStatus, folder: &Path, file: &Path) -> bool {
    if is_running(status) {
        return true;
    }
    let _ = fs::remove_file(file);
    let host = status.host.as_ref();
    if let Some(socket) = host.and_then(|name| folder::socket(folder, name).ok()) {
        let _ = fs::remove_file(socket);
    }
    false
}

fn is_running(status: &WorkbenchStatus) -> bool {
    let is_same = stat(status.pid)
        .is_none_or(|stat| !stat.zombie && status.started.is_none_or(|started| started == stat.started));
    let pid = i32::try_from(status.pid).ok().and_then(Pid::from_raw);
    is_same && pid.is_some_and(|pid| test_kill_process(pid).is_ok())
}

#[cfg(test)]
mod tests;
