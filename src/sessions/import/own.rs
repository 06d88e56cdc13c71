//! Imports Benchdog's own JSON Lines: the description, the entries, and the stored files.

use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::lines::Lines;
use super::{Flaw, SessionsError};
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, EntryId, TurnId};
use benchdog_domain::agent::{AgentName, BUILD, PLAN};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::session::SessionMeta;
use benchdog_storage::Import;

/// Approximate number of bytes of entries to write at once.
const PIECE: usize = 4 << 20;

#[derive(Deserialize)]
struct First {
    session: SessionMeta,
}

/// A stored file, as text or, if it is not UTF-8, in base64.
#[derive(Deserialize)]
struct Stored {
    blob: BlobId,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    base64: Option<String>,
}

pub(super) fn import(data: &Path, file: &Path) -> Result<SessionMeta, SessionsError> {
    let mut lines = Lines::open(file)?;
    let first = lines.next()?.unwrap_or_default();
    let first: Result<First, _> = serde_json::from_slice(first);
    let meta = first.map_err(|error| lines.flawed(error.into()))?.session;
    let parent = meta.parent.clone();
    let mut session = Piece::new(Import::begin(data, meta)?);
    while let Some(line) = lines.next()? {
        let size = line.len();
        match Line::of(line) {
            Ok(Line::Blob(id, bytes)) if BlobId::of(&bytes) == id => session.blob(id, bytes, size)?,
            Ok(Line::Blob(id, _)) => return Err(lines.flawed(Flaw::Blob(id.0))),
            Ok(Line::Entry(entry)) if entry.id <= session.last => {
                let (id, last) = (entry.id.0, session.last.0);
                return Err(lines.flawed(Flaw::Order { id, last }));
            }
            Ok(Line::Entry(entry)) => session.entry(*entry, size)?,
            Err(flaw) => return Err(lines.flawed(flaw)),
        }
    }
    session.ask_again()?;
    session.write()?;
    let known = parent.filter(|parent| data.join("sessions").join(format!("{}.redb", parent.session)).is_file());
    Ok(session.import.finish(|meta| meta.parent = known)?)
}

enum Line {
    Entry(Box<Entry>),
    Blob(BlobId, Arc<[u8]>),
}

impl Line {
    fn of(line: &[u8]) -> Result<Self, Flaw> {
        if !line.starts_with(b"{\"blob\"") {
            let entry = Entry::of_json(line)?;
            return Ok(Self::Entry(Box::new(entry)));
        }
        let stored: Stored = serde_json::from_slice(line)?;
        let bytes = match (stored.text, stored.base64) {
            (Some(text), _) => text.into_bytes(),
            (None, base64) => {
                let decoded = STANDARD.decode(base64.unwrap_or_default());
                decoded.map_err(|error| Flaw::Json(error.to_string()))?
            }
        };
        Ok(Self::Blob(stored.blob, Arc::from(bytes)))
    }
}

struct Piece {
    import: Import,
    entries: Vec<Arc<Entry>>,
    blobs: Vec<(BlobId, Arc<[u8]>)>,
    size: usize,
    last: EntryId,
    turn: TurnId,
    time: Time,
    agent: Option<AgentName>,
}

impl Piece {
    fn new(import: Import) -> Self {
        Self {
            import,
            entries: Vec::new(),
            blobs: Vec::new(),
            size: 0,
            last: EntryId(0),
            turn: TurnId(0),
            time: Time(0),
            agent: None,
        }
    }

    fn entry(&mut self, entry: Entry, size: usize) -> Result<(), SessionsError> {
        self.last = entry.id;
        self.turn = entry.turn;
        self.time = entry.time;
        if let Body::Agent { agent, .. } = &entry.body {
            self.agent = Some(agent.clone());
        }
        self.entries.push(Arc::new(entry));
        self.grow(size)
    }

    fn blob(&mut self, id: BlobId, bytes: Arc<[u8]>, size: usize) -> Result<(), SessionsError> {
        self.blobs.push((id, bytes));
        self.grow(size)
    }

    fn grow(&mut self, size: usize) -> Result<(), SessionsError> {
        self.size += size;
        if self.size > PIECE { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), SessionsError> {
        self.import.add(&self.entries, &self.blobs)?;
        self.entries.clear();
        self.blobs.clear();
        self.size = 0;
        Ok(())
    }

    /// Switches to the agent `build` if the session ended with another agent than `build` or `plan`. An imported file
    /// must not grant permissions.
    fn ask_again(&mut self) -> Result<(), SessionsError> {
        let agent = self.agent.as_ref().map_or(BUILD, |agent| agent.0.as_str());
        if agent == BUILD || agent == PLAN {
            return Ok(());
        }
        let entry = Entry {
            id: EntryId(self.last.0 + 1),
            turn: self.turn,
            time: self.time,
            body: Body::Agent {
                agent: AgentName::default(),
                until_then: None,
            },
        };
        self.entry(entry, 0)
    }
}
