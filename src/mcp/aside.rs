//! What a server writes beside its answers, for people: the last of it at hand, and so much in a file of its own. Nothing else reads it.

use std::fs::{File, OpenOptions};
use std::io::{PipeReader, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::limits::{MOST_ASIDE, MOST_ASIDE_FILE};
use crate::base::ring::Ends;
use crate::base::text::clean;
use crate::domain::server::ServerName;

/// Lines of it that are shown with what went wrong.
const SHOWN_LINES: usize = 3;
const SHOWN_LETTERS: usize = 400;

/// How long the last words of a server that has ended are waited for; what it left behind may keep them open.
const READ_OUT: Duration = Duration::from_millis(200);

#[derive(Clone)]
pub(super) struct Aside {
    kept: Arc<Mutex<Ends>>,
    /// Closed when nothing more comes.
    open: watch::Receiver<()>,
}

impl Aside {
    /// Reads on a thread of its own that ends with the pipe, so that no server waits for us to listen.
    pub(super) fn listen(from: PipeReader, name: &ServerName, logs: &Path) -> std::io::Result<Self> {
        let (is_open, open) = watch::channel(());
        let aside = Self {
            kept: Arc::new(Mutex::new(Ends::new(0, MOST_ASIDE))),
            open,
        };
        let (kept, file) = (Arc::clone(&aside.kept), log_of(logs, name));
        let thread = std::thread::Builder::new().name("server-log".to_owned());
        thread.spawn(move || {
            read_all(from, &kept, &file);
            drop(is_open);
        })?;
        Ok(aside)
    }

    /// Waits for a moment until all of it is read.
    pub(super) async fn read_out(&self) {
        let mut open = self.open.clone();
        let _ = tokio::time::timeout(READ_OUT, async { while open.changed().await.is_ok() {} }).await;
    }

    /// The last lines, safe to show.
    pub(super) fn last(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).newest().1;
        let text = String::from_utf8_lossy(&kept);
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

/// To the end of the pipe. The file begins with the first of it; what is too long for it is at hand all the same.
fn read_all(mut from: PipeReader, kept: &Mutex<Ends>, file: &Path) {
    let mut log: Option<File> = None;
    let mut room = MOST_ASIDE_FILE;
    let mut came = [0_u8; 4096];
    while let Ok(count @ 1..) = from.read(&mut came) {
        let bytes = came.get(..count).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes);
        kept.lock().unwrap_or_else(PoisonError::into_inner).push(&text);
        if log.is_none() && room == MOST_ASIDE_FILE {
            log = open(file).ok();
        }
        let fits = usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len());
        if let Some(log) = &mut log
            && log.write_all(bytes.get(..fits).unwrap_or_default()).is_err()
        {
            room = 0;
        }
        room = room.saturating_sub(fits as u64);
    }
}

/// Where what a server says beside is kept. It begins anew with each start.
fn log_of(logs: &Path, name: &ServerName) -> PathBuf {
    logs.join("mcp").join(format!("{name}.log"))
}

fn open(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
}
