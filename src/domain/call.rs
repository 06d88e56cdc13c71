//! Calls. Every action is prepared, checked by the policy, approved, run and logged in the same way.

use super::finding::ToReview;
use super::message::Arguments;
use super::review::Question;
use super::undo::{FileBytes, UNDO};
use benchdog_base::id::{CallId, EntryId};

/// The initiator of a call. Determines how the policy treats the call, and which log entry stores the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Model,
    /// A pasted or restored `!command`, which the person may not have typed. A typed command is `Typed`.
    Person,
    Typed,
    /// A command line from the file of a custom command. The policy treats it like a model's call.
    OwnCommand,
    Check,
    /// A `/merge` of the person. Always needs approval.
    Merge,
    /// An `/undo` of the person. Always needs approval.
    Undo,
    Review,
    Limit,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub id: CallId,
    pub origin: Origin,
    pub wanted: Wanted,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    Tool {
        name: String,
        arguments: Arguments,
    },
    Command(String),
    /// A unified diff to apply. `line` is the command that the person entered.
    Patch {
        line: String,
        patch: String,
    },
    /// An undo of the change in the log entries `undoes`. `line` is the text for the log.
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
    pub fn shown_as<'n>(&self, tool: &'n str) -> &'n str {
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

pub const SHELL: &str = "!";

pub const CHECK: &str = "validation";
