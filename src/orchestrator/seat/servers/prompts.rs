//! MCP prompts that a person calls as `/server:name`. Commands and mentions in their text are ignored.

use crate::seat::prompt::waits::Waits;
use benchdog_context::neutral::neutral;
use benchdog_domain::mention::{Unreadable, WhyUnreadable};
use benchdog_domain::server::{Need, NoPrompt, OfferedPrompt, ServerName, ServerTrouble, Speaker, Spoken};
use benchdog_domain::skill::{OfferKind, SkillOffer, SkillSource, SkillState};
use benchdog_mcp::Servers;
use benchdog_mcp::limits::LONGEST_PROMPT;
use benchdog_security::redact::Redactor;
use benchdog_tools::served;

pub(in crate::seat) struct OfServer {
    servers: Servers,
    server: ServerName,
    pub(in crate::seat) called: String,
    written: String,
}

impl OfServer {
    pub(in crate::seat) fn of(servers: &Servers, is_off: impl Fn(&ServerName) -> bool, prompt: &str) -> Option<Self> {
        let rest = prompt.strip_prefix('/')?;
        let (called, written) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (server, name) = called.split_once(':')?;
        let server = servers.names().find(|known| known.0 == server && !is_off(known))?;
        (!name.is_empty()).then(|| Self {
            servers: servers.clone(),
            server: server.clone(),
            called: called.to_owned(),
            written: written.trim().to_owned(),
        })
    }

    pub(in crate::seat) async fn text(&self, redactor: &Redactor) -> Result<String, NoPrompt> {
        let spoken = self.servers.prompt(&self.server, &self.called, &self.written).await?;
        let text = whole(&self.server, &self.called, &spoken);
        Ok(redactor.text(&text).into_owned())
    }
}

pub(in crate::seat) async fn made(
    of_server: Option<OfServer>,
    redactor: &Redactor,
    waits: &Waits,
) -> Result<Option<String>, Unreadable> {
    let Some(of_server) = of_server else {
        return Ok(None);
    };
    let most = of_server.servers.timeout(&of_server.server).min(LONGEST_PROMPT);
    let made = waits.on(&of_server.server, most, of_server.text(redactor)).await;
    // `None` means that the person stopped waiting. In this case, nobody sees the reason.
    let made = made.unwrap_or_else(|| Err(ServerTrouble::Off.into()));
    made.map(Some).map_err(|why| Unreadable {
        path: format!("/{}", of_server.called),
        why: WhyUnreadable::Prompt(why),
    })
}

/// Joins the messages of a server prompt, and marks messages of the assistant. The first line names the server, because
/// the person typed only the name of the prompt.
fn whole(server: &ServerName, called: &str, spoken: &[Spoken]) -> String {
    let one = |said: &Spoken| {
        let text = served::text_of_part(&said.part);
        let text = neutral(&text);
        match said.by {
            Speaker::Person => text.into_owned(),
            Speaker::Model => format!("(The server `{server}` has the model say here:)\n{text}"),
        }
    };
    let texts: Vec<String> = spoken.iter().map(one).collect();
    match texts.join("\n\n").trim() {
        "" => format!("(The server `{server}` made nothing of this prompt.)"),
        text => format!("(The prompt `/{called}` of the server `{server}` says:)\n{text}"),
    }
}

pub(in crate::seat) fn offer(server: &ServerName, prompt: &OfferedPrompt) -> SkillOffer {
    let hint = prompt.arguments.iter().map(|one| match one.need {
        Need::Required => one.name.clone(),
        Need::Optional => format!("[{}]", one.name),
    });
    SkillOffer {
        kind: OfferKind::Prompt,
        name: server.prompt(&prompt.name),
        hint: hint.collect::<Vec<_>>().join(" "),
        description: prompt.description.clone(),
        path: String::new(),
        source: SkillSource::Server,
        tokens: 0,
        state: SkillState::Offered,
        invocable: true,
    }
}

#[cfg(test)]
mod tests;
