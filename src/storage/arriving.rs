//! Recovers a streaming answer from `<id>.partial` after a crash. The file grows while the answer arrives. It is
//! deleted when the answer is logged.

use std::borrow::Cow;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::folder::Folder;
use super::lease;
use super::sidecar::{self, Content, Sidecar};
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, SessionId, TurnId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::failure::Cut;
use benchdog_domain::history::History;
use benchdog_domain::message::Delta;

pub const MOST: u64 = sidecar::MOST as u64;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arriving {
    pub session: SessionId,
    pub turn: TurnId,
    /// Id of the last log entry before the model request.
    pub after: EntryId,
    pub time: Time,
    pub model: ModelRef,
}

impl Content for Arriving {
    const EXTENSION: &'static str = "partial";

    fn session(&self) -> &SessionId {
        &self.session
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Piece<'p> {
    Text(#[serde(borrow)] Cow<'p, str>),
    Reasoning(#[serde(borrow)] Cow<'p, str>),
}

#[derive(Debug)]
pub struct Partial {
    sidecar: Sidecar<Arriving>,
    arriving: Arriving,
    file: Option<File>,
    written: u64,
}

impl Partial {
    pub(super) fn new(folder: &Folder, arriving: Arriving) -> Self {
        Self {
            sidecar: Sidecar::of(folder, &arriving.session),
            arriving,
            file: None,
            written: 0,
        }
    }

    /// Appends the deltas in one write. A crash leaves all of them or none.
    pub fn append(&mut self, deltas: &[Delta]) -> io::Result<()> {
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
            none => none.insert(self.sidecar.create()?),
        };
        file.write_all(&lines)
    }
}

fn line(value: &impl Serialize, lines: &mut Vec<u8>) -> io::Result<()> {
    serde_json::to_writer(&mut *lines, value)?;
    lines.push(b'\n');
    Ok(())
}

pub(super) fn settle(folder: &Folder, id: &SessionId, entries: &[Arc<Entry>]) {
    let ends = |entry: &Arc<Entry>| matches!(entry.body, Body::Assistant { .. } | Body::TurnEnded { .. });
    if entries.iter().any(ends) {
        Sidecar::<Arriving>::of(folder, id).remove();
    }
}

/// Returns the incomplete answer of a process that has ended, unless the answer is in the log. Another process may have
/// opened the session since then. Returns `None` while the answer is streaming.
pub(super) fn look(folder: &Folder, id: &SessionId, log: &[Arc<Entry>]) -> Option<Arc<Entry>> {
    let left = read(&Sidecar::of(folder, id))?;
    let lock = folder.lock(id);
    let is_earlier = || left.arriving.time < lease::holder_of(&lock).started;
    if is_held(&lock) && !is_earlier() {
        return None;
    }
    left.into_entry(&History::of(log.to_vec()))
}

fn is_held(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

pub(super) struct Left {
    arriving: Arriving,
    text: String,
    reasoning: String,
}

/// Reads the complete lines of the file and stops at the first invalid one. A crash may truncate the last line.
/// Returns `None` if the file is missing or belongs to another session.
pub(super) fn read(sidecar: &Sidecar<Arriving>) -> Option<Left> {
    let mut lines = BufReader::new(sidecar.open()?);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| {
        line.clear();
        lines.read_until(b'\n', line).is_ok_and(|_| line.last() == Some(&b'\n'))
    };
    if !next(&mut line) {
        return None;
    }
    let arriving = sidecar.parse(&line)?;
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
    /// Converts the incomplete answer to the entry that follows `history`. Returns `None` if the answer is empty or
    /// already in `history`, or if its turn has ended.
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
