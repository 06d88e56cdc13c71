//! The tools a model can call. Each *prepares* first, touching nothing, and later runs exactly what was prepared.
//!
//! One row in `TABLE` a tool, one file a tool. No tool decides whether it may run: the policy does, between the two steps.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::sync::mpsc;

use self::arguments::Args;
use crate::base::id::{BlobId, CallId};
use crate::domain::message::{ToolCall, ToolDeclaration};
use crate::domain::permission::{Decision, Subject};
use crate::domain::review::Review;
use crate::domain::todo::TodoList;
use crate::domain::tool::{CallStatus, EffectClass, Outcome, OutputChunk};
use crate::security::workspace::{PathError, Workspace};

mod arguments;
mod ask;
mod bash;
mod edit;
mod files;
mod glob;
mod grep;
pub(crate) mod launch;
mod list;
mod patch;
mod read;
mod repair;
mod size;
mod todoread;
mod todowrite;
mod write;

/// Every tool, in the order in which they are declared to a model. The order is part of the prompt: it never changes.
const TABLE: [Spec; 11] = [
    read::SPEC,
    write::SPEC,
    edit::SPEC,
    patch::SPEC,
    list::SPEC,
    glob::SPEC,
    grep::SPEC,
    bash::SPEC,
    todoread::SPEC,
    todowrite::SPEC,
    ask::SPEC,
];

/// What every tool may look at. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ToolContext {
    pub(crate) workspace: Arc<Workspace>,
    /// What this session has read, by workspace path, with the hash of the bytes it saw. Held for moments only.
    pub(crate) seen: Arc<Mutex<BTreeMap<String, BlobId>>>,
    /// The list as it stands.
    pub(crate) todo: TodoList,
    pub(crate) limits: Limits,
    /// The folder for whole outputs that were cut; the model may read files in it.
    pub(crate) overflow: PathBuf,
    /// The program that starts children (`exec-child`); our own executable.
    pub(crate) launcher: PathBuf,
    /// Variables whose values children must not see.
    pub(crate) hidden_variables: Arc<[String]>,
}

/// The sizes of requirements.md §3.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// A quarter of the model's window, in bytes: no result is longer.
    pub(crate) result_bytes: usize,
}

/// A call that was understood and not yet done.
pub(crate) struct Prepared {
    pub(crate) call: CallId,
    pub(crate) tool: &'static str,
    /// A few words for the transcript: the path, the pattern, the first line of the command.
    pub(crate) title: String,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) effect: EffectClass,
    pub(crate) review: Arc<Review>,
    plan: Plan,
}

/// A call that cannot be run. Its outcome is an error that tells the model what to do instead.
#[derive(Debug)]
pub(crate) struct Refusal {
    // Boxed, so that the way where nothing is wrong carries little.
    pub(crate) outcome: Box<Outcome>,
}

/// What will be done, decided to the last byte before anyone is asked.
enum Plan {
    Read(read::ReadPlan),
    /// `write`, `edit` and `patch` differ in how they come to a proposal, not in how it is carried out.
    Files(files::FilesPlan),
    List(list::ListPlan),
    Glob(glob::GlobPlan),
    Grep(grep::GrepPlan),
    Bash(bash::BashPlan),
    TodoRead,
    TodoWrite(todowrite::TodoPlan),
    Ask(ask::AskPlan),
}

/// One row of the table.
struct Spec {
    name: &'static str,
    /// What other programs call it, and models that were trained on them.
    aliases: &'static [&'static str],
    /// What the model reads.
    description: &'static str,
    effect: EffectClass,
    /// A JSON Schema of type object.
    parameters: fn() -> Value,
    /// Other names under which an argument is accepted.
    arguments: &'static [(&'static str, &'static [&'static str])],
    /// How to get the rest of a result that was cut.
    more: &'static str,
}

/// What a tool's `prepare` hands to the table; the call's id, name and class are added there.
struct Draft {
    title: String,
    subjects: Vec<Subject>,
    review: Review,
    plan: Plan,
}

/// All tools as they are declared to a model.
pub(crate) fn declarations() -> Arc<[ToolDeclaration]> {
    TABLE
        .iter()
        .map(|spec| ToolDeclaration {
            name: spec.name.to_owned(),
            description: spec.description.to_owned(),
            parameters: (spec.parameters)(),
        })
        .collect()
}

/// Understands a call without touching anything.
pub(crate) async fn prepare(call: &ToolCall, cx: &ToolContext) -> Result<Prepared, Refusal> {
    draft(call, cx).map_err(|refusal| Refusal {
        outcome: Box::new(with_code(*refusal.outcome)),
    })
}

fn draft(call: &ToolCall, cx: &ToolContext) -> Result<Prepared, Refusal> {
    let spec = find(&call.name)?;
    let args = Args::of(spec, &call.arguments)?;
    let draft = match spec.name {
        "read" => read::prepare(&args, cx),
        "write" => write::prepare(&args, cx),
        "edit" => edit::prepare(&args, cx),
        "patch" => patch::prepare(&args, cx),
        "list" => list::prepare(&args, cx),
        "glob" => glob::prepare(&args, cx),
        "grep" => grep::prepare(&args, cx),
        "bash" => bash::prepare(&args, cx),
        "todoread" => Ok(todoread::prepare()),
        "todowrite" => todowrite::prepare(&args, cx),
        "ask" => ask::prepare(&args),
        // A row without an arm here is caught by a test that prepares every row.
        other => Err(Refusal::new(
            "unknown_tool",
            format!("The tool `{other}` is not built."),
        )),
    }?;
    Ok(draft.of(spec, call.id.clone()))
}

