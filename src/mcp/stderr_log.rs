//! The stderr output of a server: the newest part in memory, and more in a log file of limited size.

use std::fs::{File, OpenOptions};
use std::io::{PipeReader, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::definition::Definition;
use super::limits::{MOST_STDERR, MOST_STDERR_FILE};
use benchdog_base::clock::Time;
use benchdog_base::ring::Ends;
use benchdog_base::text::clean;
use benchdog_domain::server::ServerName;
use benchdog_security::redact::Stream;

/// Maximum number of lines of output in an error message. `SHOWN_LETTERS` is the maximum number of characters.
const SHOWN_LINES: usize = 3;
const SHOWN_LETTERS: usize = 400;

/// Maximum wait for the last output of an exited server. A child process may hold the pipe open.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(200);

#[derive(Clone)]
pub(super) struct StderrLog {
    newest: Arc<Mutex<Ends>>,
    open: watch::Receiver<()>,
}

impl StderrLog {
    /// Reads stderr on a thread until the pipe ends, so that the server never blocks on a full pipe.
    pub(super) fn start(from: PipeReader, definition: &Definition, logs: &Path) -> std::io::Result<Self> {
        let (is_open, open) = watch::channel(());
        let log = Self {
            newest: Arc::new(Mutex::new(Ends::new(0, MOST_STDERR))),
            open,
        };
        let reader = StderrReader {
            newest: Arc::clone(&log.newest),
            redacted: definition.redactor.stream(),
            partial: Vec::new(),
            file: log_path(logs, &definition.name),
            log: None,
            room: MOST_STDERR_FILE,
        };
        let thread = std::thread::Builder::new().name("server-log".to_owned());
        thread.spawn(move || {
            reader.read_all(from);
            drop(is_open);
        })?;
        Ok(log)
    }

    pub(super) async fn wait_for_output(&self) {
        let mut open = self.open.clone();
        let _ = tokio::time::timeout(OUTPUT_TIMEOUT, async { while open.changed().await.is_ok() {} }).await;
    }

    pub(super) fn last(&self) -> String {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner).newest().1;
        let text = String::from_utf8_lossy(&newest);
        let text = clean(&text);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = lines
            .get(lines.len().saturating_sub(SHOWN_LINES)..)
            .unwrap_or_default()
            .join(" / ");
        let skipped = last.chars().count().saturating_sub(SHOWN_LETTERS);
        last.chars().skip(skipped).collect()
    }
}

struct StderrReader {
    newest: Arc<Mutex<Ends>>,
    redacted: Stream,
    partial: Vec<u8>,
    file: PathBuf,
    log: Option<File>,
    /// Remaining bytes that this server process may write to the log file.
    room: u64,
}

impl StderrReader {
    fn read_all(mut self, mut from: PipeReader) {
        let mut buffer = [0_u8; 4096];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let text = self.decode(buffer.get(..count).unwrap_or_default());
            let text = self.redacted.push(&text);
            self.write(&text);
        }
        let rest = String::from_utf8_lossy(&std::mem::take(&mut self.partial)).into_owned();
        let mut text = self.redacted.push(&rest);
        text.push_str(&self.redacted.finish());
        self.write(&text);
    }

    fn decode(&mut self, bytes: &[u8]) -> String {
        self.partial.extend_from_slice(bytes);
        let end = match std::str::from_utf8(&self.partial) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.partial.len(),
        };
        let rest = self.partial.split_off(end);
        String::from_utf8_lossy(&std::mem::replace(&mut self.partial, rest)).into_owned()
    }

    /// Writes text to memory and to the log file. The log file omits text beyond its limit.
    fn write(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = clean(text);
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).push(&text);
        if self.log.is_none() && self.room == MOST_STDERR_FILE {
            self.log = open_log(&self.file).ok();
        }
        let most = usize::try_from(self.room).unwrap_or(usize::MAX).min(text.len());
        let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let fits = text.get(..end).unwrap_or_default();
        let written = self.log.as_mut().map(|log| log.write_all(fits.as_bytes()));
        match written {
            Some(Ok(())) if end == text.len() => self.room -= end as u64,
            _ => self.room = 0,
        }
    }
}

fn log_path(logs: &Path, name: &ServerName) -> PathBuf {
    logs.join("mcp").join(format!("{name}.log"))
}

/// Opens the log file. A full log file is first renamed, and replaces the file that was renamed before. So at most two
/// files exist.
fn open_log(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    if std::fs::symlink_metadata(path).is_ok_and(|found| found.len() >= MOST_STDERR_FILE) {
        std::fs::rename(path, path.with_extension("log.old"))?;
    }
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    let (now, process) = (Time::now().rfc3339(), std::process::id());
    file.write_all(format!("[{now} pid={process}]\n").as_bytes())?;
    Ok(file)
}

#[cfg(test)]
mod tests;
