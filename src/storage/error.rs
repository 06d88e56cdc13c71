//! Storage errors, each with the file and the problem. The main program's `error` module adds advice.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::folder;
use benchdog_base::clock::Time;
use benchdog_base::disk::is_full;
use benchdog_base::id::{EntryId, SessionId};
use benchdog_base::text::clean;
use benchdog_domain::entry::VERSION;
use benchdog_domain::failure::Failure;
use benchdog_domain::session::{LeaseHolder, SessionMeta};

#[derive(Debug, Clone, thiserror::Error)]
pub enum StorageError {
    #[error("there is no session `{0}`")]
    NotFound(SessionId),
    #[error("the session `{session}` has no entry {}", entry.0)]
    NoEntry { session: SessionId, entry: EntryId },
    #[error("the session `{0}` is not open here, so nothing can be written to it")]
    NotOpen(SessionId),
    #[error("{}", which(partial, found))]
    Several { partial: String, found: Vec<Similar> },
    #[error("the session `{session}` is open in {}", who(session, holder))]
    Held { session: SessionId, holder: LeaseHolder },
    #[error("entry {} is already written; the log of session `{session}` ends with {}", entry.0, last.0)]
    OutOfOrder {
        session: SessionId,
        entry: EntryId,
        last: EntryId,
    },
    #[error("`{}` is in use by another process", path.display())]
    Busy { path: PathBuf },
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("`{}` was written by another version of Benchdog: {reason}", path.display())]
    OtherVersion { path: PathBuf, reason: String },
    #[error("could not {action} `{}`: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: Arc<io::Error>,
    },
    #[error("storage has stopped")]
    Stopped,
}

#[derive(Debug, Clone)]
pub struct Similar {
    pub id: SessionId,
    pub known: Option<(Time, String)>,
}

impl From<SessionMeta> for Similar {
    fn from(meta: SessionMeta) -> Self {
        Self {
            id: meta.id,
            known: Some((meta.updated, clean(&meta.title).into_owned())),
        }
    }
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

    pub(super) fn later_entries(path: &Path, version: u64) -> Self {
        Self::OtherVersion {
            path: path.to_path_buf(),
            reason: format!("it holds entries of version {version}, and this one knows them up to {VERSION}"),
        }
    }

    pub(super) fn is_forbidden(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem))
    }

    pub(super) fn is_read_only(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::ReadOnlyFilesystem)
    }

    pub fn is_full(&self) -> bool {
        matches!(self, Self::Io { source, .. } if is_full(source))
    }

    pub fn failure(&self) -> Failure {
        Failure::Told {
            code: self.code().to_owned(),
            text: self.to_string(),
            server: None,
        }
    }

    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "session_not_found",
            Self::NoEntry { .. } => "entry_not_found",
            Self::Several { .. } => "session_ambiguous",
            Self::NotOpen(_) | Self::OutOfOrder { .. } => "session_state",
            Self::Held { .. } => "session_held",
            Self::Busy { .. } => "storage_busy",
            Self::Damaged { path, .. } if folder::is_session(path) => "session_damaged",
            Self::Damaged { .. } => "storage_damaged",
            Self::OtherVersion { .. } => "storage_version",
            Self::Io { .. } if self.is_full() => "storage_full",
            Self::Io { .. } => "storage_failed",
            Self::Stopped => "storage_stopped",
        }
    }
}

fn which(partial: &str, found: &[Similar]) -> String {
    const SHOWN: usize = 10;
    let mut text = format!("`{partial}` could be any of {} sessions", found.len());
    text.push_str(if found.len() > SHOWN { "; the newest are:" } else { ":" });
    for similar in found.iter().take(SHOWN) {
        text.push_str(&format!("\n  {}", similar.id));
        if let Some((written, title)) = &similar.known {
            text.push_str(&format!("  {}  {title}", written.minute()));
        }
    }
    text
}

fn who(session: &SessionId, holder: &LeaseHolder) -> String {
    if holder.detached {
        return format!("a detached workbench. `benchdog attach {}` shows it", session.short());
    }
    if holder.pid == 0 {
        return "another process".to_owned();
    }
    let tty = holder.tty.as_deref().unwrap_or("no terminal");
    format!("process {} on `{}` ({tty})", holder.pid, holder.host)
}
