//! A comparison of a working tree or commit with another commit, for `/diff` and reviews.

use super::review::FileChange;
use benchdog_base::id::BlobId;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    pub of: Compares,
    pub files: Vec<Compared>,
    pub more: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compares {
    pub before: String,
    pub after: Option<String>,
    pub path: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub change: FileChange,
    pub unread: Option<NotRead>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    pub path: String,
    pub before: Option<BlobId>,
    pub added: u32,
    pub removed: u32,
    pub is_there: bool,
    pub lies_at: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRead {
    TooLarge { bytes: u64 },
    Enough,
    Link,
    Submodule,
    Failed { why: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoComparison {
    NoRepository,
    NoSuch { named: String },
    Slow,
    Git { said: String },
}
