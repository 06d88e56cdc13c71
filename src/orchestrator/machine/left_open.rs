//! Repairs the log after a crash: each unfinished call gets a result, and an unfinished turn gets an end.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Machine;
use crate::input::{ChildLeft, LeftBehind};
use benchdog_base::id::CallId;
use benchdog_diff::patch::{Reading, parse};
use benchdog_domain::budget::Usage;
use benchdog_domain::call;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::history::{CallProgress, History};
use benchdog_domain::message::Arguments;
use benchdog_domain::note::Note;
use benchdog_domain::summary::{ENDED_MEANWHILE, Summary};
use benchdog_domain::tool::{CallStatus, Outcome};
use benchdog_domain::undo::UNDO;

const ENDED_IN_HOOKS: &str =
    "Benchdog ended while hooks of the user were asked about this result. What they had to say of it is not known.";

const UNDO_FINISHED: &str = "Benchdog ended during this undo, and finished it at the next start.";

const NAMED: usize = 5;
const LISTED: usize = 200;
const WORDS: usize = 200;

impl Machine {
    pub(super) fn close_what_was_left_open(&mut self, history: &History, left_behind: &[LeftBehind]) {
        let turn = self.last_turn;
        for open in history.open_calls() {
            let (summary, output) = match open.progress {
                CallProgress::Started(_) => match left_behind.iter().find(|left| left.call == open.call.id).map(told) {
                    None => (Summary::ResultUnknown, ENDED_MEANWHILE.to_owned()),
                    Some(told) => told,
                },
                CallProgress::Over(over) => {
                    over_unasked(over).into_iter().for_each(|result| self.log(turn, result));
                    continue;
                }
                CallProgress::Waiting => (
                    Summary::NotRun,
                    "Benchdog ended before this call was run. Nothing was done.".to_owned(),
                ),
            };
            if let Some(left) = left_behind.iter().find(|left| left.call == open.call.id) {
                self.log_changes(turn, &left.call, left.changed.clone());
                left.child.iter().for_each(|child| self.on_child(child.entry.clone()));
            }
            self.log(
                turn,
                Body::ToolResult {
                    call: open.call.id.clone(),
                    tool: open.call.name.clone(),
                    title: about(&open.call.arguments),
                    status: CallStatus::Cancelled,
                    summary,
                    output,
                    truncated: false,
                    notes: Vec::new(),
                    took_ms: 0,
                    places: Vec::new(),
                    images: Vec::new(),
                },
            );
        }
        if history.open_turn() {
            let body = Body::TurnEnded {
                outcome: TurnOutcome::Interrupted,
                steps: 0,
                usage: Usage::default(),
            };
            self.log(turn, body);
        }
        // Log these entries after the end of the turn, as in a turn without a crash.
        own_ends(history, left_behind)
            .into_iter()
            .for_each(|end| self.log(turn, end));
    }
}

fn told(left: &LeftBehind) -> (Summary, String) {
    let (summary, told) = told_of_files(left);
    (summary, behind(&left.printed, told))
}

fn behind(printed: &str, told: String) -> String {
    match printed.trim_end() {
        "" => told,
        printed => format!("{printed}\n{told}"),
    }
}

fn told_of_files(left: &LeftBehind) -> (Summary, String) {
    if left.child.is_none() && left.changed.is_empty() && left.unreadable.is_empty() && !left.unchanged.is_empty() {
        let none = "Benchdog ended before this call changed anything: its files are as they were.";
        return (Summary::NotRun, none.to_owned());
    }
    let changed = left.changed.iter().map(|change| change.path.as_str()).collect();
    let unchanged = left.unchanged.iter().map(String::as_str).collect();
    let unreadable = left.unreadable.iter().map(String::as_str).collect();
    let lines = [
        listed("Changed", changed),
        listed("As before", unchanged),
        listed("Not readable now", unreadable),
    ];
    let child = left.child.as_ref().map(of_child).unwrap_or_default();
    (
        Summary::ResultUnknown,
        format!("{ENDED_MEANWHILE}{child}{}", lines.concat()),
    )
}

fn of_child(child: &ChildLeft) -> String {
    let steps = child.entry.ended.as_ref().map_or(0, |ended| ended.steps);
    let session = child.entry.session.short();
    let last = match child.last.as_slice() {
        [] => String::new(),
        last => format!(", and made these calls last: {}", last.join(", ")),
    };
    format!("\nThe child (session {session}) had answered {steps} times{last}.")
}

