//! Messages about approval requests and proposed changes.

use std::borrow::Cow;

use super::summary::number;
use super::{Word, because, message, word};
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

/// Returns the label of a tool's argument. An argument without a translation keeps its own name.
pub fn field(name: &str) -> Cow<'_, str> {
    match name {
        "agent" => word(Word::FieldAgent).into(),
        "prompt" => word(Word::FieldPrompt).into(),
        "host" => word(Word::FieldHost).into(),
        "engine" => word(Word::FieldEngine).into(),
        "query" => word(Word::FieldQuery).into(),
        other => other.into(),
    }
}

/// Describes the calls that an "always" answer allows. A pattern for one field matches all values of the other fields.
pub fn covered(scope: &Scope, of: &Review) -> String {
    match &scope.options {
        Some(options) => {
            let command = scope.pattern.trim_end_matches(" *");
            match options.is_empty() {
                true => message::covers_no_options(command),
                false => message::covers_options(command, options.len(), &options.join(" ")),
            }
        }
        // The effect of a custom or MCP tool is unknown.
        None if scope.pattern == "*" && matches!(of, Review::Fields(_)) => word(Word::CoversAny).to_owned(),
        None if scope.pattern == "*" => word(Word::CoversAll).to_owned(),
        None if scope.pattern.ends_with("/*") => word(Word::CoversFolder).to_owned(),
        None if matches!(of, Review::Fields(_)) => message::covers_each(&scope.pattern),
        None => word(Word::CoversExactly).to_owned(),
    }
}

/// Describes the combined effect of several rules for one command line. `None` if the rules describe it fully.
pub fn covered_together(scope: &Scope, of: &Review) -> Option<&'static str> {
    let of_line = matches!(of, Review::Command(review) if review.parts.len() > 1);
    (of_line && scope.options.is_some()).then(|| word(Word::CoversLine))
}

/// Formats the heading above an "always" answer: its duration and scope. `child`: the subagent that asks, if any.
pub fn allowed_while(lasts: Lasts, child: Option<&str>) -> String {
    match (lasts, child) {
        (Lasts::Session, None) => word(Word::AllowedInSession).to_owned(),
        (Lasts::Session, Some(child)) => message::approval_always_child(child),
        (Lasts::Project, _) => word(Word::AllowedInProject).to_owned(),
    }
}

pub fn allowed_while_briefly(lasts: Lasts, child: Option<&str>) -> String {
    match (lasts, child) {
        (Lasts::Session, None) => word(Word::BrieflyInSession).to_owned(),
        (Lasts::Session, Some(child)) => message::approval_brief_child(child),
        (Lasts::Project, _) => word(Word::BrieflyInProject).to_owned(),
    }
}

pub fn comes_from(from: Layer) -> String {
    message::approval_from(layer(from))
}

pub fn place_of(at: usize, all: usize) -> String {
    message::approval_place(&all.to_string(), &at.to_string())
}

pub fn place_alone(at: usize) -> String {
    message::approval_place_alone(&at.to_string())
}

/// Reports that the request on screen is only a preview, because requests are decided in order. `back` is the key for
/// the current request. May be empty.
pub fn decided_in_order(back: &str) -> String {
    if back.is_empty() {
        return word(Word::ToastDecidedInOrderOnly).to_owned();
    }
    message::toast_decided_in_order(back)
}

/// Reports that the text was saved as an earlier prompt. `key` opens the list of earlier prompts. May be empty.
pub fn is_earlier_prompt(key: &str) -> String {
    if key.is_empty() {
        return word(Word::ToastIsEarlierPromptOnly).to_owned();
    }
    message::toast_is_earlier_prompt(key)
}

/// Reports that an undo request is already pending. `key` shows the request. May be empty.
pub fn undo_waits(key: &str) -> String {
    if key.is_empty() {
        return word(Word::ToastUndoWaitsOnly).to_owned();
    }
    message::toast_undo_waits(key)
}

pub fn comment_on(path: &str, line: usize) -> String {
    message::approval_comment(&line.to_string(), path)
}

/// Describes the edited lines of a file. Returns only the path if the whole file is edited.
pub fn editing(path: &str, first: usize, last: usize, all: usize) -> String {
    if last - first + 1 == all {
        return path.to_owned();
    }
    message::approval_editing(&all.to_string(), &first.to_string(), &last.to_string(), path)
}

