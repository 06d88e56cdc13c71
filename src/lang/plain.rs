//! Messages for plain output: pipes, terminals without a screen, and lines printed between answers.

use super::{Word, ended, message, word};
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
    message::plain_allowed(who(by))
}

pub fn allowed_in_sandbox(by: DecidedBy) -> String {
    message::plain_confined(who(by))
}

pub fn always_allowed(by: DecidedBy) -> String {
    message::plain_always(who(by))
}

/// Reports a denied request. `because` is the rule, agent or hook, unless the previous line already names it.
pub fn denied(by: DecidedBy, because: Option<&str>) -> String {
    match because {
        Some(because) => message::plain_denied_because(because, who(by)),
        None => message::plain_denied(who(by)),
    }
}

/// Reports a failed attempt. `seconds` is the time until the next attempt, such as `1.5`.
pub fn trying_again(number: u32, reason: &str, seconds: &str) -> String {
    let number = number.to_string();
    message::plain_retry(&number, reason, seconds)
}

pub fn at_most(most: u64) -> String {
    message::wanted_at_most(&most.to_string())
}

pub fn todo(done: usize, all: usize) -> String {
    message::plain_todo(&all.to_string(), &done.to_string())
}

pub fn ended_after(outcome: TurnOutcome, steps: u32) -> String {
    message::plain_steps(steps as usize, ended(outcome))
}
