//! The tools a model can call. Each *prepares* first, touching nothing, and later runs exactly what was prepared.
//!
//! One row in the registry a tool, one file a tool. No tool decides whether it may run: the policy does, between the two
//! steps. Outside a tool's own file nothing compares its name: what others need to know stands in its row.

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

/// What every tool may look at. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ToolContext {
    pub(crate) workspace: Arc<Workspace>,
    /// What this session has read, by workspace path, with the hash of the bytes it saw. Held for moments only.
    pub(crate) seen: Arc<Mutex<BTreeMap<String, BlobId>>>,
    /// Files that changed on disk while the person looked at the proposal that is prepared anew: it is made against what is there.
    pub(crate) saved_meanwhile: Arc<BTreeSet<String>>,
    /// The list as it stands.
    pub(crate) todo: TodoList,
    pub(crate) limits: Limits,
    /// The agent that works hands over a plan and changes nothing.
    pub(crate) plans: bool,
    /// The skills of the session.
    pub(crate) skills: Arc<Skills>,
    /// Those whose instructions it has. Held for moments only.
    pub(crate) loaded: Arc<Mutex<BTreeSet<String>>>,
    /// What goes on in the background.
    pub(crate) jobs: Jobs,
    /// Where outputs are kept whole that are too long to show; the model may read them.
    pub(crate) outputs: Outputs,
    /// The program that starts children (`exec-child`); our own executable.
    pub(crate) launcher: PathBuf,
    /// Variables whose values children must not see.
    pub(crate) hidden_variables: Arc<[String]>,
    /// Takes secrets out of what a tool brings back.
    pub(crate) redactor: Redactor,
    /// How commands are held in.
    pub(crate) confines: Confines,
    /// Who may be given work; `None`: nobody.
    pub(crate) children: Option<task::Delegates>,
    /// The servers of the session; `None`: it has none.
    pub(crate) outside: Option<Arc<dyn served::Outside>>,
    /// The model is sent images.
    pub(crate) sees: bool,
    /// Which files the session has looked at and changed; for whoever judges claims, and empty for everybody else.
    pub(crate) witnessed: Arc<Witnessed>,
    /// When the session began.
    pub(crate) began: Time,
    /// Says when the call is to stop.
    pub(crate) stop: Stop,
}

/// The sizes of requirements.md §3.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// A quarter of the model's window, in bytes: no result is longer.
    pub(crate) result_bytes: usize,
    /// What the configuration says of the time of a call of this tool.
    pub(crate) timeout_ms: Option<u64>,
}

impl Limits {
    /// Within these, those that a tool was given.
    fn within(self, given: &Adjustment) -> Self {
        Self {
            result_bytes: given
                .output_bytes
                .map_or(self.result_bytes, |most| most.min(self.result_bytes)),
            timeout_ms: given.timeout_ms,
        }
    }
}

/// A call that was understood and not yet done.
pub(crate) struct Prepared {
    pub(crate) call: CallId,
    pub(crate) tool: Cow<'static, str>,
    /// A few words for the transcript: the path, the pattern, the first line of the command.
    pub(crate) title: String,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) effect: EffectClass,
    pub(crate) review: Arc<Review>,
    /// What the tool understood, under its own names.
    arguments: Map<String, Value>,
    row: Arc<Row>,
    /// What the configuration says of the tool.
    adjusted: Option<Arc<Adjustment>>,
    work: Work,
}

/// A call that cannot be run. Its outcome is an error that tells the model what to do instead.
#[derive(Debug)]
pub(crate) struct Refusal {
    // Boxed, so that the way where nothing is wrong carries little.
    pub(crate) outcome: Box<Outcome>,
}

impl Prepared {
    /// What the policy must know of the tool.
    pub(crate) fn rules(&self) -> ToolRules {
        self.row.facts.rules()
    }

    /// What it is called with, whatever the model wrote for it.
    pub(crate) fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// Whether a command line would be run.
    pub(crate) fn runs_command(&self) -> bool {
        self.subjects
            .iter()
            .any(|subject| matches!(subject, Subject::Command(_)))
    }

    /// Whether a server does it.
    pub(crate) fn is_served(&self) -> bool {
        self.subjects
            .iter()
            .any(|subject| matches!(subject, Subject::Served { .. }))
    }

    /// Does what was prepared, or the part of it that `decision` kept.
    ///
    /// Told to stop, what only looks is let go of, a command is ended and what it said is kept, and writing, which is
    /// short, is done to its end. Dropping the future ends everything the call has started.
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

/// What a tool is given, within the limits that the configuration sets it.
fn within<'c>(cx: &'c ToolContext, given: Option<&Adjustment>) -> Cow<'c, ToolContext> {
    match given {
        Some(given) => Cow::Owned(ToolContext {
            limits: cx.limits.within(given),
            ..cx.clone()
        }),
        None => Cow::Borrowed(cx),
    }
}

/// The outcome without secrets: nobody gets to keep them, neither the log nor the model.
fn redacted(mut outcome: Outcome, redactor: &Redactor) -> Outcome {
    if let Cow::Owned(text) = redactor.text(&outcome.output) {
        outcome.output = text;
    }
    outcome
}

/// An error with its code in what the model reads: the same word for the same cause, whatever the sentence is.
fn with_code(mut outcome: Outcome) -> Outcome {
    if let (CallStatus::Error, Some(code)) = (outcome.status, &outcome.code)
        // A command's own output comes first, and how it ended last: `[exit 1, 0.2s]`.
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

/// What a model reads when a path could not be used.
fn failed(error: &PathError) -> Outcome {
    Outcome::error(error.code, format!("{error}."))
}

#[cfg(test)]
mod bench;
#[cfg(test)]
mod tests;
