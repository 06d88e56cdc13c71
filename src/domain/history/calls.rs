//! Calls of the model that wait for their result. In a whole log there are none: a session that ended suddenly has some.

use std::sync::Arc;

use crate::base::id::CallId;
use crate::domain::entry::{Body, Entry, FileBefore};
use crate::domain::message::ToolCall;
use crate::domain::tool::Outcome;

/// A call without a result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OpenCall<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) progress: CallProgress<'a>,
}

/// How far a call came.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum CallProgress<'a> {
    /// Nothing was done.
    Waiting,
    /// It was begun; what it did is unknown. The files it may have changed, as they were.
    Started(&'a [FileBefore]),
    /// It is over, and hooks were asked about it: what came of it.
    Over(&'a Body),
}

/// The open calls, in the order they were made.
#[derive(Debug, Default, PartialEq)]
pub(super) struct OpenCalls(Vec<Open>);

/// Names a call by where it stands, so that its arguments are not held twice.
#[derive(Debug, PartialEq)]
struct Open {
    answer: Arc<Entry>,
    position: usize,
    /// The entry that says that it was begun, or is over.
    reached: Option<Arc<Entry>>,
}

impl OpenCalls {
    /// The answer made this many calls.
    pub(super) fn made(&mut self, answer: &Arc<Entry>, count: usize) {
        self.0.extend((0..count).map(|position| Open {
            answer: Arc::clone(answer),
            position,
            reached: None,
        }));
    }

    /// A call was begun, or is over, as this entry says. Returns whether it is one of these.
    pub(super) fn reached(&mut self, id: &CallId, entry: &Arc<Entry>) -> bool {
        let mut known = false;
        for open in self.0.iter_mut().filter(|open| open.is(id)) {
            open.reached = Some(Arc::clone(entry));
            known = true;
        }
        known
    }

    pub(super) fn ended(&mut self, id: &CallId) {
        self.0.retain(|open| !open.is(id));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = OpenCall<'_>> {
        self.0.iter().filter_map(|open| {
            Some(OpenCall {
                call: open.call()?,
                progress: open.progress(),
            })
        })
    }
}

/// Calls that no model made: the entry that says of each that it was begun, or is over.
#[derive(Debug, Default, PartialEq)]
pub(super) struct OwnCalls(Vec<(CallId, Arc<Entry>)>);

impl OwnCalls {
    pub(super) fn reached(&mut self, id: &CallId, entry: &Arc<Entry>) {
        self.ended(Some(id));
        self.0.push((id.clone(), Arc::clone(entry)));
    }

    /// It has its result. `None`: all of them, for none stays open behind the end of its turn.
    pub(super) fn ended(&mut self, id: Option<&CallId>) {
        self.0.retain(|(open, _)| id.is_some_and(|id| open != id));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Body> {
        self.0.iter().map(|(_, entry)| &entry.body)
    }
}

impl Body {
    /// The result of a command that no model wanted, which is over and has no entry of its own yet.
    pub(crate) fn as_shell(&self) -> Option<Self> {
        let Self::CallEnded {
            call,
            title,
            status,
            summary,
            output,
            ..
        } = self
        else {
            return None;
        };
        let outcome = Outcome {
            status: *status,
            ..Outcome::ok(summary.clone(), output.as_str())
        };
        Some(Self::shell(call.clone(), title.clone(), outcome))
    }
}

impl Open {
    fn call(&self) -> Option<&ToolCall> {
        match &self.answer.body {
            Body::Assistant { calls, .. } => calls.get(self.position),
            _ => None,
        }
    }

    fn progress(&self) -> CallProgress<'_> {
        match self.reached.as_deref().map(|entry| &entry.body) {
            Some(Body::CallStarted { files, .. }) => CallProgress::Started(files),
            Some(over @ Body::CallEnded { .. }) => CallProgress::Over(over),
            Some(_) | None => CallProgress::Waiting,
        }
    }

    fn is(&self, id: &CallId) -> bool {
        self.call().is_some_and(|call| call.id == *id)
    }
}
