//! Messages for editors.

use super::{Word, covered, covered_together, message, word};
use benchdog_domain::agent::AgentName;
use benchdog_domain::permission::{Lasts, Scope};
use benchdog_domain::review::Review;

/// Describes an "always" answer: its rules and its duration. `child`: the subagent that asks, if any.
pub fn always_allows((scope, lasts): (&Scope, Lasts), of: &Review, child: Option<&AgentName>) -> String {
    let rules = scope
        .parts()
        .map(|part| format!("{} ({})", rule(&part), covered(&part, of)));
    let rules: Vec<String> = rules.chain(covered_together(scope, of).map(str::to_owned)).collect();
    let lasts = word(match (lasts, child) {
        (Lasts::Session, None) => Word::LinearInSession,
        (Lasts::Session, Some(_)) => Word::LinearInChild,
        (Lasts::Project, _) => Word::LinearInProject,
    });
    message::acp_always(lasts, &rules.join(", "))
}

pub fn always_rejects(scope: &Scope) -> String {
    let rules: Vec<String> = scope.parts().map(|part| rule(&part)).collect();
    message::acp_always_reject(&rules.join(", "))
}

fn rule(scope: &Scope) -> String {
    format!("{}: \"{}\"", scope.key, scope.pattern)
}