/// Describes the place of a comment: a line of the proposal, or of the file before the proposal.
pub fn comment_place(path: &str, line: usize, proposed: bool) -> String {
    let line = line.to_string();
    match proposed {
        true => message::for_model_comment_proposed(&line, path),
        false => message::for_model_comment_before(&line, path),
    }
}

pub fn at_hunk(at: usize, all: usize) -> String {
    message::approval_at_hunk(&all.to_string(), &at.to_string())
}

pub fn at_file(at: usize, all: usize) -> String {
    message::approval_at_file(&all.to_string(), &at.to_string())
}

/// Explains why the person can allow a request only once.
pub fn only_once(verdict: &Verdict) -> String {
    let why = match (&verdict.only_once, &verdict.because) {
        (Some(OnlyOnce::Guarded(why)), _) => because(why),
        (Some(OnlyOnce::Written(written)), _) => as_written(*written),
        (Some(OnlyOnce::Branch), _) => word(Word::OnceBranch).to_owned(),
        (Some(OnlyOnce::Undone), _) => word(Word::OnceUndone).to_owned(),
        // The matching rule does not explain why "always" is impossible.
        (None, Because::Rule(_) | Because::NoRule) => word(Word::OnceSeveral).to_owned(),
        (None, other) => because(other),
    };
    message::toast_only_once(&why)
}

/// Names the shell syntax that makes an "always" rule for the command line impossible.
fn as_written(written: Written) -> String {
    let written = match written {
        Written::Redirected => Word::OnceRedirected,
        Written::Expanded => Word::OnceExpanded,
        Written::Assigned => Word::OnceAssigned,
        Written::Compound => Word::OnceCompound,
        Written::Long => Word::OnceLong,
        Written::Fed => Word::OnceFed,
        Written::Quoted => Word::OnceQuoted,
    };
    word(written).to_owned()
}

pub fn hunk(number: usize) -> String {
    message::approval_hunk(&number.to_string())
}

/// Reports that the command continues in the background. `seconds` is `None` without a timeout.
pub fn in_background(seconds: Option<u64>) -> String {
    match seconds {
        None => word(Word::CommandInBackground).to_owned(),
        Some(seconds) => message::command_in_background_for(&seconds.to_string()),
    }
}

pub fn stops_after(seconds: u64) -> String {
    message::command_stops_after(&seconds.to_string())
}

pub fn removal(removal: &Removal) -> String {
    let (path, files) = (removal.path.as_str(), number(message::summary_files, removal.files));
    let size = bytes_text(removal.bytes);
    let text = match removal.counted {
        Counted::All | Counted::AtMost if removal.files == 0 => message::command_removes_nothing(path),
        Counted::All => message::command_removes_files(&files, path, &size),
        Counted::Some => message::command_removes_more(&files, path, &size),
        Counted::AtMost => message::command_removes_at_most(&files, path, &size),
        Counted::Unknown => message::command_removes_unknown(path),
    };
    match (removal.not_saved, removal.counted) {
        (0, _) => text,
        (not_saved, Counted::All) => {
            let files = number(message::summary_files, not_saved);
            message::command_removes_for_good(&files, &text)
        }
        (_, Counted::Some | Counted::AtMost | Counted::Unknown) => message::command_removes_some_for_good(&text),
    }
}

/// Describes a file that is not text, by its sizes in bytes.
pub fn not_text(before: usize, after: usize) -> String {
    let (before, after) = (before.to_string(), after.to_string());
    message::change_not_text(&after, &before)
}

pub fn go_on(pause: &Pause) -> String {
    match pause {
        Pause::Steps { steps } => message::question_go_on(&steps.to_string()),
        Pause::Loop { tool, title, times } => {
            let call = call_named(tool, title);
            message::question_loop(&call, &times.to_string())
        }
        Pause::Denials { times } => message::question_denials(&times.to_string()),
    }
}

pub(super) fn call_named(tool: &str, title: &str) -> String {
    if tool.is_empty() {
        return word(Word::UnreadableCall).to_owned();
    }
    format!("{tool} {title}").trim_end().to_owned()
}
