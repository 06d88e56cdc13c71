//! The words that stand before, above and beside the pieces of a transcript.

use super::{failure, say};
use crate::domain::entry::TurnOutcome;
use crate::domain::failure::Cut;

/// What a piece of a transcript is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    /// What the person said.
    You,
    /// What the model said without calling anything.
    Answer,
    /// What it said before its calls.
    Plan,
    /// An answer that is still arriving: which of the two it will be is not known yet.
    Writing,
    Thought,
    Thinking,
    /// The project's check, in this round.
    Check(u32),
}

pub(crate) fn label(label: Label) -> String {
    match label {
        Label::You => say("label-you", &[]),
        Label::Answer => say("label-answer", &[]),
        Label::Plan => say("label-plan", &[]),
        Label::Writing => say("label-writing", &[]),
        Label::Thought => say("label-thought", &[]),
        Label::Thinking => say("label-thinking", &[]),
        Label::Check(0 | 1) => say("label-check", &[]),
        Label::Check(round) => say("label-check-again", &[("round", &round.to_string())]),
    }
}

/// That an answer is not whole, and why.
pub(crate) fn cut_short(cut: &Cut) -> String {
    say("shown-cut", &[("why", &failure::cut(cut))])
}

pub(crate) fn model(model: &str) -> String {
    say("shown-model", &[("model", model)])
}

pub(crate) fn mode(agent: &str) -> String {
    say("shown-mode", &[("agent", agent)])
}

/// In place of what an entry of a later version says.
pub(crate) fn of_a_later_version() -> String {
    say("shown-later", &[])
}

pub(crate) fn waiting() -> String {
    say("shown-waiting", &[])
}

/// Beside a call whose end nobody saw.
pub(crate) fn unknown() -> String {
    say("shown-unknown", &[])
}

/// What a session without a prompt is called.
pub(crate) fn untitled() -> String {
    say("shown-untitled", &[])
}

/// How a turn ended.
pub(crate) fn ended(outcome: TurnOutcome) -> String {
    let id = match outcome {
        TurnOutcome::Done => "ended-done",
        TurnOutcome::Error => "ended-error",
        TurnOutcome::Interrupted => "ended-interrupted",
        TurnOutcome::Limit => "ended-limit",
        TurnOutcome::Denied => "ended-denied",
        TurnOutcome::Loop => "ended-loop",
        TurnOutcome::ValidationFailed => "ended-validation-failed",
    };
    say(id, &[])
}
