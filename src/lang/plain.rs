//! Messages for plain output: pipes, terminals without a screen, and lines beside an answer.

use super::{Word, count, ended, say, word};
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::permission::DecidedBy;

fn who(by: DecidedBy) -> &'static str {
    word(match by {
        DecidedBy::User => Word::ByPerson,
        DecidedBy::Policy => Word::ByPolicy,
        DecidedBy::Timeout => Word::ByTimeout,
    })
}

pub fn allowed(by: DecidedBy) -> String {
    say("plain-allowed", &[("who", who(by))])
}

pub fn allowed_in_sandbox(by: DecidedBy) -> String {
    say("plain-confined", &[("who", who(by))])
}

pub fn always_allowed(by: DecidedBy) -> String {
    say("plain-always", &[("who", who(by))])
}

pub fn denied(by: DecidedBy) -> String {
    say("plain-denied", &[("who", who(by))])
}

pub fn note(text: &str) -> String {
    say("plain-note", &[("text", text)])
}

pub fn error(text: &str) -> String {
    say("plain-error", &[("text", text)])
}

/// A failed attempt. `seconds` until the next one, such as `1.5`.
pub fn trying_again(number: u32, reason: &str, seconds: &str) -> String {
    let number = number.to_string();
    let values = [("number", &*number), ("reason", reason), ("seconds", seconds)];
    say("plain-retry", &values)
}

pub fn whole_wanted(example: &str) -> String {
    say("wanted-whole", &[("example", example)])
}

pub fn at_most(most: u64) -> String {
    say("wanted-at-most", &[("most", &most.to_string())])
}

pub fn number_wanted(most: &str, example: &str) -> String {
    say("wanted-number", &[("most", most), ("example", example)])
}

pub fn dollars_wanted() -> String {
    say("wanted-dollars", &[])
}

pub fn unwritable(error: &str) -> String {
    say("plain-unwritable", &[("error", error)])
}

pub fn check_passed(command: &str, summary: &str) -> String {
    say("plain-passed", &[("command", command), ("summary", summary)])
}

pub fn check_failed(command: &str, summary: &str) -> String {
    say("plain-failed", &[("command", command), ("summary", summary)])
}

pub fn todo(done: usize, all: usize) -> String {
    say("plain-todo", &[("done", &done.to_string()), ("all", &all.to_string())])
}

/// The text that `/execute` sends to the model.
pub fn carry_out() -> String {
    say("plan-carry-out", &[])
}

/// The text that `/init` sends to the model, before the scan results.
pub fn look_at_project() -> String {
    say("init-look", &[])
}

pub fn comes_back(command: &str) -> String {
    say("leave-comes-back", &[("command", command)])
}

pub fn demo_again(folder: &str) -> String {
    say("demo-again", &[("folder", folder)])
}

pub fn ended_after(outcome: TurnOutcome, steps: u32) -> String {
    count("plain-steps", steps as usize, &[("outcome", ended(outcome))])
}
