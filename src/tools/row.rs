//! A tool's row in the registry: its description, facts and prepare function. Decides no permissions.

use std::borrow::Cow;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::arguments::{Args, Names};
use super::{Refusal, ToolContext};
use benchdog_base::id::CallId;
use benchdog_domain::permission::{Decision, Subject};
use benchdog_domain::review::{Question, Review};
use benchdog_domain::tool::{Outcome, OutputChunk, ToolFacts};
use benchdog_domain::undo::FileBytes;

pub struct Row {
    pub facts: ToolFacts,
    /// Names of this tool in other agent programs.
    pub aliases: &'static [&'static str],
    pub description: Cow<'static, str>,
    pub declares: Declares,
    /// JSON schema of the arguments. A property with `"undeclared": true` is accepted, but not declared. A property
    /// with `"undeclared": "small"` is undeclared only in a small context window.
    pub parameters: Value,
    pub arguments: Names,
    pub more: &'static str,
    pub serves: Option<Serves>,
    pub prepare: Box<Prepare>,
}

/// Form of a tool's declaration in requests, which uses tokens of the context window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declares {
    /// Declared completely in all context windows.
    Whole,
    /// Declared completely in large context windows. In a small window, `other_tool` shows this line and calls the
    /// tool.
    Brief(&'static str),
    /// Never declared. Calls are accepted.
    Nothing,
}

pub(crate) type Prepare = dyn Fn(&Args<'_>, &ToolContext) -> Result<Draft, Refusal> + Send + Sync;

/// A special role of a tool. Most roles build calls that do not come from the model.
#[derive(Clone, Copy)]
pub enum Serves {
    /// Runs command lines. Builds the arguments from a command line and its timeout.
    Commands(fn(command: &str, timeout_ms: Option<u64>) -> Map<String, Value>),
    /// Reads files. Builds the arguments from a path, a first line, and a number of lines.
    Files(fn(path: &str, first: u64, count: Option<u64>) -> Map<String, Value>),
    Folders(fn(path: &str) -> Map<String, Value>),
    Patches(fn(patch: &str, cx: &ToolContext) -> Result<Draft, Refusal>),
    Undo(fn(files: &[FileBytes], cx: &ToolContext) -> Result<Draft, Refusal>),
    Skills,
    Delegation,
    Questions(fn(Question) -> Draft),
    /// Calls an MCP tool with unchanged arguments.
    Elsewhere,
    /// Replaces the call by a call of another row, which the function finds from the arguments.
    Another(Meant),
    /// Replaces the call by a call of the session's tool that the arguments name.
    Other,
}

pub(crate) type Meant = fn(&Args<'_>, &ToolContext) -> Result<Another, Refusal>;

pub struct Another {
    pub row: Arc<Row>,
    pub draft: Draft,
    pub arguments: Map<String, Value>,
}

/// Result of `prepare`. The registry adds the call's id, and the tool's name and effect class.
pub struct Draft {
    pub title: String,
    pub subjects: Vec<Subject>,
    pub review: Review,
    pub work: Work,
}

/// The work of a prepared call, completely determined before approval. Not an enum, because tools are added at run
/// time.
pub struct Work(Box<dyn for<'r> FnOnce(Run<'r>) -> BoxFuture<'r, Outcome> + Send + Sync>);

pub struct Run<'r> {
    pub call: CallId,
    /// Never a denial, because a denied call does not run.
    pub decision: &'r Decision,
    pub cx: &'r ToolContext,
    pub output: mpsc::Sender<OutputChunk>,
}

impl Work {
    pub fn of<P: Send + Sync + 'static>(plan: P, carry_out: for<'r> fn(P, Run<'r>) -> BoxFuture<'r, Outcome>) -> Self {
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
