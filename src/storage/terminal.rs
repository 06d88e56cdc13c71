//! The session last used in each terminal, for `-c`. Kept like a draft, one for each terminal name.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::{Storage, StorageError};
use benchdog_base::id::SessionId;

/// Names of terminals are reused. The time at which the device was made tells them apart.
fn made(terminal: &str) -> Option<String> {
    let meta = fs::metadata(terminal).ok()?;
    Some(format!("{}.{}", meta.ctime(), meta.ctime_nsec()))
}

/// No folder has such a name.
fn key(terminal: &str) -> String {
    format!("\0terminal\0{terminal}")
}

impl Storage {
    pub async fn use_in_terminal(&self, terminal: &str, session: &SessionId) -> Result<(), StorageError> {
        match made(terminal) {
            Some(made) => self.save_draft(&key(terminal), &format!("{made} {session}")).await,
            None => Ok(()),
        }
    }

    /// Returns the session last used in this terminal, if it was the same one.
    pub(super) async fn last_in_terminal(&self, terminal: &str) -> Option<SessionId> {
        let made = made(terminal)?;
        let kept = self.draft(&key(terminal)).await.ok()?.text;
        let (then, session) = kept.split_once(' ')?;
        (then == made).then(|| SessionId(session.to_owned()))
    }
}
