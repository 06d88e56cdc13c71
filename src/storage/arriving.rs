//! What has arrived of an answer that is still arriving: `<id>.partial` beside its session. It is appended to while the answer
//! streams in, without waiting for the disk, and goes when the answer is in the log. What a sudden end leaves of it is found by
//! the next open, and becomes an entry like any other: an answer that was cut short.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use super::folder::Folder;
use crate::base::clock::Time;
use crate::base::id::{EntryId, SessionId, TurnId};
use crate::domain::agent::ModelRef;
use crate::domain::entry::{Body, Entry};
use crate::domain::failure::Cut;
use crate::domain::history::History;
use crate::domain::message::Delta;

/// The most that is written for one answer, and read of a file that may be another's.
pub(crate) const MOST: u64 = 32 << 20;

/// The first line: which answer it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Arriving {
    pub(crate) session: SessionId,
    pub(crate) turn: TurnId,
    /// The last entry of the log when it was asked for.
    pub(crate) after: EntryId,
    pub(crate) time: Time,
    pub(crate) model: ModelRef,
}

/// Every further line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Piece<'p> {
    Text(#[serde(borrow)] Cow<'p, str>),
    Reasoning(#[serde(borrow)] Cow<'p, str>),
}

/// The file while the answer arrives. It is made when there is something to write.
#[derive(Debug)]
pub(crate) struct Partial {
    path: PathBuf,
    arriving: Arriving,
    file: Option<File>,
    written: u64,
}

impl Partial {
    pub(super) fn new(folder: &Folder, arriving: Arriving) -> Self {
        Self {
            path: folder.partial(&arriving.session),
            arriving,
            file: None,
            written: 0,
        }
    }

    /// Whether something was written.
    pub(crate) fn is_begun(&self) -> bool {
        self.file.is_some()
    }

    /// In one write, so that a kill leaves all of it or nothing.
    pub(crate) fn append(&mut self, deltas: &[Delta]) -> io::Result<()> {
        let mut lines = Vec::new();
        if self.file.is_none() {
            line(&self.arriving, &mut lines)?;
        }
        for delta in deltas {
            let piece = match delta {
                Delta::Text(text) => Piece::Text(text.into()),
                Delta::Reasoning(text) => Piece::Reasoning(text.into()),
            };
            line(&piece, &mut lines)?;
        }
        self.written += lines.len() as u64;
        if self.written > MOST {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(anew(&self.path)?),
        };
        file.write_all(&lines)
    }
}

fn line(value: &impl Serialize, lines: &mut Vec<u8>) -> io::Result<()> {
    serde_json::to_writer(&mut *lines, value)?;
    lines.push(b'\n');
    Ok(())
}

/// Whatever has its name is taken away first: it may be a link to something else.
fn anew(path: &Path) -> io::Result<File> {
    remove(path);
    OpenOptions::new().append(true).create_new(true).mode(0o600).open(path)
}

fn remove(path: &Path) {
    // What stays is over, and the next open sees that it is.
    let _ = fs::remove_file(path);
}

/// An answer, or the end of its turn, is durable: what had arrived of it is not needed any more.
pub(super) fn settle(folder: &Folder, id: &SessionId, entries: &[Arc<Entry>]) {
    let ends = |entry: &Arc<Entry>| matches!(entry.body, Body::Assistant { .. } | Body::TurnEnded { .. });
    if entries.iter().any(ends) {
        remove(&folder.partial(id));
    }
}

/// The session is deleted, or what is there is over.
pub(super) fn forget(folder: &Folder, id: &SessionId) {
    remove(&folder.partial(id));
}

/// What arrived of an answer that is not in the log, for whoever only looks. While somebody has the session, the answer may still
/// be arriving.
pub(super) fn look(folder: &Folder, id: &SessionId, log: &[Arc<Entry>]) -> Option<Arc<Entry>> {
    let left = read(folder, id)?;
    if is_held(&folder.lock(id)) {
        return None;
    }
    left.into_entry(&History::of(log.to_vec()))
}

fn is_held(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// What a file holds of an answer.
pub(super) struct Left {
    arriving: Arriving,
    text: String,
    reasoning: String,
}

/// Up to the first line that is none of ours, as the last one may be that was being written. `None`: it is not the file of an answer
/// of this session.
pub(super) fn read(folder: &Folder, id: &SessionId) -> Option<Left> {
    // Nothing but a plain file is read, and opening one of another kind waits for nobody.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).ok()?;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(folder.partial(id))
        .ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut lines = BufReader::new(file.take(MOST));
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| {
        line.clear();
        lines.read_until(b'\n', line).is_ok_and(|_| line.last() == Some(&b'\n'))
    };
    if !next(&mut line) {
        return None;
    }
    let arriving: Arriving = serde_json::from_slice(&line).ok()?;
    if arriving.session != *id {
        return None;
    }
    let (mut text, mut reasoning) = (String::new(), String::new());
    while next(&mut line) {
        match serde_json::from_slice(&line) {
            Ok(Piece::Text(piece)) => text.push_str(&piece),
            Ok(Piece::Reasoning(piece)) => reasoning.push_str(&piece),
            Err(_) => break,
        }
    }
    Some(Left {
        arriving,
        text,
        reasoning,
    })
}

impl Left {
    /// The next entry of the log. `None`: the answer is there already, or its turn is over without it.
    pub(super) fn into_entry(self, history: &History) -> Option<Arc<Entry>> {
        let Arriving { turn, after, .. } = self.arriving;
        let last = history.last_entry();
        let mut since = history.entries().iter().rev().take_while(|entry| entry.id > after);
        let is_answered = since.any(|entry| matches!(entry.body, Body::Assistant { .. }));
        let is_open = history.open_turn() && turn == history.last_turn() && after <= last && !is_answered;
        let is_empty = self.text.is_empty() && self.reasoning.is_empty();
        (is_open && !is_empty).then(|| {
            Arc::new(Entry {
                id: EntryId(last.0 + 1),
                turn,
                time: self.arriving.time,
                body: Body::Assistant {
                    text: self.text,
                    reasoning: self.reasoning,
                    seals: Vec::new(),
                    calls: Vec::new(),
                    model: self.arriving.model,
                    usage: None,
                    error: Some(Cut::Ended),
                },
            })
        })
    }
}

#[cfg(test)]
mod tests;
