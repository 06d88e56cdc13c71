//! Messages of linear mode.

use super::{Word, covered, covered_together, message, word};
use benchdog_domain::agent::AgentName;
use benchdog_domain::permission::{Lasts, Scope};
use benchdog_domain::review::Review;
use benchdog_domain::server::ServerName;

pub fn begins(model: Option<&str>, folder: &str) -> String {
    match model {
        Some(model) => message::linear_begins(folder, model),
        None => message::linear_begins_without_model(folder),
    }
}

/// Formats one option of an "always" answer. `child`: the subagent that asks, if any.
pub fn always(number: usize, (scope, lasts): (&Scope, Lasts), of: &Review, child: Option<&AgentName>) -> String {
    let rules: Vec<String> = scope
        .parts()
        .map(|part| format!("{}: \"{}\" ({})", part.key, part.pattern, covered(&part, of)))
        .collect();
    let together = covered_together(scope, of).map(|together| format!("; {together}"));
    let lasts = word(match (lasts, child) {
        (Lasts::Session, None) => Word::LinearInSession,
        (Lasts::Session, Some(_)) => Word::LinearInChild,
        (Lasts::Project, _) => Word::LinearInProject,
    });
    message::linear_always(
        lasts,
        &number.to_string(),
        &(rules.join(" + ") + &together.unwrap_or_default()),
    )
}

pub fn waits_for_server(server: &ServerName, most_ms: u64) -> String {
    let seconds = most_ms.div_ceil(1_000).to_string();
    message::linear_fetching(&seconds, &server.0)
}

/// Reports that a running command prints more than is shown. When the command ends, its last `lines` lines are shown.
pub fn goes_on(lines: usize) -> String {
    message::linear_goes_on(&lines.to_string())
}
