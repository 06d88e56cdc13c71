//! Stores the session that was last used in each terminal, for `-c`. The entry is saved like a draft, under the
//! terminal's name.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::{Storage, StorageError};
use benchdog_base::id::SessionId;

/// Returns the creation time of the terminal device. It distinguishes two terminals with the same device name, because
/// the kernel reuses these names.
fn made(terminal: &str) -> Option<String> {
    let meta = fs::metadata(terminal).ok()?;
    Some(format!("{}.{}", meta.ctime(), meta.ctime_nsec()))
}

/// Returns the draft key of a terminal. It never equals the key of a folder, because it contains a zero byte.
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

    /// Returns the session last used in this terminal. `None` if the recorded session belongs to an earlier terminal of
    /// the same name.
    pub(super) async fn last_in_terminal(&self, terminal: &str) -> Option<SessionId> {
        let made = made(terminal)?;
        let kept = self.draft(&key(terminal)).await.ok()?.text;
        let (then, session) = kept.split_once(' ')?;
        (then == made).then(|| SessionId(session.to_owned()))
    }
}
