//! Words with values where the workbench is lines.

use super::{Word, count, covered, covered_together, say, word};
use crate::domain::agent::AgentName;
use crate::domain::permission::{Lasts, Scope};
use crate::domain::review::Review;
use crate::domain::server::ServerName;

/// The first line of a session.
pub(crate) fn begins(model: Option<&str>, folder: &str) -> String {
    match model {
        Some(model) => say("linear-begins", &[("model", model), ("folder", folder)]),
        None => say("linear-begins-without-model", &[("folder", folder)]),
    }
}

pub(crate) fn needs_screen(command: &str) -> String {
    say("linear-needs-screen", &[("command", command)])
}

/// One of what can be allowed from now on.
/// `child`: who asks, where that is none of the session itself.
pub(crate) fn always(number: usize, (scope, lasts): (&Scope, Lasts), of: &Review, child: Option<&AgentName>) -> String {
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

/// A server is waited for before a prompt is sent.
pub(crate) fn waits_for_server(server: &ServerName, most_ms: u64) -> String {
    let seconds = most_ms.div_ceil(1_000).to_string();
    say("linear-fetching", &[("server", &server.0), ("seconds", &seconds)])
}

/// What an empty line answers.
pub(crate) fn empty_line_gives(answer: &str) -> String {
    say("linear-empty-gives", &[("answer", answer)])
}

/// The line that answers nothing where an empty one would.
pub(crate) fn line_leaves_out(line: &str) -> String {
    say("linear-leaves-out", &[("line", line)])
}

/// What is asked about has more lines.
pub(crate) fn reads_on(lines: usize) -> String {
    count("linear-reads-on", lines, &[])
}

/// A command prints more than is shown while it runs, and so many lines of its end are.
pub(crate) fn goes_on(lines: usize) -> String {
    say("linear-goes-on", &[("lines", &lines.to_string())])
}

pub(crate) fn waits_its_turn(text: &str) -> String {
    say("linear-waits-its-turn", &[("text", text)])
}

/// A prompt that came back.
pub(crate) fn not_sent(text: &str) -> String {
    say("linear-not-sent", &[("text", text)])
}
