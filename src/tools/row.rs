//! The registry's row of a tool: its description, facts, and prepare function. It decides nothing about permissions.

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

/// A tool. Built-in rows are created once, MCP rows own their texts.
pub(crate) struct Row {
    pub(crate) facts: ToolFacts,
    /// Names in other programs, which models may use.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) description: Cow<'static, str>,
    /// A JSON Schema of type object.
    pub(crate) parameters: Value,
    pub(crate) arguments: Names,
    /// Advice for a truncated result.
    pub(crate) more: &'static str,
    /// The role of the tool for calls by the engine.
    pub(crate) serves: Option<Serves>,
    pub(crate) prepare: Box<Prepare>,
}

/// Parses the arguments without side effects.
pub(crate) type Prepare = dyn Fn(&Args<'_>, &ToolContext) -> Result<Draft, Refusal> + Send + Sync;

/// A role of a tool for calls that the model did not make.
#[derive(Clone, Copy)]
pub(crate) enum Serves {
    /// Runs commands. Builds arguments from a command and its timeout.
    Commands(fn(command: &str, timeout_ms: Option<u64>) -> Map<String, Value>),
    /// Reads files. Builds arguments from a path, first line, and number of lines.
    Files(fn(path: &str, first: u64, count: Option<u64>) -> Map<String, Value>),
    /// Lists folders. Builds the arguments.
    Folders(fn(path: &str) -> Map<String, Value>),
    Patches(fn(patch: &str, cx: &ToolContext) -> Result<Draft, Refusal>),
    Undo(fn(files: &[FileBytes], cx: &ToolContext) -> Result<Draft, Refusal>),
    Skills,
    Delegation,
    Questions(fn(Question) -> Draft),
    /// An MCP tool. The arguments are passed on unchanged.
    Elsewhere,
    /// The call is replaced by one of another row, chosen by its arguments.
    Another(Meant),
}

pub(crate) type Meant = fn(&Args<'_>, &ToolContext) -> Result<Another, Refusal>;

pub(crate) struct Another {
    pub(crate) row: Arc<Row>,
    pub(crate) draft: Draft,
    pub(crate) arguments: Map<String, Value>,
}

/// The result of `prepare`. The registry adds id, name and class.
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) review: Review,
    pub(crate) work: Work,
}

/// The work, decided completely before approval. A boxed function rather than an enum, because tools are added at run time.
pub(crate) struct Work(Box<dyn for<'r> FnOnce(Run<'r>) -> BoxFuture<'r, Outcome> + Send + Sync>);

pub(crate) struct Run<'r> {
    pub(crate) call: CallId,
    /// Never a denial.
    pub(crate) decision: &'r Decision,
    pub(crate) cx: &'r ToolContext,
    pub(crate) output: mpsc::Sender<OutputChunk>,
}

impl Work {
    /// Creates the work from a plan and a function.
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

    pub(super) fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        let properties = self.parameters.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten()
    }
}
