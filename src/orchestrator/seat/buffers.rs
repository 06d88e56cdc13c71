//! Passes the files that are open in an editor to the tools of a session. Does not ask the editor for a file that the
//! rules forbid to read.

use std::sync::Arc;

use super::Seat;
use crate::engine::Engine;
use benchdog_domain::permission::Action;
use benchdog_security::standing;
use benchdog_security::workspace::{WorkPath, Workspace};

impl Seat {
    /// Returns the workspace with the editor's files. Returns the workspace unchanged if no editor offers files.
    pub(super) fn workspace_with_buffers(&self, engine: &Engine) -> Arc<Workspace> {
        let Some(buffers) = &engine.setup.buffers else {
            return Arc::clone(&self.workspace);
        };
        let Some(rules) = self.tools.rules_of_reading() else {
            return Arc::clone(&self.workspace);
        };
        let above = self.above.as_ref().map(|above| above.policy.clone());
        let policies: Vec<_> = std::iter::once(self.policy.clone()).chain(above).collect();
        let grants = self.all_grants();
        let may_read = move |path: &WorkPath| {
            let subjects = [standing::path(path)];
            let denies = |action| action == Action::Deny;
            !policies
                .iter()
                .any(|policy| denies(policy.judge(&grants, &rules, &subjects).action))
        };
        Arc::new(self.workspace.with_buffers(Arc::clone(buffers), may_read))
    }
}
