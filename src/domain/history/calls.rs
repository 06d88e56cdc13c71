//! Calls without a result, as at the end of a log after a crash.

use std::sync::Arc;

use crate::entry::{Body, Entry, FileBefore};
use crate::message::ToolCall;
use crate::tool::Outcome;
use benchdog_base::id::CallId;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenCall<'a> {
    pub call: &'a ToolCall,
    pub progress: CallProgress<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CallProgress<'a> {
    Waiting,
    /// A started call with unknown effect. Contains the state of the affected files before the call.
    Started(&'a [FileBefore]),
    Over(&'a Body),
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct OpenCalls(Vec<Open>);

/// Location of a call: its log entry, and its position in the list of calls. A location needs no copy of the arguments.
#[derive(Debug, PartialEq)]
struct Open {
    answer: Arc<Entry>,
    position: usize,
    reached: Option<Arc<Entry>>,
}

impl OpenCalls {
    pub(super) fn made(&mut self, answer: &Arc<Entry>, count: usize) {
        self.0.extend((0..count).map(|position| Open {
            answer: Arc::clone(answer),
            position,
            reached: None,
        }));
    }

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

#[derive(Debug, Default, PartialEq)]
pub(super) struct OwnCalls(Vec<(CallId, Arc<Entry>)>);

impl OwnCalls {
    pub(super) fn reached(&mut self, id: &CallId, entry: &Arc<Entry>) {
        self.ended(Some(id));
        self.0.push((id.clone(), Arc::clone(entry)));
    }

    pub(super) fn ended(&mut self, id: Option<&CallId>) {
        self.0.retain(|(open, _)| id.is_some_and(|id| open != id));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Body> {
        self.0.iter().map(|(_, entry)| &entry.body)
    }
}

impl Body {
    pub fn as_shell(&self) -> Option<Self> {
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
