//! Logs the answers of a person to MCP servers.

use super::Machine;
use crate::base::id::CallId;
use crate::domain::entry::Body;
use crate::domain::notice::Notice;
use crate::domain::permission::{Because, DecidedBy, Decision};
use crate::domain::server::{FormEnd, ServerName, ServerNotice};

impl Machine {
    /// Logs the answer. It has no other effect.
    pub(super) fn on_server_answered(
        &mut self,
        call: CallId,
        server: ServerName,
        decision: Decision,
        came_to: FormEnd,
    ) {
        let Some(turn) = &self.turn else { return };
        let body = Body::Approval {
            call,
            tool: server.0.clone(),
            decision,
            by: DecidedBy::User,
            because: Because::NoRule,
        };
        self.log(turn.id, body);
        self.notice(Notice::Server(ServerNotice::Form { server, came_to }));
    }
}