/// A command line as a call, of the check or of the person.
pub(crate) fn command_call(id: CallId, line: String, timeout_ms: Option<u64>) -> ToolCall {
    let mut arguments = serde_json::Map::new();
    arguments.insert("command".to_owned(), line.into());
    if let Some(ms) = timeout_ms {
        arguments.insert("timeout_ms".to_owned(), ms.into());
    }
    ToolCall {
        id,
        name: "bash".to_owned(),
        arguments: crate::domain::message::Arguments::Object(arguments),
    }
}

/// A question of the engine itself as a call.
pub(crate) fn question_call(id: CallId, question: crate::domain::review::Question) -> ToolCall {
    let mut arguments = serde_json::Map::new();
    arguments.insert("question".to_owned(), question.text.into());
    arguments.insert("options".to_owned(), question.options.into());
    arguments.insert("multiple".to_owned(), question.multiple.into());
    ToolCall {
        id,
        name: "ask".to_owned(),
        arguments: crate::domain::message::Arguments::Object(arguments),
    }
}

/// Does what was prepared, or the part of it that `decision` kept. Dropping the future ends everything the call has started.
pub(crate) async fn run(
    prepared: Prepared,
    decision: &Decision,
    cx: &ToolContext,
    output: mpsc::Sender<OutputChunk>,
) -> Outcome {
    if let Decision::Deny { reason } = decision {
        return denied(reason.as_deref());
    }
    let Prepared { call, tool, plan, .. } = prepared;
    let outcome = match plan {
        Plan::Read(plan) => read::run(plan, cx).await,
        Plan::Files(plan) => files::run(plan, decision, cx).await,
        Plan::List(plan) => list::run(plan, cx).await,
        Plan::Glob(plan) => glob::run(plan, cx).await,
        Plan::Grep(plan) => grep::run(plan, cx).await,
        Plan::Bash(plan) => bash::run(plan, call, cx, output).await,
        Plan::TodoRead => todoread::run(cx),
        Plan::TodoWrite(plan) => todowrite::run(plan),
        Plan::Ask(plan) => ask::run(&plan, decision),
    };
    let more = TABLE.iter().find(|spec| spec.name == tool).map_or("", |spec| spec.more);
    size::cut(with_code(outcome), cx.limits.result_bytes, more)
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

/// The row that a model's name for a tool means.
fn find(name: &str) -> Result<&'static Spec, Refusal> {
    // Some templates write the namespace in front: `functions.read`, `default_api:read`.
    let bare = name.rsplit(['.', ':', '/']).next().unwrap_or(name).trim();
    let wanted = bare.to_ascii_lowercase().replace('-', "_");
    let known = |spec: &&Spec| spec.name == wanted || spec.aliases.contains(&wanted.as_str());
    if let Some(spec) = TABLE.iter().find(known) {
        return Ok(spec);
    }
    let names: Vec<&str> = TABLE.iter().map(|spec| spec.name).collect();
    let hint = match nearest(&wanted, names.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`? "),
        None => String::new(),
    };
    Err(Refusal::new(
        "unknown_tool",
        format!("There is no tool `{name}`. {hint}The tools are: {}.", names.join(", ")),
    ))
}

/// The candidate nearest to `wanted`, if one is near enough to be meant.
fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wanted.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let other = candidate.to_lowercase();
            let inside = other.len() >= 3 && lower.len() >= 3 && (lower.contains(&other) || other.contains(&lower));
            (if inside { 1 } else { distance(&lower, &other) }, candidate)
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count().min(lower.chars().count()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be added, removed, changed or swapped with their neighbour to come from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let swap = match (last == Some(*y), j.checked_sub(1)) {
                (true, Some(k)) if b.get(k) == Some(&x) => before.get(k).map_or(usize::MAX, |d| d + 1),
                _ => usize::MAX,
            };
            let change = row.get(j).copied().unwrap_or(0) + usize::from(x != *y);
            let remove = row.get(j + 1).copied().unwrap_or(0) + 1;
            let add = next.last().copied().unwrap_or(0) + 1;
            next.push(change.min(remove).min(add).min(swap));
        }
        before = std::mem::replace(&mut row, next);
        last = Some(x);
    }
    row.last().copied().unwrap_or(0)
}

fn denied(reason: Option<&str>) -> Outcome {
    let why = reason.map(|reason| format!(" They said: {reason}")).unwrap_or_default();
    Outcome {
        status: CallStatus::Denied,
        summary: "denied".to_owned(),
        code: Some("denied".to_owned()),
        ..Outcome::ok("", format!("The user did not allow this call; nothing was done.{why}"))
    }
}

impl Draft {
    fn of(self, spec: &Spec, call: CallId) -> Prepared {
        Prepared {
            call,
            tool: spec.name,
            title: self.title,
            subjects: self.subjects,
            effect: spec.effect,
            review: Arc::new(self.review),
            plan: self.plan,
        }
    }
}

impl Refusal {
    fn new(code: &str, output: impl Into<String>) -> Self {
        Self {
            outcome: Box::new(Outcome::error(code, output)),
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
