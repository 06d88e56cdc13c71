//! Files that a folder's configured commands use, pinned to their content at the time trust was given.

use crate::base::id::BlobId;

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

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Differs {
    Changed { file: String },
    Unknown { file: String, error: String },
}
