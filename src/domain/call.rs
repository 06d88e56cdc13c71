//! Calls. Every action is prepared, checked by the policy, approved, run and logged in the same way.

use super::finding::ToReview;
use super::message::Arguments;
use super::review::Question;
use super::undo::{FileBytes, UNDO};
use benchdog_base::id::{CallId, EntryId};

/// The initiator of a call. It determines how the policy treats the call, and in which kind of log entry the result is
/// stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Model,
    /// A `!command` that was pasted or restored, so the person may not have typed it. `Typed` is a typed one.
    Person,
    Typed,
    /// A command line in a custom command. A file supplied it, so the policy treats it like a model's call.
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
    /// An undo of a change. `undoes` lists the log entries of the change. `line` is the text for the log.
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
