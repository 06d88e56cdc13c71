//! Stores the recorded states of a session's working folder in `<id>.folder`. Without this file, a resumed session
//! reports no changes of the folder.

use super::sidecar::Content;
use benchdog_base::id::SessionId;
use benchdog_domain::folder::FolderStates;

impl Content for FolderStates {
    const EXTENSION: &'static str = "folder";

    fn session(&self) -> &SessionId {
        &self.session
    }
}
