//! The tools of the model.
//!
//! A tool first *prepares* a call without side effects. Then the policy decides whether the call may run. Later, the
//! tool runs exactly the prepared call.
//!
//! Each tool has one file, and one row in the registry. Other modules use the facts in the row and never compare tool
//! names.

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
pub use self::stop::{Stop, Stopper, cancelled};
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, CallId};
use benchdog_context::skills::Skills;
use benchdog_domain::adjustment::Adjustment;
use benchdog_domain::permission::{Decision, Subject, ToolRules};
use benchdog_domain::places::Witnessed;
use benchdog_domain::review::Review;
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome, OutputChunk};
use benchdog_security::redact::Redactor;
use benchdog_security::workspace::{PathError, Workspace};
use benchdog_web::Web;

mod arguments;
mod ask;
mod bash;
pub mod confinement;
mod done;
mod edit;
mod files;
pub mod findings;
mod flawed;
mod glob;
mod grep;
pub mod jobs;
pub mod language;
mod last_words;
mod list;
mod notebook;
mod notebook_edit;
mod other;
pub mod outputs;
pub mod own;
mod patch;
mod plan_done;
pub mod program;
mod read;
pub mod registry;
pub mod review;
pub mod row;
pub mod scratch;
pub mod search_semantic;
pub mod served;
mod size;
mod skill;
mod stop;
pub mod task;
mod todoread;
mod todowrite;
pub mod undo;
mod unsaved;
mod webfetch;
mod websearch;
mod write;
pub mod write_set;

pub use bash::gap;
pub use files::{changed_since, read_now};
pub use read::{READ_IMAGE, READ_PDF, read_image, read_pdf};
pub use registry::Registry;

#[derive(Clone)]
pub struct ToolContext {
    pub workspace: Arc<Workspace>,
    /// Files that the session read, with the hash of their content at that time.
    pub seen: Arc<Mutex<BTreeMap<String, BlobId>>>,
    /// Files that changed while the user reviewed a proposal. The new proposal starts from their current content.
    pub saved_meanwhile: Arc<BTreeSet<String>>,
    pub todo: TodoList,
    pub limits: Limits,
    /// Whether the agent is in plan mode, in which it can only submit a plan.
    pub plans: bool,
    pub skills: Arc<Skills>,
    pub loaded: Arc<Mutex<BTreeSet<String>>>,
    pub jobs: Jobs,
    pub outputs: Outputs,
    pub cache: PathBuf,
    pub launcher: PathBuf,
    pub hidden_variables: Arc<[String]>,
    pub redactor: Redactor,
    pub confines: Confines,
    pub children: Option<task::Delegates>,
    pub outside: Option<Arc<dyn served::Outside>>,
    /// `None` if the web tools are off.
    pub web: Option<Arc<Web>>,
    pub retrieval: search_semantic::Retrieval,
    pub languages: benchdog_lsp::Servers,
    /// Applies an undo to all files atomically. `None` for calls other than an undo.
    pub write_set: Option<Arc<dyn write_set::WriteSet>>,
    pub sees: bool,
    /// Files that the session read and changed, only for calls that check claims against them.
    pub witnessed: Arc<Witnessed>,
    pub began: Time,
    pub port_offset: u32,
    pub stop: Stop,
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum bytes of a result: a quarter of the model's context window.
    pub result_bytes: usize,
    pub timeout_ms: Option<u64>,
    /// Maximum bytes of a file that an undo can restore after a command removed it.
    pub checkpoint_max_file: u64,
}

impl Limits {
    fn within(self, given: &Adjustment) -> Self {
        Self {
            result_bytes: given
                .output_bytes
                .map_or(self.result_bytes, |most| most.min(self.result_bytes)),
            timeout_ms: given.timeout_ms,
            ..self
        }
    }
}

pub struct Prepared {
    pub call: CallId,
    pub tool: Cow<'static, str>,
    /// The path, the pattern, or the first line of the command.
    pub title: String,
    pub subjects: Vec<Subject>,
    pub effect: EffectClass,
    pub review: Arc<Review>,
    /// Arguments with normalised values, under the tool's own argument names.
    arguments: Map<String, Value>,
    row: Arc<Row>,
    adjusted: Option<Arc<Adjustment>>,
    work: Work,
}

/// Explains to the model why a call cannot run, and what to do instead.
#[derive(Debug)]
pub struct Refusal {
    // Boxed to keep the common `Ok` results small.
    pub outcome: Box<Outcome>,
}

impl Prepared {
    pub fn rules(&self) -> ToolRules {
        self.row.facts.rules()
    }

    pub fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// Whether the call runs commands, and all of them only read.
    pub fn reads_only(&self) -> bool {
        let mut commands = self.subjects.iter().filter_map(|subject| match subject {
            Subject::Command(line) => Some(line.analysis.reads_only),
            _ => None,
        });
        self.runs_command() && commands.all(|reads_only| reads_only)
    }

    pub fn runs_command(&self) -> bool {
        self.subjects
            .iter()
            .any(|subject| matches!(subject, Subject::Command(_)))
    }

    pub fn is_served(&self) -> bool {
        self.subjects
            .iter()
            .any(|subject| matches!(subject, Subject::Served { .. }))
    }

    /// Runs the call, limited to the part that `decision` accepted.
    ///
    /// A stop signal aborts calls that only read, and lets writes complete. It stops commands but returns their output
    /// so far. Dropping the future ends all processes of the call.
    pub async fn run(self, decision: &Decision, cx: &ToolContext, output: mpsc::Sender<OutputChunk>) -> Outcome {
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
        let mut outcome = match self.effect {
            EffectClass::Reads => or_stopped(&cx.stop, work).await,
            _ => work.await,
        };
        if self.effect == EffectClass::Writes {
            language::after_edit(&mut outcome, cx).await;
        }
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

fn with_code(mut outcome: Outcome) -> Outcome {
    if let (CallStatus::Error, Some(code)) = (outcome.status, &outcome.code)
        // The result of a command already contains its status, such as `[exit 1, 0.2s]`, so do not repeat the code.
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
#[cfg(any(test, feature = "testing"))]
pub mod weather;
