//! Messages of linear mode.

use super::{Word, count, covered, covered_together, say, word};
use benchdog_domain::agent::AgentName;
use benchdog_domain::permission::{Lasts, Scope};
use benchdog_domain::review::Review;
use benchdog_domain::server::ServerName;

pub fn begins(model: Option<&str>, folder: &str) -> String {
    match model {
        Some(model) => say("linear-begins", &[("model", model), ("folder", folder)]),
        None => say("linear-begins-without-model", &[("folder", folder)]),
    }
}

pub fn needs_screen(command: &str) -> String {
    say("linear-needs-screen", &[("command", command)])
}

/// One option of an "always" answer.
/// `child`: the subagent that asks, if any.
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
    let values = [
        ("number", &*number.to_string()),
        ("rules", &(rules.join(" + ") + &together.unwrap_or_default())),
        ("lasts", lasts),
    ];
    say("linear-always", &values)
}

pub fn waits_for_server(server: &ServerName, most_ms: u64) -> String {
    let seconds = most_ms.div_ceil(1_000).to_string();
    say("linear-fetching", &[("server", &server.0), ("seconds", &seconds)])
}

pub fn empty_line_gives(answer: &str) -> String {
    say("linear-empty-gives", &[("answer", answer)])
}

/// Names the line that skips a field with a default value.
pub fn line_leaves_out(line: &str) -> String {
    say("linear-leaves-out", &[("line", line)])
}

pub fn reads_on(lines: usize) -> String {
    count("linear-reads-on", lines, &[])
}

/// A command prints more than is shown while it runs. `lines`: the number of final lines to be shown.
pub fn goes_on(lines: usize) -> String {
    say("linear-goes-on", &[("lines", &lines.to_string())])
}

pub fn waits_its_turn(text: &str) -> String {
    say("linear-waits-its-turn", &[("text", text)])
}

pub fn not_sent(text: &str) -> String {
    say("linear-not-sent", &[("text", text)])
}
