//! Stores the session last used in each terminal, for `-c`. The session id is saved like a draft, under the terminal's
//! name.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::{Storage, StorageError};
use benchdog_base::id::SessionId;

/// Returns the creation time of the terminal device. The kernel reuses device names, and the time distinguishes two
/// terminals with the same name.
fn made(terminal: &str) -> Option<String> {
    let meta = fs::metadata(terminal).ok()?;
    Some(format!("{}.{}", meta.ctime(), meta.ctime_nsec()))
}

/// Returns the draft key of a terminal. It contains a zero byte, so it never equals the key of a folder.
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

    /// Returns the session last used in this terminal. `None` if the recorded session belongs to an earlier terminal
    /// with the same name.
    pub(super) async fn last_in_terminal(&self, terminal: &str) -> Option<SessionId> {
        let made = made(terminal)?;
        let kept = self.draft(&key(terminal)).await.ok()?.text;
        let (then, session) = kept.split_once(' ')?;
        (then == made).then(|| SessionId(session.to_owned()))
    }
}
