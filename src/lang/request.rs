//! Words with values about a request that waits and the change it proposes.

use std::borrow::Cow;

use super::summary::number;
use super::{Word, because, count, say, say_to_the_model, word};
use crate::base::disk::bytes_text;
use crate::domain::command::Written;
use crate::domain::permission::{Because, Lasts, Layer, OnlyOnce, Scope, Verdict};
use crate::domain::review::{Counted, Pause, Removal, Review};

/// The layer of the rules that asks.
pub(crate) fn layer(layer: Layer) -> &'static str {
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

/// The name of something that a tool was given, where it has words; else as the tool names it.
pub(crate) fn field(name: &str) -> Cow<'_, str> {
    match name {
        "agent" => say("field-agent", &[]).into(),
        "prompt" => say("field-prompt", &[]).into(),
        other => other.into(),
    }
}

/// What an "always" answer of this size covers, in words.
/// What is named by one of its fields is covered whatever the others say.
pub(crate) fn covered(scope: &Scope, of: &Review) -> String {
    match &scope.options {
        Some(options) => {
            let command = scope.pattern.trim_end_matches(" *");
            let values = [("command", command), ("options", &options.join(" "))];
            match options.is_empty() {
                true => say("covers-no-options", &values[..1]),
                false => count("covers-options", options.len(), &values),
            }
        }
        // What a tool of a server or of the person's own reaches, nobody here knows.
        None if scope.pattern == "*" && matches!(of, Review::Fields(_)) => say("covers-any", &[]),
        None if scope.pattern == "*" => word(Word::CoversAll).to_owned(),
        None if scope.pattern.ends_with("/*") => word(Word::CoversFolder).to_owned(),
        None if matches!(of, Review::Fields(_)) => say("covers-each", &[("name", &scope.pattern)]),
        None => word(Word::CoversExactly).to_owned(),
    }
}

/// Below the rules of an "always" answer to a line of several commands: how far they reach together. `None`: it covers what it says alone.
pub(crate) fn covered_together(scope: &Scope, of: &Review) -> Option<&'static str> {
    let of_line = matches!(of, Review::Command(review) if review.parts.len() > 1);
    (of_line && scope.options.is_some()).then(|| word(Word::CoversLine))
}

/// What stands above what an "always" answer covers: for how long it holds, and for whom. `child`: who asks, where that is none of the
/// session itself.
pub(crate) fn allowed_while(lasts: Lasts, child: Option<&str>) -> String {
    match (lasts, child) {
        (Lasts::Session, None) => word(Word::AllowedInSession).to_owned(),
        (Lasts::Session, Some(child)) => say("approval-always-child", &[("child", child)]),
        (Lasts::Project, _) => word(Word::AllowedInProject).to_owned(),
    }
}

/// The same for little room.
pub(crate) fn allowed_while_briefly(lasts: Lasts, child: Option<&str>) -> String {
    match (lasts, child) {
        (Lasts::Session, None) => word(Word::BrieflyInSession).to_owned(),
        (Lasts::Session, Some(child)) => say("approval-brief-child", &[("child", child)]),
        (Lasts::Project, _) => word(Word::BrieflyInProject).to_owned(),
    }
}

/// Names the key that focuses a grave request.
pub(crate) fn enter_first(key: &str) -> String {
    say("toast-enter-first", &[("key", key)])
}

/// Says that a tool asks by default.
pub(crate) fn default_rule(key: &str) -> String {
    say("approval-default-rule", &[("key", key)])
}

/// Names where a rule was set.
pub(crate) fn comes_from(from: Layer) -> String {
    say("approval-from", &[("layer", layer(from))])
}

/// `asked: edit: "*": ask (default)`
pub(crate) fn asked(rule: &str) -> String {
    say("approval-asked", &[("rule", rule)])
}

/// Which of the requests that waited together is shown.
pub(crate) fn place_of(at: usize, all: usize) -> String {
    say("approval-place", &[("at", &at.to_string()), ("all", &all.to_string())])
}

/// The same where it cannot be known how many they are.
pub(crate) fn place_alone(at: usize) -> String {
    say("approval-place-alone", &[("at", &at.to_string())])
}

/// What is on screen is not asked about yet, and the key that goes back, if there is one.
pub(crate) fn decided_in_order(back: &str) -> String {
    if back.is_empty() {
        return say("toast-decided-in-order-only", &[]);
    }
    say("toast-decided-in-order", &[("back", back)])
}

/// A text for which there is no place any more is an earlier prompt, and the key that finds it there, if there is one.
pub(crate) fn is_earlier_prompt(key: &str) -> String {
    if key.is_empty() {
        return say("toast-is-earlier-prompt-only", &[]);
    }
    say("toast-is-earlier-prompt", &[("key", key)])
}