fn listed(state: &str, mut files: Vec<&str>) -> String {
    let more = files.split_off(files.len().min(LISTED)).len();
    match (files.as_slice(), more) {
        ([], _) => String::new(),
        (some, 0) => format!("\n{state}: {}", some.join(", ")),
        (some, more) => format!("\n{state}: {} and {more} more", some.join(", ")),
    }
}

fn over_unasked(over: &Body) -> Option<Body> {
    let Body::CallEnded {
        call,
        tool,
        title,
        status,
        summary,
        output,
        truncated,
        notes,
        places,
        images,
        took_ms,
    } = over.clone()
    else {
        return None;
    };
    let unsaid = Note::from(ENDED_IN_HOOKS.to_owned());
    Some(Body::ToolResult {
        call,
        tool,
        title,
        status,
        summary,
        output,
        truncated,
        notes: notes.into_iter().chain([unsaid]).collect(),
        places,
        images,
        took_ms,
    })
}

pub(super) fn own_ends(history: &History, left_behind: &[LeftBehind]) -> Vec<Body> {
    let ends = history
        .own_calls()
        .filter_map(|reached| end_of_own(reached, left_behind));
    ends.collect()
}

fn end_of_own(reached: &Body, left_behind: &[LeftBehind]) -> Option<Body> {
    match reached {
        Body::CallStarted { call, tool, title, .. } => {
            let left = left_behind.iter().find(|left| left.call == *call);
            let printed = left.map_or("", |left| left.printed.as_str());
            if left.is_some_and(|left| left.is_undo_finished) {
                return Some(finished_undo(call, title));
            }
            Some(unknown_end(call, tool, title, printed))
        }
        over => over.as_shell(),
    }
}

fn unknown_end(call: &CallId, tool: &str, title: &str, printed: &str) -> Body {
    let command = match tool {
        UNDO => format!("{UNDO} {title}"),
        _ => title.to_owned(),
    };
    let call = call.clone();
    let (summary, output) = (Summary::ResultUnknown, behind(printed, ENDED_MEANWHILE.to_owned()));
    if tool == call::CHECK {
        Body::Validation {
            call,
            command,
            passed: false,
            summary,
            output,
            round: 0,
            feedback: false,
            unfinished: Some(CallStatus::Cancelled),
        }
    } else {
        let outcome = Outcome {
            status: CallStatus::Cancelled,
            ..Outcome::ok(summary, output)
        };
        Body::shell(call, command, outcome)
    }
}

/// Returns the result of an undo that was completed after a crash. The result contains no number of files, because a
/// notice states that number.
fn finished_undo(call: &CallId, title: &str) -> Body {
    let outcome = Outcome::ok(Summary::Words(String::new()), UNDO_FINISHED.to_owned());
    Body::shell(call.clone(), format!("{UNDO} {title}"), outcome)
}

pub(crate) fn about(arguments: &Arguments) -> String {
    let Arguments::Object(arguments) = arguments else {
        return String::new();
    };
    let texts = || arguments.values().filter_map(Value::as_str);
    let mut files = Vec::new();
    for (name, value) in arguments {
        paths(name, value, &mut files);
    }
    if files.is_empty() {
        files.extend(texts().flat_map(of_patch));
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()));
    let more = files.split_off(files.len().min(NAMED)).len();
    match (files.join(", "), more) {
        (none, _) if none.is_empty() => {
            let first = texts().next().and_then(|text| text.lines().next());
            first.unwrap_or_default().chars().take(WORDS).collect()
        }
        (all, 0) => all,
        (some, more) => format!("{some} and {more} more"),
    }
}

fn paths(name: &str, value: &Value, files: &mut Vec<String>) {
    match value {
        Value::String(path) if (name.contains("path") || name.contains("file")) && !path.contains('\n') => {
            files.push(path.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| paths(name, item, files)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| paths(name, value, files)),
        _ => {}
    }
}

fn of_patch(text: &str) -> Vec<String> {
    let files = parse(text, Reading::Counts).map_or_else(|_| Vec::new(), |patch| patch.files);
    let names = files.iter().flat_map(|file| file.action.names());
    names.map(|name| name.first().to_owned()).collect()
}

#[cfg(test)]
mod tests;
