//! Registry row of a tool: its description, facts and prepare function. Permissions are decided elsewhere.

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
    /// Names of this tool in other programs.
    pub aliases: &'static [&'static str],
    pub description: Cow<'static, str>,
    pub declares: Declares,
    /// JSON schema of the arguments. A property with `"undeclared": true` is accepted without being declared, one with
    /// `"undeclared": "small"` in a small context window.
    pub parameters: Value,
    pub arguments: Names,
    pub more: &'static str,
    pub serves: Option<Serves>,
    pub prepare: Box<Prepare>,
}

/// Form of a tool's declaration in requests. Each declaration uses tokens of the context window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declares {
    /// In all context windows.
    Whole,
    /// Declared in larger context windows. In small ones, `other_tool` lists the tool with this line, and calls it.
    Brief(&'static str),
    /// Never declared, but accepted.
    Nothing,
}

pub(crate) type Prepare = dyn Fn(&Args<'_>, &ToolContext) -> Result<Draft, Refusal> + Send + Sync;

/// A role of a tool for calls that the model did not make.
#[derive(Clone, Copy)]
pub enum Serves {
    /// Builds arguments from a command and its timeout.
    Commands(fn(command: &str, timeout_ms: Option<u64>) -> Map<String, Value>),
    /// Builds arguments from a path, first line, and number of lines.
    Files(fn(path: &str, first: u64, count: Option<u64>) -> Map<String, Value>),
    Folders(fn(path: &str) -> Map<String, Value>),
    Patches(fn(patch: &str, cx: &ToolContext) -> Result<Draft, Refusal>),
    Undo(fn(files: &[FileBytes], cx: &ToolContext) -> Result<Draft, Refusal>),
    Skills,
    Delegation,
    Questions(fn(Question) -> Draft),
    /// An MCP tool. Arguments are passed on unchanged.
    Elsewhere,
    /// Replaces the call by one of another row. The arguments choose the row.
    Another(Meant),
    /// Replaces the call by one of another tool of this session. The arguments contain the tool's name.
    Other,
}

pub(crate) type Meant = fn(&Args<'_>, &ToolContext) -> Result<Another, Refusal>;

pub struct Another {
    pub row: Arc<Row>,
    pub draft: Draft,
    pub arguments: Map<String, Value>,
}

/// Result of `prepare`. The registry adds id, name and class.
pub struct Draft {
    pub title: String,
    pub subjects: Vec<Subject>,
    pub review: Review,
    pub work: Work,
}

/// Work, completely decided before approval. A boxed function rather than an enum, because tools are added at run time.
pub struct Work(Box<dyn for<'r> FnOnce(Run<'r>) -> BoxFuture<'r, Outcome> + Send + Sync>);

pub struct Run<'r> {
    pub call: CallId,
    /// The decision about the call. Never a denial.
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