/// What is to be taken back waits for an answer already, and the key that leads to it, if there is one.
pub(crate) fn undo_waits(key: &str) -> String {
    if key.is_empty() {
        return say("toast-undo-waits-only", &[]);
    }
    say("toast-undo-waits", &[("key", key)])
}

/// What would be allowed has rows that were not on screen yet.
pub(crate) fn key_reads_on(key: &str) -> String {
    say("toast-reads-on", &[("key", key)])
}

/// The same where there is no room to say why.
pub(crate) fn key_reads_on_briefly(key: &str) -> String {
    say("toast-reads-on-briefly", &[("key", key)])
}

/// What a comment is about.
pub(crate) fn comment_on(path: &str, line: usize) -> String {
    say("approval-comment", &[("path", path), ("line", &line.to_string())])
}

/// What of a file is in the editor.
pub(crate) fn editing(path: &str, first: usize, last: usize, all: usize) -> String {
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

/// Above comments that go to the model together.
pub(crate) fn comments_head() -> String {
    say_to_the_model("comments-head", &[])
}

/// The place of a comment: a line of the proposal, or of the file as it was.
pub(crate) fn comment_place(path: &str, line: usize, proposed: bool) -> String {
    let id = if proposed { "comment-proposed" } else { "comment-before" };
    say_to_the_model(id, &[("path", path), ("line", &line.to_string())])
}

/// Which hunk the cursor is on.
pub(crate) fn at_hunk(at: usize, all: usize) -> String {
    say(
        "approval-at-hunk",
        &[("at", &at.to_string()), ("all", &all.to_string())],
    )
}

/// Which file the cursor is in.
pub(crate) fn at_file(at: usize, all: usize) -> String {
    say(
        "approval-at-file",
        &[("at", &at.to_string()), ("all", &all.to_string())],
    )
}

/// Why it cannot be allowed from now on.
pub(crate) fn only_once(verdict: &Verdict) -> String {
    let why = match (&verdict.only_once, &verdict.because) {
        (Some(OnlyOnce::Guarded(why)), _) => because(why),
        (Some(OnlyOnce::Written(written)), _) => as_written(*written),
        (Some(OnlyOnce::Branch), _) => say("once-branch", &[]),
        (Some(OnlyOnce::Undone), _) => say("once-undone", &[]),
        // That a rule asks says nothing of why an answer could not allow.
        (None, Because::Rule(_) | Because::NoRule) => say("once-several", &[]),
        (None, other) => because(other),
    };
    say("toast-only-once", &[("why", &why)])
}

/// How a line is written that no answer covers.
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

pub(crate) fn hunk(number: usize) -> String {
    say("approval-hunk", &[("number", &number.to_string())])
}

/// That a command goes on behind its call, and for how many seconds.
pub(crate) fn in_background(seconds: Option<u64>) -> String {
    match seconds {
        None => say("command-in-background", &[]),
        Some(seconds) => say("command-in-background-for", &[("seconds", &seconds.to_string())]),
    }
}

/// When a command is stopped.
pub(crate) fn stops_after(seconds: u64) -> String {
    say("command-stops-after", &[("seconds", &seconds.to_string())])
}

pub(crate) fn mode_becomes(mode: &str) -> String {
    say("change-mode", &[("mode", mode)])
}

/// What a word of a removal would take with it.
pub(crate) fn removal(removal: &Removal) -> String {
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

/// The sizes of a file that is no text, in bytes.
pub(crate) fn not_text(before: usize, after: usize) -> String {
    let (before, after) = (before.to_string(), after.to_string());
    say("change-not-text", &[("before", &before), ("after", &after)])
}

pub(crate) fn renamed_from(path: &str) -> String {
    say("change-renamed", &[("path", path)])
}

pub(crate) fn copy_of(path: &str) -> String {
    say("change-copied", &[("path", path)])
}

/// The question where a turn was stopped.
pub(crate) fn go_on(pause: &Pause) -> String {
    match pause {
        Pause::Steps { steps } => say("question-go-on", &[("steps", &steps.to_string())]),
        Pause::Loop { tool, title, times } => {
            let call = call_named(tool, title);
            say("question-loop", &[("call", &call), ("times", &times.to_string())])
        }
        Pause::Denials { times } => say("question-denials", &[("times", &times.to_string())]),
    }
}

/// A call by its tool and what it is about.
pub(super) fn call_named(tool: &str, title: &str) -> String {
    if tool.is_empty() {
        return word(Word::UnreadableCall).to_owned();
    }
    format!("{tool} {title}").trim_end().to_owned()
}
