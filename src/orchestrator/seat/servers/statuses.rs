//! The status of a session's MCP servers, for the person.

use super::tokens;
use crate::engine::Engine;
use crate::seat::Seat;
use benchdog_base::text::clean;
use benchdog_config::mcp::missing;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::notice::Notice;
use benchdog_domain::server::{
    Offered, ResourceKind, Sent, ServerName, ServerNotice, ServerStage, ServerStatus, ServerTool, ServerTrouble,
};
use benchdog_mcp::ServerSnapshot;

impl Seat {
    pub(super) fn offers(&self, tool: &str) -> bool {
        let listed = self.served.servers.tools();
        let mut names = listed
            .iter()
            .flat_map(|of| of.tools.iter().map(|tool| of.server.tool(&tool.name)));
        names.any(|name| name == tool)
    }

    /// Reports the configured tools that a server does not have, once per server.
    pub(super) async fn tell_missing(&mut self, engine: &Engine) {
        for standing in self.served.servers.snapshots() {
            let Some(offered) = standing.offered.filter(|_| standing.stage == ServerStage::Ready) else {
                continue;
            };
            let (server, tools) = (
                standing.name.clone(),
                missing(&self.settings, &standing.name, &offered, &standing.left_out),
            );
            if !tools.is_empty() && self.served.told_missing.insert(standing.name) {
                engine
                    .notice(self.id, Notice::Server(ServerNotice::Missing { server, tools }))
                    .await;
            }
        }
    }

    pub(super) fn statuses(&self) -> Vec<ServerStatus> {
        let off = self.settings.servers.iter().filter(|server| !server.enabled);
        let off = off.map(|server| ServerStatus {
            name: server.name.clone(),
            stage: ServerStage::Off,
            tools: Vec::new(),
            tokens: 0,
            sent: Sent::NotYet,
            prompts: Vec::new(),
            resources: 0,
            templates: 0,
            trouble: None,
            restarts: 0,
            asked: Vec::new(),
            left_out: Vec::new(),
            missing: Vec::new(),
            sign_in: None,
        });
        let standing = self.served.servers.snapshots().into_iter().map(|one| self.status(one));
        standing.chain(off).collect()
    }

    fn status(&self, one: ServerSnapshot) -> ServerStatus {
        let sent = self.served.sent.as_ref();
        let offered = one.offered.unwrap_or_default();
        let of_kind = |kind| one.resources.iter().filter(|resource| resource.kind == kind).count();
        // Omit the error of a ready server, because it may concern only a single call.
        let is_dead = one.stage == ServerStage::Dead;
        let is_told = |trouble: &ServerTrouble| is_dead || matches!(trouble, ServerTrouble::Narrow { .. });
        ServerStatus {
            prompts: one.prompts.iter().map(|prompt| one.name.prompt(&prompt.name)).collect(),
            resources: of_kind(ResourceKind::Whole),
            templates: of_kind(ResourceKind::Template),
            stage: if self.served.is_off(&one.name) {
                ServerStage::Off
            } else {
                one.stage
            },
            missing: match one.stage {
                ServerStage::Ready => missing(&self.settings, &one.name, &offered, &one.left_out),
                ServerStage::Waiting | ServerStage::Starting | ServerStage::Dead | ServerStage::Off => Vec::new(),
            },
            tools: self.tools_of(&one.name, &offered),
            tokens: tokens(
                &one.name,
                offered
                    .iter()
                    .filter(|tool| self.served.switched_off(&one.name.tool(&tool.name)).is_none()),
            ),
            sent: match sent {
                None => Sent::NotYet,
                Some(sent) => sent.get(&one.name).copied().unwrap_or(Sent::OnDemand),
            },
            trouble: one.trouble.filter(is_told),
            restarts: one.restarts,
            asked: one.asked,
            left_out: one.left_out,
            sign_in: one.sign_in,
            name: one.name,
        }
    }

    fn tools_of(&self, server: &ServerName, offered: &[Offered]) -> Vec<ServerTool> {
        let tool = |offered: &Offered| {
            let name = server.tool(&offered.name);
            let first = offered.description.trim().lines().next().unwrap_or_default();
            ServerTool {
                about: clean(first).into_owned(),
                switched: match self.served.switched_off(&name) {
                    Some(_) => Switched::Off,
                    None => Switched::On,
                },
                name,
            }
        };
        offered.iter().map(tool).collect()
    }
}
