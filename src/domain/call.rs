//! A call: something to be prepared, judged, approved, run and answered, whoever wants it. There is no second way.

use super::finding::ToReview;
use super::message::Arguments;
use super::review::Question;
use super::undo::{FileBytes, UNDO};
use crate::base::id::{CallId, EntryId};

/// Who wants a call done. It decides what the policy makes of it and what its result becomes in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The model, in an answer: the result is a tool result.
    Model,
    /// The person, as `!command` that did not come from their own fingers: a paste, a text that was kept. The result is a shell
    /// entry.
    Person,
    /// The person, as `!command` that they typed at the prompt: the result is a shell entry.
    Typed,
    /// A command line in a command of the person's own: judged as one of the model, because a file wrote it. The result is a shell entry.
    OwnCommand,
    /// The check after changes: the result is a validation entry.
    Check,
    /// The person, as `/merge`: it is always asked about. The result is a shell entry.
    Merge,
    /// The person, as `/undo`: it is always asked about. The result is a shell entry.
    Undo,
    /// The person, as `/review`: an agent that only reads does it. The result is a shell entry.
    Review,
    /// A turn that was stopped asks whether to go on: the answer is an approval entry.
    Limit,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: CallId,
    pub(crate) origin: Origin,
    pub(crate) wanted: Wanted,
}

/// What is to be done, as the one who wants it says it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    /// A tool by the name the model used, with the arguments it wrote.
    Tool { name: String, arguments: Arguments },
    /// A command line, whichever tool runs those.
    Command(String),
    /// A unified diff over files, whichever tool applies those; `line` is what the person asked for.
    Patch { line: String, patch: String },
    /// A change of the session turned around, whichever tool writes files; `undoes` is where the log tells of it, `line` what the log keeps
    /// of this call.
    Undo {
        line: String,
        undoes: Vec<EntryId>,
        files: Vec<FileBytes>,
    },
    /// A look at changed files, by whichever tool has other agents work; `line` is what the person asked for.
    Review { line: String, review: ToReview },
    /// A question to the person, whichever tool asks those.
    Question(Question),
}

impl Call {
    /// The name under which people and scripts meet the call: the tool's own, but for calls the engine makes itself.
    pub(crate) fn shown_as<'n>(&self, tool: &'n str) -> &'n str {
        match (self.origin, &self.wanted) {
            (Origin::Check, _) => CHECK,
            (Origin::Person | Origin::Typed, Wanted::Command(_)) => SHELL,
            (Origin::Undo, _) => UNDO,
            (Origin::Limit, Wanted::Question(Question::GoOn(pause))) => pause.name(),
            (
                Origin::Model
                | Origin::Person
                | Origin::Typed
                | Origin::OwnCommand
                | Origin::Merge
                | Origin::Review
                | Origin::Limit,
                _,
            ) => tool,
        }
    }
}

/// The name of a command line of the person's among the tools: the sign they typed.
pub(crate) const SHELL: &str = "!";

/// The name of the check among the tools.
pub(crate) const CHECK: &str = "validation";
