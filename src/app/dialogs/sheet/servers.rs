//! The MCP servers with their state, tools and errors, as rows of a table.

use super::Fact;
use benchdog_base::text::clean;
use benchdog_domain::server::{ServerStage, ServerStatus, ServerTrouble};
use benchdog_domain::sign_in::SignIn;
use benchdog_lang::{self as lang, Word, word};
use benchdog_transcript::Mark;

pub(super) fn facts(servers: &[ServerStatus]) -> Vec<Fact> {
    if servers.is_empty() {
        return vec![Fact::Text(word(Word::NoServers).to_owned())];
    }
    servers.iter().flat_map(one).collect()
}

fn one(server: &ServerStatus) -> Vec<Fact> {
    let trouble = server.trouble.as_ref();
    let heading = format!("{}  {}", server.name, lang::server_stage(server.stage, trouble));
    let wrong = trouble
        .filter(|trouble| !trouble.wants_sign_in())
        .map(lang::server_trouble);
    let rows = lang::server_rows(server).into_iter();
    let rows = rows.map(|row| match &wrong {
        Some(wrong) if *wrong == row => Fact::Wrong(clean(&row).into_owned()),
        _ => Fact::Text(clean(&row).into_owned()),
    });
    let link = link(server).map(|link| Fact::Text(clean(link).into_owned()));
    std::iter::once(Fact::Stands(mark(server), heading))
        .chain(rows)
        .chain(link)
        .collect()
}

fn mark(server: &ServerStatus) -> Mark {
    match server.stage {
        ServerStage::Dead if server.trouble.as_ref().is_some_and(ServerTrouble::wants_sign_in) => Mark::Waiting,
        ServerStage::Ready => Mark::Ok,
        ServerStage::Starting => Mark::Running,
        ServerStage::Dead => Mark::Failed,
        ServerStage::Waiting | ServerStage::Off => Mark::Stopped,
    }
}

pub(crate) fn link(server: &ServerStatus) -> Option<&str> {
    match &server.sign_in {
        Some(SignIn::Link(link)) => Some(link),
        _ => None,
    }
}
