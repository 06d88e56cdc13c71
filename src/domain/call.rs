//! Calls: every action is prepared, checked by the policy, approved, run, and logged in the same way.

use super::finding::ToReview;
use super::message::Arguments;
use super::review::Question;
use super::undo::{FileBytes, UNDO};
use crate::base::id::{CallId, EntryId};

/// The initiator of a call. Decides how the policy treats the call and which log entry its result becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Model,
    /// A `!command` that was pasted or restored, so the person may not have typed it. The result is a shell entry.
    Person,
    /// A `!command` that the person typed at the prompt. The result is a shell entry.
    Typed,
    /// A command line in a custom command. The policy treats it like a call of the model, because a file supplied it. The result is a shell
    /// entry.
    OwnCommand,
    /// The check after changes. The result is a validation entry.
    Check,
    /// `/merge`. Always needs approval. The result is a shell entry.
    Merge,
    /// `/undo`. Always needs approval. The result is a shell entry.
    Undo,
    /// `/review`, run by a read-only agent. The result is a shell entry.
    Review,
    /// The question whether a stopped turn should continue. The result is an approval entry.
    Limit,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: CallId,
    pub(crate) origin: Origin,
    pub(crate) wanted: Wanted,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    /// A tool call of the model, with unvalidated arguments.
    Tool {
        name: String,
        arguments: Arguments,
    },
    Command(String),
    /// A unified diff. `line` is the command the person entered.
    Patch {
        line: String,
        patch: String,
    },
    /// The inverse of a change. `undoes` lists the log entries of the change, `line` is the text for the log.
    Undo {
        line: String,
        undoes: Vec<EntryId>,
        files: Vec<FileBytes>,
    },
    Review {
        line: String,
        review: ToReview,
    },
    Question(Question),
}

impl Call {
    /// Returns the display name of the call: the tool's name, except for calls that the engine makes.
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

/// The display name of a person's command line.
pub(crate) const SHELL: &str = "!";

/// The display name of the check.
pub(crate) const CHECK: &str = "validation";
