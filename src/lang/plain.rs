//! Words of plain lines: on a terminal without a screen, in pipes, beside an answer.

use super::{Word, count, ended, say, word};
use crate::domain::entry::TurnOutcome;
use crate::domain::permission::DecidedBy;

fn who(by: DecidedBy) -> &'static str {
    word(match by {
        DecidedBy::User => Word::ByPerson,
        DecidedBy::Policy => Word::ByPolicy,
        DecidedBy::Timeout => Word::ByTimeout,
    })
}

pub(crate) fn allowed(by: DecidedBy) -> String {
    say("plain-allowed", &[("who", who(by))])
}

/// From then on, and without asking.
pub(crate) fn always_allowed(by: DecidedBy) -> String {
    say("plain-always", &[("who", who(by))])
}

pub(crate) fn denied(by: DecidedBy) -> String {
    say("plain-denied", &[("who", who(by))])
}

pub(crate) fn note(text: &str) -> String {
    say("plain-note", &[("text", text)])
}

pub(crate) fn error(text: &str) -> String {
    say("plain-error", &[("text", text)])
}

/// An attempt failed; `seconds` until the next: `1.5`.
pub(crate) fn trying_again(number: u32, reason: &str, seconds: &str) -> String {
    let number = number.to_string();
    let values = [("number", &*number), ("reason", reason), ("seconds", seconds)];
    say("plain-retry", &values)
}

/// What the value of a flag has to be, with one that it may have.
pub(crate) fn whole_wanted(example: &str) -> String {
    say("wanted-whole", &[("example", example)])
}

pub(crate) fn at_most(most: u64) -> String {
    say("wanted-at-most", &[("most", &most.to_string())])
}

pub(crate) fn number_wanted(most: &str, example: &str) -> String {
    say("wanted-number", &[("most", most), ("example", example)])
}

pub(crate) fn dollars_wanted() -> String {
    say("wanted-dollars", &[])
}

pub(crate) fn unwritable(error: &str) -> String {
    say("plain-unwritable", &[("error", error)])
}

pub(crate) fn check_passed(command: &str, summary: &str) -> String {
    say("plain-passed", &[("command", command), ("summary", summary)])
}

pub(crate) fn check_failed(command: &str, summary: &str) -> String {
    say("plain-failed", &[("command", command), ("summary", summary)])
}

pub(crate) fn todo(done: usize, all: usize) -> String {
    say("plain-todo", &[("done", &done.to_string()), ("all", &all.to_string())])
}

/// How to open the demo's session once more; `folder` as a shell takes it.
/// What the person says to the model by `/execute`.
pub(crate) fn carry_out() -> String {
    say("plan-carry-out", &[])
}

/// What they say by `/init`, before what was found.
pub(crate) fn look_at_project() -> String {
    say("init-look", &[])
}

/// How the session that was left is taken up again.
pub(crate) fn comes_back(command: &str) -> String {
    say("leave-comes-back", &[("command", command)])
}

pub(crate) fn demo_again(folder: &str) -> String {
    say("demo-again", &[("folder", folder)])
}

/// How a turn ended, after how many steps.
pub(crate) fn ended_after(outcome: TurnOutcome, steps: u32) -> String {
    count("plain-steps", steps as usize, &[("outcome", ended(outcome))])
}
