//! Status files of running workbenches, one for each process, for `benchdog agents`.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

use benchdog_base::process::stat;

/// Maximum size of a status file. Larger files are not read.
const LARGEST: u64 = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkbenchStatus {
    pub pid: u32,
    /// The name of the host's socket. `None` if the workbench ends with its terminal.
    pub host: Option<String>,
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

/// Writes the status file of a workbench, and removes it at the end.
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

    /// Writes the status if it has changed.
    pub fn publish(&mut self, status: &WorkbenchStatus) -> io::Result<()> {
        if self.written.as_ref() == Some(status) {
            return Ok(());
        }
        let new = self.file.with_extension("new");
        let text = serde_json::to_vec(status)?;
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(&new)?.write_all(&text)?;
        fs::rename(&new, &self.file)?;
        self.written = Some(status.clone());
        Ok(())
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        // Ignore errors: if the file remains, the next reader removes it.
        let _ = fs::remove_file(&self.file);
    }
}

/// Returns the status of all running workbenches. Removes the files of workbenches that have ended.
pub fn list(folder: &Path) -> io::Result<Vec<WorkbenchStatus>> {
    let files = match fs::read_dir(folder) {
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for file in files.flatten().map(|entry| entry.path()) {
        if file.extension().is_some_and(|ending| ending == "json") {
            found.extend(read(&file).filter(|status| is_running_or_removed(status, folder, &file)));
        }
    }
    found.sort_by_key(|status| status.pid);
    Ok(found)
}

fn read(file: &Path) -> Option<WorkbenchStatus> {
    if fs::metadata(file).ok()?.len() > LARGEST {
        return None;
    }
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

fn is_running_or_removed(status: &WorkbenchStatus, folder: &Path, file: &Path) -> bool {
    let pid = i32::try_from(status.pid).ok().and_then(Pid::from_raw);
    let has_ended = stat(status.pid).is_some_and(|stat| stat.zombie);
    if !has_ended && pid.is_some_and(|pid| test_kill_process(pid).is_ok()) {
        return true;
    }
    let _ = fs::remove_file(file);
    if let Some(socket) = status
        .host
        .as_ref()
        .and_then(|name| super::folder::socket(folder, name).ok())
    {
        let _ = fs::remove_file(socket);
    }
    false
}

#[cfg(test)]
mod tests;
