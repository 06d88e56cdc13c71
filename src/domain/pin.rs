//! Files of a folder that a command of its configuration names, bound to what they were when trust was asked for.

use crate::base::id::BlobId;

/// A file as it was when trust was asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pinned {
    /// Relative to the folder.
    pub(crate) file: String,
    pub(crate) was: Pin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pin {
    Bytes(BlobId),
    /// There was none, and one that appears is another.
    Absent,
    /// It cannot be compared, so what runs it is not run.
    Unknown(String),
}

/// Why what a command names is not what was trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Differs {
    Changed {
        file: String,
    },
    /// Nobody can say whether it is the same.
    Unknown {
        file: String,
        error: String,
    },
}
