//! Logs the person's answers to questions of MCP servers.

use super::Machine;
use benchdog_base::id::CallId;
use benchdog_domain::entry::Body;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Because, DecidedBy, Decision};
use benchdog_domain::server::{FormEnd, ServerName, ServerNotice};

impl Machine {
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
