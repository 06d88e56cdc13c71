//! One tool as the registry holds it: what the model and the other rooms are told of it, and the function that prepares a call.
//!
//! A row decides nothing about permission. What it prepares carries with it how it is run, so nobody else needs to know which tool it was.

use std::borrow::Cow;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::arguments::{Args, Names};
use super::{Refusal, ToolContext};
use crate::base::id::CallId;
use crate::domain::permission::{Decision, Subject};
use crate::domain::review::{Question, Review};
use crate::domain::tool::{Outcome, OutputChunk, ToolFacts};
use crate::domain::undo::FileBytes;

/// One tool. Built-in rows are made once; those of a server own their words.
pub(crate) struct Row {
    /// Its name, and what everybody may know of it.
    pub(crate) facts: ToolFacts,
    /// What other programs call it, and models that were trained on them.
    pub(crate) aliases: &'static [&'static str],
    /// What the model reads.
    pub(crate) description: Cow<'static, str>,
    /// A JSON Schema of type object.
    pub(crate) parameters: Value,
    /// Other names under which an argument is accepted.
    pub(crate) arguments: Names,
    /// How to get the rest of a result that was cut.
    pub(crate) more: &'static str,
    /// What the engine itself may want of it.
    pub(crate) serves: Option<Serves>,
    pub(crate) prepare: Box<Prepare>,
}

/// Understands the arguments of one call without touching anything.
pub(crate) type Prepare = dyn Fn(&Args<'_>, &ToolContext) -> Result<Draft, Refusal> + Send + Sync;

/// What a tool does for calls that no model wrote.
#[derive(Clone, Copy)]
pub(crate) enum Serves {
    /// It makes the arguments that run a command line, with its time limit in milliseconds where it has one of its own.
    Commands(fn(command: &str, timeout_ms: Option<u64>) -> Map<String, Value>),
    /// It makes the arguments that read a file, from a line on and so many lines.
    Files(fn(path: &str, first: u64, count: Option<u64>) -> Map<String, Value>),
    /// It makes the arguments that list a folder.
    Folders(fn(path: &str) -> Map<String, Value>),
    /// It takes over what a branch changed.
    Patches(fn(patch: &str, cx: &ToolContext) -> Result<Draft, Refusal>),
    /// It takes a change of the session back.
    Undo(fn(files: &[FileBytes], cx: &ToolContext) -> Result<Draft, Refusal>),
    /// It loads skills.
    Skills,
    /// It has other agents work.
    Delegation,
    /// It asks the person a question.
    Questions(fn(Question) -> Draft),
    /// A server does it, which reads its arguments itself: they are handed on as they came.
    Elsewhere,
    /// Its calls are calls of another row, which is found by their arguments.
    Another(Meant),
}

/// Understands a call as one of another row.
pub(crate) type Meant = fn(&Args<'_>, &ToolContext) -> Result<Another, Refusal>;

/// A call as one of another row.
pub(crate) struct Another {
    pub(crate) row: Arc<Row>,
    pub(crate) draft: Draft,
    /// What that row is called with.
    pub(crate) arguments: Map<String, Value>,
}

/// What a tool's `prepare` hands back; the call's id, name and class are added by the registry.
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) review: Review,
    pub(crate) work: Work,
}

/// What will be done, decided to the last byte before anyone is asked.
///
/// A boxed function and no enum: tools are added while the program runs, and an enum would have to know them all. It is
/// made in the tool's own file, holds that tool's plan, and can be called once.
pub(crate) struct Work(Box<dyn for<'r> FnOnce(Run<'r>) -> BoxFuture<'r, Outcome> + Send + Sync>);

/// What a call is given when it is run.
pub(crate) struct Run<'r> {
    pub(crate) call: CallId,
    /// Never a denial: those end before the work begins.
    pub(crate) decision: &'r Decision,
    pub(crate) cx: &'r ToolContext,
    /// Where lines go while it runs.
    pub(crate) output: mpsc::Sender<OutputChunk>,
}

impl Work {
    /// A plan, and the function that carries it out.
    pub(crate) fn of<P: Send + Sync + 'static>(
        plan: P,
        carry_out: for<'r> fn(P, Run<'r>) -> BoxFuture<'r, Outcome>,
    ) -> Self {
        Self(Box::new(move |run| carry_out(plan, run)))
    }

    pub(super) fn start(self, run: Run<'_>) -> BoxFuture<'_, Outcome> {
        (self.0)(run)
    }
}

impl Row {
    pub(super) fn name(&self) -> &str {
        &self.facts.name
    }

    /// The names and shapes of its parameters, from its schema.
    pub(super) fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        let properties = self.parameters.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten()
    }
}
