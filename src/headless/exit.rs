//! The exit codes scripts rely on: one table of what each says, when it applies, and which of several wins. Numbers never
//! change their meaning.

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
    Findings,
    Interrupted,
}

/// One row a code: what it says, as help and the book print it, and when it applies.
pub(crate) struct ExitRow {
    pub(crate) exit: Exit,
    pub(crate) code: u8,
    pub(crate) meaning: &'static str,
    pub(crate) when: &'static [When],
}

/// What can be said of an ended turn. Several may apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// The turn ended with this outcome, which is no error.
    Outcome(TurnOutcome),
    /// It ended with an error of the endpoint's.
    EndpointError,
    /// It ended with an error of our own or of the disk's.
    OwnError,
    /// The prompt names what cannot be read, so that it was not sent.
    WrongPrompt,
    /// It looked at changed files and found what fails it.
    Found,
    /// It ended by itself, and nothing was written or executed after the last denial.
    DenialStands,
}

const fn row(exit: Exit, code: u8, meaning: &'static str, when: &'static [When]) -> ExitRow {
    ExitRow {
        exit,
        code,
        meaning,
        when,
    }
}

/// THE table. When several rows apply, the first of them wins.
pub(crate) const TABLE: [ExitRow; 10] = [
    row(
        Exit::Interrupted,
        130,
        "interrupted",
        &[When::Outcome(TurnOutcome::Interrupted)],
    ),
    row(
        Exit::Endpoint,
        5,
        "the model endpoint failed, or its content filter held the rest of an answer back",
        &[When::EndpointError, When::Outcome(TurnOutcome::Filtered)],
    ),
    row(
        Exit::Limit,
        4,
        "a limit was reached: `--max-steps`, `--max-tokens`, `--max-cost` or `--timeout`",
        &[When::Outcome(TurnOutcome::Limit)],
    ),
    row(
        Exit::Loop,
        7,
        "stopped, because the model went round in a loop",
        &[When::Outcome(TurnOutcome::Loop)],
    ),
    row(
        Exit::Validation,
        6,
        "the edits left validation failing",
        &[When::Outcome(TurnOutcome::ValidationFailed)],
    ),
    row(
        Exit::Denied,
        3,
        "three denials in a row ended the turn, or it ended by itself after a call was denied and nothing was done since (a call of the run itself: what a child was refused is in its result)",
        &[When::Outcome(TurnOutcome::Denied), When::DenialStands],
    ),
    row(
        Exit::Usage,
        2,
        "wrong arguments or configuration, a prompt that names what cannot be read, nothing is configured, or a command that is not built yet",
        &[When::WrongPrompt],
    ),
    row(
        Exit::Internal,
        1,
        "an internal error, or a session that is held or damaged",
        &[When::OwnError],
    ),
    row(
        Exit::Findings,
        8,
        "`review` has a finding of the severity of `--fail-on`, or a graver one",
        &[When::Found],
    ),
    row(Exit::Done, 0, "done", &[When::Outcome(TurnOutcome::Done)]),
];

/// Error codes of a prompt that was not sent because of what it names.
const NAMED: [&str; 6] = [
    "mention_unread",
    "mentions_too_many",
    "skill_unread",
    "prompt_unread",
    "resource_unread",
    "hook_denied",
];

/// Error codes that are not the endpoint's fault.
const INTERNAL: [&str; 4] = ["internal", "storage", "session", "output"];

impl Exit {
    pub(crate) fn code(self) -> u8 {
        TABLE.iter().find(|row| row.exit == self).map_or(1, |row| row.code)
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
    /// Something was found that fails it.
    pub(crate) found: bool,
}

/// The code of an ended turn.
pub(crate) fn of(ended: &Ended<'_>) -> Exit {
    let ours = ended.error.is_some_and(is_internal);
    let named = ended.error.is_some_and(|code| NAMED.contains(&code));
    let mut facts = vec![match ended.outcome {
        TurnOutcome::Error if named => When::WrongPrompt,
        TurnOutcome::Error if ours => When::OwnError,
        TurnOutcome::Error => When::EndpointError,
        other => When::Outcome(other),
    }];
    if ended.denied && ended.outcome == TurnOutcome::Done {
        facts.push(When::DenialStands);
    }
    if ended.found && ended.outcome == TurnOutcome::Done {
        facts.push(When::Found);
    }
    strongest(&facts)
}

/// The first row of the table that any of the facts speaks for.
fn strongest(facts: &[When]) -> Exit {
    let found = TABLE
        .iter()
        .find(|row| row.when.iter().any(|when| facts.contains(when)));
    found.map_or(Exit::Internal, |row| row.exit)
}

/// `storage` and everything below it, such as `storage_full`.
fn is_internal(code: &str) -> bool {
    INTERNAL
        .iter()
        .any(|family| code == *family || code.strip_prefix(family).is_some_and(|rest| rest.starts_with('_')))
}

#[cfg(test)]
mod tests;
