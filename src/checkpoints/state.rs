//! State of one file in a checkpoint.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::id::ContentId;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    File,
    Link,
    Folder,
    /// A socket, FIFO or device.
    Special,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileState {
    pub kind: Kind,
    /// Permission bits. 0 for a link.
    pub mode: u16,
    /// In bytes. 0 for a folder.
    pub size: u64,
    pub content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    Stored(ContentId),
    /// Each item in the folder has its own state.
    Folder,
    /// The content was not saved. Equal stamps mean equal size, inode and modification time.
    NotCovered {
        why: NotCovered,
        stamp: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotCovered {
    /// Ignored by the ignore rules, and not tracked by git.
    Ignored,
    TooLarge,
    Special,
    /// The system refused to open the file.
    Unreadable,
    /// A folder with more than `Limits::max_ignored` ignored files, which are not listed.
    TooMany,
    Secret,
}

/// A file whose content is not saved, so that it cannot be restored. Ignored files are not listed, only counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omitted {
    pub path: PathBuf,
    pub size: u64,
    pub why: NotCovered,
}

impl FileState {
    pub fn is_covered(&self) -> bool {
        !matches!(self.content, Content::NotCovered { .. })
    }
}
