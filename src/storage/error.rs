//! What can fail in storage: which file, and what happened to it. Advice is `error.rs`'s at the top level.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::id::{EntryId, SessionId};
use crate::domain::session::LeaseHolder;

#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum StorageError {
    #[error("there is no session `{0}`")]
    NotFound(SessionId),
    #[error("the session `{0}` is not open here, so nothing can be written to it")]
    NotOpen(SessionId),
    #[error("the session `{session}` is open in process {} on `{}`", holder.pid, holder.host)]
    Held { session: SessionId, holder: LeaseHolder },
    #[error("entry {} is already written; the log of session `{session}` ends with {}", entry.0, last.0)]
    OutOfOrder {
        session: SessionId,
        entry: EntryId,
        last: EntryId,
    },
    /// Another process kept the file open for longer than the two seconds we wait.
    #[error("`{}` is in use by another process", path.display())]
    Busy { path: PathBuf },
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("could not {action} `{}`: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: Arc<io::Error>,
    },
    #[error("storage has stopped")]
    Stopped,
}

impl StorageError {
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io {
            action,
            path: path.to_path_buf(),
            source: Arc::new(source),
        }
    }

    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_path_buf(),
            reason: reason.into(),
        }
    }

    /// The stable name scripts and notices use.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "session_not_found",
            Self::NotOpen(_) | Self::OutOfOrder { .. } => "session_state",
            Self::Held { .. } => "session_held",
            Self::Busy { .. } => "storage_busy",
            Self::Damaged { .. } => "storage_damaged",
            Self::Io { .. } => "storage_failed",
            Self::Stopped => "storage_stopped",
        }
    }

    /// What the person can do about it.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::NotFound(_) => "`benchdog sessions list` shows the sessions there are.".to_owned(),
            Self::NotOpen(_) | Self::OutOfOrder { .. } | Self::Stopped => {
                "Leave and resume the session; what was shown as saved is on disk.".to_owned()
            }
            Self::Held { session, holder } => format!(
                "Leave it there (process {}), or read it with `benchdog sessions show {}`.",
                holder.pid,
                session.short()
            ),
            Self::Busy { .. } => "Try again when the other process is done with it.".to_owned(),
            Self::Damaged { path, .. } => format!(
                "Move `{}` away or put a copy from a backup in its place; other sessions are not affected.",
                path.display()
            ),
            Self::Io { path, source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                format!("Free some space on the disk of `{}`.", path.display())
            }
            Self::Io { path, .. } => format!("Check that you may read and write `{}`.", path.display()),
        }
    }
}

/// Something the person should know that stopped nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StorageNotice {
    /// `index_rebuilt`, `session_damaged`, or the code of the error it tells of (`storage_busy`).
    pub(crate) code: &'static str,
    pub(crate) text: String,
}
