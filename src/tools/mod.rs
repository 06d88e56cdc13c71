//! The tools of the model. A tool first *prepares* a call without side effects, and later runs exactly that.
//!
//! Each tool has one row in the registry and one file. The policy decides between both steps whether the call may run. Other modules use
//! the row and never compare names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use tokio::sync::mpsc;

use self::confinement::Confines;
use self::jobs::Jobs;
use self::outputs::Outputs;
use self::row::{Row, Run, Work};
use self::stop::or_stopped;
pub(crate) use self::stop::{Stop, Stopper, cancelled};
use crate::base::clock::Time;
use crate::base::id::{BlobId, CallId};
use crate::context::skills::Skills;
use crate::domain::adjustment::Adjustment;
use crate::domain::permission::{Decision, Subject, ToolRules};
use crate::domain::places::Witnessed;
use crate::domain::review::Review;
use crate::domain::todo::TodoList;
use crate::domain::tool::{CallStatus, EffectClass, Outcome, OutputChunk};
use crate::security::redact::Redactor;
use crate::security::workspace::{PathError, Workspace};

mod arguments;
mod ask;
mod bash;
pub(crate) mod confinement;
mod done;
mod edit;
mod files;
pub(crate) mod findings;
mod flawed;
mod glob;
mod grep;
pub(crate) mod jobs;
mod last_words;
mod list;
pub(crate) mod outputs;
pub(crate) mod own;
mod patch;
mod plan_done;
pub(crate) mod program;
mod read;
pub(crate) mod registry;
pub(crate) mod review;
pub(crate) mod row;
pub(crate) mod scratch;
pub(crate) mod served;
mod size;
mod skill;
mod stop;
pub(crate) mod task;
mod todoread;
mod todowrite;
pub(crate) mod undo;
mod write;

pub(crate) use bash::gap;
pub(crate) use files::{changed_since, read_now};
pub(crate) use registry::Registry;

/// The environment of tool calls. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ToolContext {
    pub(crate) workspace: Arc<Workspace>,
    /// Files that the session has read, with the hash of their content.
    pub(crate) seen: Arc<Mutex<BTreeMap<String, BlobId>>>,
    /// Files that changed while the proposal was shown. The new proposal is based on their current content.
    pub(crate) saved_meanwhile: Arc<BTreeSet<String>>,
    pub(crate) todo: TodoList,
    pub(crate) limits: Limits,
    /// Whether the agent must submit a plan and not change anything.
    pub(crate) plans: bool,
    pub(crate) skills: Arc<Skills>,
    pub(crate) loaded: Arc<Mutex<BTreeSet<String>>>,
    pub(crate) jobs: Jobs,
    /// Storage of long outputs, which the model may read.
    pub(crate) outputs: Outputs,
    pub(crate) launcher: PathBuf,
    /// Environment variables that children must not see.
    pub(crate) hidden_variables: Arc<[String]>,
    pub(crate) redactor: Redactor,
    pub(crate) confines: Confines,
    pub(crate) children: Option<task::Delegates>,
    pub(crate) outside: Option<Arc<dyn served::Outside>>,
    pub(crate) sees: bool,
    /// Files that the session read and changed. Only filled for checks of claims.
    pub(crate) witnessed: Arc<Witnessed>,
    pub(crate) began: Time,
    pub(crate) stop: Stop,
}

/// The limits of requirements.md §3.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Maximum size of a result: a quarter of the model's window, in bytes.
    pub(crate) result_bytes: usize,
    pub(crate) timeout_ms: Option<u64>,
}

impl Limits {
    fn within(self, given: &Adjustment) -> Self {
        Self {
            result_bytes: given
                .output_bytes
                .map_or(self.result_bytes, |most| most.min(self.result_bytes)),
            timeout_ms: given.timeout_ms,
        }
    }
}

