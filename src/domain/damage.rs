//! Damage found by a full check of a stored session.

use benchdog_base::id::{BlobId, EntryId, SessionId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    Missing { from: EntryId, upto: EntryId },
    Orphaned { entry: EntryId },
    Body { blob: BlobId },
    Description,
    File { reason: String },
}

#[derive(Debug, PartialEq, Eq)]
pub struct Checked {
    pub session: SessionId,
    pub flaws: Vec<Flaw>,
    pub read: u64,
    pub written: u64,
    pub saved: Option<SessionId>,
}
