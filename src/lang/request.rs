//! Messages about approval requests and proposed changes.

use std::borrow::Cow;

use super::summary::number;
use super::{Word, because, count, say, say_to_the_model, word};
use benchdog_base::disk::bytes_text;
use benchdog_domain::command::Written;
use benchdog_domain::permission::{Because, Lasts, Layer, OnlyOnce, Scope, Verdict};
use benchdog_domain::review::{Counted, Pause, Removal, Review};

pub fn layer(layer: Layer) -> &'static str {
    word(match layer {
        Layer::Guard => Word::LayerGuard,
        Layer::Default => Word::LayerDefault,
        Layer::User => Word::LayerUser,
        Layer::Project => Word::LayerProject,
        Layer::File => Word::LayerFile,
        Layer::Environment => Word::LayerEnvironment,
        Layer::Flag => Word::LayerFlag,
        Layer::Agent => Word::LayerAgent,
        Layer::Remembered => Word::LayerRemembered,
        Layer::Session => Word::LayerSession,
    })
}

/// Returns the label of a tool argument. Without a translation, the argument's own name.
pub fn field(name: &str) -> Cow<'_, str> {
    match name {
        "agent" => say("field-agent", &[]).into(),
        "prompt" => say("field-prompt", &[]).into(),
        other => other.into(),
    }
}

/// Describes the effect of an "always" answer. A pattern on one field covers all values of the others.
pub fn covered(scope: &Scope, of: &Review) -> String {
    match &scope.options {
        Some(options) => {
            let command = scope.pattern.trim_end_matches(" *");
            let values = [("command", command), ("options", &options.join(" "))];
            match options.is_empty() {
                true => say("covers-no-options", &values[..1]),
                false => count("covers-options", options.len(), &values),
            }
        }
        // The effect of a custom or MCP tool is unknown.
        None if scope.pattern == "*" && matches!(of, Review::Fields(_)) => say("covers-any", &[]),
        None if scope.pattern == "*" => word(Word::CoversAll).to_owned(),
        None if scope.pattern.ends_with("/*") => word(Word::CoversFolder).to_owned(),
        None if matches!(of, Review::Fields(_)) => say("covers-each", &[("name", &scope.pattern)]),
        None => word(Word::CoversExactly).to_owned(),
    }
}

/// Describes the combined effect of rules for a line of several commands. `None` if the rules say it all.
pub fn covered_together(scope: &Scope, of: &Review) -> Option<&'static str> {
    let of_line = matches!(of, Review::Command(review) if review.parts.len() > 1);
    (of_line && scope.options.is_some()).then(|| word(Word::CoversLine))
}

/// The heading above an "always" answer: its duration and scope. `child`: the subagent that asks, if any.
pub fn allowed_while(lasts: Lasts, child: Option<&str>) -> String {
    match (lasts, child) {
        (Lasts::Session, None) => word(Word::AllowedInSession).to_owned(),
        (Lasts::Session, Some(child)) => say("approval-always-child", &[("child", child)]),
        (Lasts::Project, _) => word(Word::AllowedInProject).to_owned(),
    }
}

pub fn allowed_while_briefly(lasts: Lasts, child: Option<&str>) -> String {
    match (lasts, child) {
        (Lasts::Session, None) => word(Word::BrieflyInSession).to_owned(),
        (Lasts::Session, Some(child)) => say("approval-brief-child", &[("child", child)]),
        (Lasts::Project, _) => word(Word::BrieflyInProject).to_owned(),
    }
}

pub fn enter_first(key: &str) -> String {
    say("toast-enter-first", &[("key", key)])
}

pub fn default_rule(key: &str) -> String {
    say("approval-default-rule", &[("key", key)])
}

pub fn comes_from(from: Layer) -> String {
    say("approval-from", &[("layer", layer(from))])
}

/// `asked: edit: "*": ask (default)`
pub fn asked(rule: &str) -> String {
    say("approval-asked", &[("rule", rule)])
}

pub fn place_of(at: usize, all: usize) -> String {
    say("approval-place", &[("at", &at.to_string()), ("all", &all.to_string())])
}

pub fn place_alone(at: usize) -> String {
    say("approval-place-alone", &[("at", &at.to_string())])
}

/// The request on screen is a preview. `back` is the key that returns to the current one, or empty.
pub fn decided_in_order(back: &str) -> String {
    if back.is_empty() {
        return say("toast-decided-in-order-only", &[]);
    }
    say("toast-decided-in-order", &[("back", back)])
}

/// The text was saved as an earlier prompt. `key` finds it there, or is empty.
pub fn is_earlier_prompt(key: &str) -> String {
    if key.is_empty() {
        return say("toast-is-earlier-prompt-only", &[]);
    }
    say("toast-is-earlier-prompt", &[("key", key)])
}

/// An undo request is already pending. `key` leads to it, or is empty.
pub fn undo_waits(key: &str) -> String {
    if key.is_empty() {
        return say("toast-undo-waits-only", &[]);
    }
    say("toast-undo-waits", &[("key", key)])
}