pub(crate) struct Prepared {
    pub(crate) call: CallId,
    pub(crate) tool: Cow<'static, str>,
    /// A short title: the path, the pattern, or the first line of the command.
    pub(crate) title: String,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) effect: EffectClass,
    pub(crate) review: Arc<Review>,
    /// The understood arguments, under the tool's own names.
    arguments: Map<String, Value>,
    row: Arc<Row>,
    adjusted: Option<Arc<Adjustment>>,
    work: Work,
}

/// A call that cannot be run. Its outcome tells the model what to do instead.
#[derive(Debug)]
pub(crate) struct Refusal {
    // Boxed to keep the success path small.
    pub(crate) outcome: Box<Outcome>,
}

impl Prepared {
    pub(crate) fn rules(&self) -> ToolRules {
        self.row.facts.rules()
    }

    pub(crate) fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    pub(crate) fn runs_command(&self) -> bool {
        self.subjects
            .iter()
            .any(|subject| matches!(subject, Subject::Command(_)))
    }

    pub(crate) fn is_served(&self) -> bool {
        self.subjects
            .iter()
            .any(|subject| matches!(subject, Subject::Served { .. }))
    }

    /// Runs the call, limited to the part that `decision` accepted.
    ///
    /// On a stop signal, reads are dropped, commands are stopped with their output kept, and writes are completed. Dropping the future ends
    /// all processes of the call.
    pub(crate) async fn run(self, decision: &Decision, cx: &ToolContext, output: mpsc::Sender<OutputChunk>) -> Outcome {
        if let Decision::Deny { reason } = decision {
            return denied(reason.as_deref());
        }
        let cx = &*within(cx, self.adjusted.as_deref());
        let run = Run {
            call: self.call,
            decision,
            cx,
            output,
        };
        let work = self.work.start(run);
        let outcome = match self.effect {
            EffectClass::Reads => or_stopped(&cx.stop, work).await,
            _ => work.await,
        };
        let outcome = redacted(with_code(outcome), &cx.redactor);
        size::cut(outcome, cx.limits.result_bytes, self.row.more)
    }
}

fn within<'c>(cx: &'c ToolContext, given: Option<&Adjustment>) -> Cow<'c, ToolContext> {
    match given {
        Some(given) => Cow::Owned(ToolContext {
            limits: cx.limits.within(given),
            ..cx.clone()
        }),
        None => Cow::Borrowed(cx),
    }
}

fn redacted(mut outcome: Outcome, redactor: &Redactor) -> Outcome {
    if let Cow::Owned(text) = redactor.text(&outcome.output) {
        outcome.output = text;
    }
    outcome
}

/// Prefixes an error with its code.
fn with_code(mut outcome: Outcome) -> Outcome {
    if let (CallStatus::Error, Some(code)) = (outcome.status, &outcome.code)
        // A command's output comes first and its status last: `[exit 1, 0.2s]`.
        && !outcome.output.starts_with(code.as_str())
        && !outcome.output.contains(&format!("[{code}"))
    {
        outcome.output.insert_str(0, &format!("{code}: "));
    }
    outcome
}

fn denied(reason: Option<&str>) -> Outcome {
    let why = reason.map(|reason| format!(" They said: {reason}")).unwrap_or_default();
    Outcome::denied(format!("The user did not allow this call; nothing was done.{why}"))
}

impl Refusal {
    pub(crate) fn new(code: &str, output: impl Into<String>) -> Self {
        Self {
            outcome: Box::new(Outcome::error(code, output)),
        }
    }
}

impl From<Outcome> for Refusal {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome: Box::new(outcome),
        }
    }
}

impl From<PathError> for Refusal {
    fn from(error: PathError) -> Self {
        Self {
            outcome: Box::new(failed(&error)),
        }
    }
}

fn failed(error: &PathError) -> Outcome {
    Outcome::error(error.code, format!("{error}."))
}

#[cfg(test)]
mod bench;
#[cfg(test)]
mod tests;
