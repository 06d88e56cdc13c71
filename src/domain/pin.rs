//! Files that a folder's configured commands use, pinned to their content at the time trust was given.

use crate::base::id::BlobId;

/// A file as it was when trust was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pinned {
    /// Relative to the folder.
    pub(crate) file: String,
    pub(crate) was: Pin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pin {
    Bytes(BlobId),
    /// The file did not exist. A new file counts as changed.
    Absent,
    /// The file cannot be compared, so the command is not run.
    Unknown(String),
}

/// The reason why a file does not match its pin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Differs {
    Changed {
        file: String,
    },
    /// The file cannot be compared.
    Unknown {
        file: String,
        error: String,
    },
}
