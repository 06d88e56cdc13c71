//! Damage found by a complete check of a stored session.

use crate::base::id::{BlobId, EntryId, SessionId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    Missing {
        from: EntryId,
        upto: EntryId,
    },
    Orphaned {
        entry: EntryId,
    },
    /// The content of a blob does not match its hash.
    Body {
        blob: BlobId,
    },
    /// Title, folder, or model of the session.
    Description,
    /// The file itself cannot be read.
    File {
        reason: String,
    },
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) session: SessionId,
    pub(crate) flaws: Vec<Flaw>,
    pub(crate) read: u64,
    /// Number of entries that were written, as far as it can be determined.
    pub(crate) written: u64,
    /// The new session that contains the readable entries.
    pub(crate) saved: Option<SessionId>,
}