/// Part of the content was not on screen yet. `key` scrolls on.
pub fn key_reads_on(key: &str) -> String {
    say("toast-reads-on", &[("key", key)])
}

pub fn key_reads_on_briefly(key: &str) -> String {
    say("toast-reads-on-briefly", &[("key", key)])
}

pub fn comment_on(path: &str, line: usize) -> String {
    say("approval-comment", &[("path", path), ("line", &line.to_string())])
}

/// The edited part of a file. Only the path if it is the whole file.
pub fn editing(path: &str, first: usize, last: usize, all: usize) -> String {
    if last - first + 1 == all {
        return path.to_owned();
    }
    say(
        "approval-editing",
        &[
            ("path", path),
            ("first", &first.to_string()),
            ("last", &last.to_string()),
            ("all", &all.to_string()),
        ],
    )
}

pub fn comments_head() -> String {
    say_to_the_model("comments-head", &[])
}

/// The place of a comment: a line of the proposal, or of the file before it.
pub fn comment_place(path: &str, line: usize, proposed: bool) -> String {
    let id = if proposed { "comment-proposed" } else { "comment-before" };
    say_to_the_model(id, &[("path", path), ("line", &line.to_string())])
}

pub fn at_hunk(at: usize, all: usize) -> String {
    say(
        "approval-at-hunk",
        &[("at", &at.to_string()), ("all", &all.to_string())],
    )
}

pub fn at_file(at: usize, all: usize) -> String {
    say(
        "approval-at-file",
        &[("at", &at.to_string()), ("all", &all.to_string())],
    )
}

/// Explains why only a single approval is possible.
pub fn only_once(verdict: &Verdict) -> String {
    let why = match (&verdict.only_once, &verdict.because) {
        (Some(OnlyOnce::Guarded(why)), _) => because(why),
        (Some(OnlyOnce::Written(written)), _) => as_written(*written),
        (Some(OnlyOnce::Branch), _) => say("once-branch", &[]),
        (Some(OnlyOnce::Undone), _) => say("once-undone", &[]),
        // The rule that asks does not explain why "always" is impossible.
        (None, Because::Rule(_) | Because::NoRule) => say("once-several", &[]),
        (None, other) => because(other),
    };
    say("toast-only-once", &[("why", &why)])
}

/// Names the shell syntax that no rule can cover.
fn as_written(written: Written) -> String {
    let key = match written {
        Written::Redirected => "once-redirected",
        Written::Expanded => "once-expanded",
        Written::Assigned => "once-assigned",
        Written::Compound => "once-compound",
        Written::Long => "once-long",
        Written::Fed => "once-fed",
        Written::Quoted => "once-quoted",
    };
    say(key, &[])
}

pub fn hunk(number: usize) -> String {
    say("approval-hunk", &[("number", &number.to_string())])
}

/// The command continues in the background. `None` if it has no timeout.
pub fn in_background(seconds: Option<u64>) -> String {
    match seconds {
        None => say("command-in-background", &[]),
        Some(seconds) => say("command-in-background-for", &[("seconds", &seconds.to_string())]),
    }
}

pub fn stops_after(seconds: u64) -> String {
    say("command-stops-after", &[("seconds", &seconds.to_string())])
}

pub fn mode_becomes(mode: &str) -> String {
    say("change-mode", &[("mode", mode)])
}

pub fn removal(removal: &Removal) -> String {
    let path = removal.path.as_str();
    let key = match removal.counted {
        Counted::All | Counted::AtMost if removal.files == 0 => "command-removes-nothing",
        Counted::All => "command-removes-files",
        Counted::Some => "command-removes-more",
        Counted::AtMost => "command-removes-at-most",
        Counted::Unknown => "command-removes-unknown",
    };
    let files = number("summary-files", removal.files);
    say(
        key,
        &[("path", path), ("files", &files), ("size", &bytes_text(removal.bytes))],
    )
}

/// Sizes are in bytes.
pub fn not_text(before: usize, after: usize) -> String {
    let (before, after) = (before.to_string(), after.to_string());
    say("change-not-text", &[("before", &before), ("after", &after)])
}

pub fn renamed_from(path: &str) -> String {
    say("change-renamed", &[("path", path)])
}

pub fn copy_of(path: &str) -> String {
    say("change-copied", &[("path", path)])
}

pub fn go_on(pause: &Pause) -> String {
    match pause {
        Pause::Steps { steps } => say("question-go-on", &[("steps", &steps.to_string())]),
        Pause::Loop { tool, title, times } => {
            let call = call_named(tool, title);
            say("question-loop", &[("call", &call), ("times", &times.to_string())])
        }
        Pause::Denials { times } => say("question-denials", &[("times", &times.to_string())]),
    }
}

pub(super) fn call_named(tool: &str, title: &str) -> String {
    if tool.is_empty() {
        return word(Word::UnreadableCall).to_owned();
    }
    format!("{tool} {title}").trim_end().to_owned()
}
