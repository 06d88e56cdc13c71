//! Stores the recorded states of a session's working folder in `<id>.folder`. Without that file, no changes of the
//! folder are reported when the session is resumed.

use super::sidecar::Content;
use benchdog_base::id::SessionId;
use benchdog_domain::folder::FolderStates;

impl Content for FolderStates {
    const EXTENSION: &'static str = "folder";

    fn session(&self) -> &SessionId {
        &self.session
    }
}
