//! Files used by a folder's configured commands, pinned to the content that the person trusted.

use benchdog_base::id::BlobId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pinned {
    pub file: String,
    pub was: Pin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pin {
    Bytes(BlobId),
    Absent,
    /// A folder, identified by a hash of all file names in it.
    Names(BlobId),
    /// The file cannot be compared, so the command is not run.
    Unknown(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Differs {
    Changed { file: String },
    Unknown { file: String, error: String },
}
