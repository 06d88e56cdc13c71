//! What is wrong with a stored session, as a look at all of it finds.

use crate::base::id::{BlobId, EntryId, SessionId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Nothing is there of what was written as these entries.
    Missing { from: EntryId, upto: EntryId },
    /// The result of a call that is not in the log.
    Orphaned { entry: EntryId },
    /// The body of a file is not what its name says.
    Body { blob: BlobId },
    /// Title, folder and model of the session.
    Description,
    /// The file as such.
    File { reason: String },
}

/// How a session was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) session: SessionId,
    /// Empty: it is sound.
    pub(crate) flaws: Vec<Flaw>,
    /// The entries that can be read.
    pub(crate) read: u64,
    /// Those there were, as far as anything still tells.
    pub(crate) written: u64,
    /// The new session that has what can be read.
    pub(crate) saved: Option<SessionId>,
}
