//! Exit codes for scripts, in one table with messages, conditions and priorities. The meaning of a code never changes.

use benchdog_domain::entry::TurnOutcome;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
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

pub struct ExitRow {
    pub exit: Exit,
    pub code: u8,
    pub meaning: &'static str,
    pub when: &'static [When],
}

/// A fact about an ended turn. Several facts can be true for one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Outcome(TurnOutcome),
    EndpointError,
    OwnError,
    WrongPrompt,
    Found,
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

/// If several rows apply, the first one determines the exit code.
pub const TABLE: [ExitRow; 10] = [
    row(
        Exit::Interrupted,
        130,
        "interrupted",
        &[When::Outcome(TurnOutcome::Interrupted)],
    ),
    row(
        Exit::Endpoint,
        5,
        "the model endpoint failed, or its content filter withheld the rest of an answer",
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
        "stopped, because the model repeated itself in a loop",
        &[When::Outcome(TurnOutcome::Loop)],
    ),
    row(
        Exit::Validation,
        6,
        "the check after the edits still fails",
        &[When::Outcome(TurnOutcome::ValidationFailed)],
    ),
    row(
        Exit::Denied,
        3,
        "three denials in a row ended the turn, or a call was denied and no later call wrote or ran anything. Denials in a subagent do not count",
        &[When::Outcome(TurnOutcome::Denied), When::DenialStands],
    ),
    row(
        Exit::Usage,
        2,
        "wrong arguments or configuration, no configured model, a prompt that a hook denied, or a prompt with an unreadable mention, skill or resource",
        &[When::WrongPrompt],
    ),
    row(
        Exit::Internal,
        1,
        "an internal error, or a session that another Benchdog uses or that is damaged",
        &[When::OwnError],
    ),
    row(
        Exit::Findings,
        8,
        "`review` has a finding of the severity that `--fail-on` names, or a higher one",
        &[When::Found],
    ),
    row(Exit::Done, 0, "done", &[When::Outcome(TurnOutcome::Done)]),
];

const NAMED: [&str; 7] = [
    "no_prompt",
    "mention_unread",
    "mentions_too_many",
    "skill_unread",
    "prompt_unread",
    "resource_unread",
    "hook_denied",
];

const INTERNAL: [&str; 4] = ["internal", "storage", "session", "output"];

impl Exit {
    pub fn code(self) -> u8 {
        TABLE.iter().find(|row| row.exit == self).map_or(1, |row| row.code)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended<'a> {
    pub outcome: TurnOutcome,
    pub error: Option<&'a str>,
    /// Whether a call was denied, and no call that writes or executes succeeded afterwards.
    pub denied: bool,
    pub found: bool,
}

pub fn of(ended: &Ended<'_>) -> Exit {
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

fn strongest(facts: &[When]) -> Exit {
    let found = TABLE
        .iter()
        .find(|row| row.when.iter().any(|when| facts.contains(when)));
    found.map_or(Exit::Internal, |row| row.exit)
}

fn is_internal(code: &str) -> bool {
    INTERNAL
        .iter()
        .any(|family| code == *family || code.strip_prefix(family).is_some_and(|rest| rest.starts_with('_')))
}

#[cfg(test)]
mod tests;
