//! The exit codes scripts rely on, and the one rule that picks among them. Numbers never change their meaning.

use crate::domain::entry::TurnOutcome;

/// How the process ends. The numbers are public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Exit {
    Done,
    Internal,
    Usage,
    Denied,
    Limit,
    Endpoint,
    Validation,
    Loop,
    Interrupted,
}

/// One row a code: the number and what it says, as help and the book print it.
pub(crate) const TABLE: [(Exit, u8, &str); 9] = [
    (Exit::Done, 0, "done"),
    (Exit::Internal, 1, "an internal error"),
    (
        Exit::Usage,
        2,
        "wrong arguments or configuration, or nothing is configured",
    ),
    (
        Exit::Denied,
        3,
        "the turn ended by itself after a call was denied, and nothing was done after the last denial",
    ),
    (Exit::Limit, 4, "a limit was reached: steps, tokens, cost or time"),
    (Exit::Endpoint, 5, "the model endpoint failed"),
    (Exit::Validation, 6, "the edits left validation failing"),
    (Exit::Loop, 7, "stopped, because the model went round in a loop"),
    (Exit::Interrupted, 130, "interrupted"),
];

/// When several apply, the first of these wins.
const PRECEDENCE: [Exit; 9] = [
    Exit::Interrupted,
    Exit::Endpoint,
    Exit::Limit,
    Exit::Loop,
    Exit::Validation,
    Exit::Denied,
    Exit::Usage,
    Exit::Internal,
    Exit::Done,
];

/// Error codes that are not the endpoint's fault.
const INTERNAL: [&str; 4] = ["internal", "storage", "session", "output"];

impl Exit {
    pub(crate) fn code(self) -> u8 {
        TABLE
            .iter()
            .find(|(exit, _, _)| *exit == self)
            .map_or(1, |(_, code, _)| *code)
    }
}

/// What is known of a turn when it has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended<'a> {
    pub(crate) outcome: TurnOutcome,
    /// The code of the last error that was reported.
    pub(crate) error: Option<&'a str>,
    /// A call was denied, and no writing or executing call succeeded after the last denial.
    pub(crate) denied: bool,
}

/// The code of an ended turn.
pub(crate) fn of(ended: &Ended<'_>) -> Exit {
    let mut applies = vec![match ended.outcome {
        TurnOutcome::Done => Exit::Done,
        TurnOutcome::Error if ended.error.is_some_and(is_internal) => Exit::Internal,
        TurnOutcome::Error => Exit::Endpoint,
        TurnOutcome::Interrupted => Exit::Interrupted,
        TurnOutcome::Limit => Exit::Limit,
        TurnOutcome::Denied => Exit::Denied,
        TurnOutcome::Loop => Exit::Loop,
        TurnOutcome::ValidationFailed => Exit::Validation,
    }];
    // A denial counts only where the turn ended by itself; an internal error is not excused by one.
    if ended.denied && ended.outcome == TurnOutcome::Done {
        applies.push(Exit::Denied);
    }
    PRECEDENCE
        .into_iter()
        .find(|exit| applies.contains(exit))
        .unwrap_or(Exit::Internal)
}

/// `storage` and everything below it, such as `storage_full`.
fn is_internal(code: &str) -> bool {
    INTERNAL
        .iter()
        .any(|family| code == *family || code.strip_prefix(family).is_some_and(|rest| rest.starts_with('_')))
}

#[cfg(test)]
mod tests;
