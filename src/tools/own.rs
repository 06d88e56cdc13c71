//! Custom tools: each is an executable, and a JSON file with its description.
//!
//! A call counts as running a program, so it needs approval unless a rule allows it. Arguments are validated before the
//! request for approval.

mod read;
mod schema;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::program::{self, Around, How, Program, Said};
use super::row::{Declares, Draft, Row, Run, Work};
use super::size;
use super::stop::cancelled;
use benchdog_base::id::BlobId;
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::Subject;
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, OutputShown, ToolFacts};
use benchdog_security::trust::MAX_BYTES;

pub use read::{of_folder, of_project, undescribed};

/// Maximum bytes of output that are read from a custom tool.
const MOST_OUTPUT: usize = 4 << 20;

#[derive(Debug, Clone, PartialEq)]
pub struct OwnTool {
    pub name: String,
    pub description: String,
    pub parameters: Value,
    pub timeout_ms: u64,
    pub program: PathBuf,
    /// Hash of the trusted executable, if the tool comes from a project folder. `Some(None)` means that the executable
    /// was unreadable when it was trusted, so the tool never runs.
    pub pinned: Option<Option<BlobId>>,
}

struct Plan {
    tool: Arc<OwnTool>,
    arguments: Map<String, Value>,
}

pub fn row(tool: OwnTool) -> Row {
    let tool = Arc::new(tool);
    Row {
        facts: ToolFacts {
            output: OutputShown::AtOnce,
            settable: Settable {
                output_bytes: Some(size::MOST_SET),
                timeout_ms: Some(read::MOST_MS),
                ..Settable::default()
            },
            ..ToolFacts::of(tool.name.clone(), EffectClass::Executes)
        },
        aliases: &[],
        description: Cow::Owned(tool.description.clone()),
        declares: Declares::Whole,
        parameters: tool.parameters.clone(),
        arguments: &[],
        more: "Ask it for less.",
        serves: None,
        prepare: Box::new(move |args, _| {
            let arguments = args.only_known()?;
            if let Some(wrong) = schema::wrong(&tool.parameters, &json!(arguments)) {
                return Err(args.refuse(&wrong));
            }
            let mut fields = vec![("program".to_owned(), tool.program.display().to_string())];
            fields.extend(arguments.iter().map(|(name, value)| (name.clone(), shown(value))));
            let plan = Plan {
                tool: Arc::clone(&tool),
                arguments,
            };
            Ok(Draft {
                title: title(&plan.arguments),
                subjects: vec![Subject::Tool],
                review: Review::Fields(fields),
                work: Work::of(plan, |plan, it| Box::pin(carry_out(plan, it))),
            })
        }),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn title(arguments: &Map<String, Value>) -> String {
    let first = arguments.values().next().map(shown).unwrap_or_default();
    size::shorten(first.lines().next().unwrap_or_default(), 80)
}

async fn carry_out(plan: Plan, it: Run<'_>) -> Outcome {
    let Plan { tool, arguments } = plan;
    if it.cx.stop.is_said() {
        return cancelled("It had not started; nothing was done.");
    }
    let checked = Arc::clone(&tool);
    let is_same = tokio::task::spawn_blocking(move || is_as_trusted(&checked)).await;
    if !is_same.unwrap_or_default() {
        let text = format!(
            "The program of `{}` is not the one that the user trusted, so it was not started. They can look at it and use `/reload`.",
            tool.name
        );
        return Outcome::error("changed", text);
    }
    let limit_ms = it.cx.limits.timeout_ms.unwrap_or(tool.timeout_ms);
    let root = it.cx.workspace.root();
    let around = Around {
        launcher: it.cx.launcher.clone(),
        keys: Arc::clone(&it.cx.hidden_variables),
        passed: Arc::clone(&it.cx.confines.passed),
        port_offset: it.cx.port_offset,
    };
    let input = json!({"version": 1, "tool": tool.name, "arguments": arguments, "cwd": root.display().to_string()});
    let program = Program {
        program: tool.program.clone(),
        arguments: Vec::new(),
        folder: root.to_path_buf(),
        input: format!("{input}\n"),
        limit: Duration::from_millis(limit_ms),
        most: MOST_OUTPUT,
        confined: None,
    };
    outcome(&tool, limit_ms, program::run(program, &around, &it.cx.stop).await)
}

fn is_as_trusted(tool: &OwnTool) -> bool {
    let Some(pinned) = &tool.pinned else { return true };
    let read = |path: &Path| {
        let fits = std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= MAX_BYTES);
        fits.then(|| std::fs::read(path).ok()).flatten()
    };
    pinned.is_some() && read(&tool.program).map(|bytes| BlobId::of(&bytes)) == *pinned
}

/// Returns the result of a call. If the output is a JSON object with a field `output` or `error`, that field is the
/// result. Any other output is returned verbatim.
fn outcome(tool: &OwnTool, limit_ms: u64, said: Said) -> Outcome {
    let name = &tool.name;
    let errors = match said.errors.trim() {
        "" => String::new(),
        errors => format!("\n{errors}"),
    };
    match said.how {
        How::Stopped => cancelled("It was stopped. Its effects until then remain."),
        How::NotStarted(error) => Outcome::error("not_started", format!("`{name}` could not be started: {error}.")),
        How::TimedOut => Outcome::error(
            "timeout",
            format!("{}\n[`{name}` was ended after {limit_ms} ms]", said.output.trim_end()),
        ),
        How::Endless => Outcome::error(
            "too_much",
            format!("`{name}` wrote more than {MOST_OUTPUT} bytes and was ended."),
        ),
        How::Ended(status) if status.success() => answered(name, &said.output),
        How::Ended(status) => Outcome::error(
            "failed",
            format!("{}{errors}\n[`{name}` ended with {status}]", said.output.trim_end()),
        ),
    }
}

fn answered(name: &str, output: &str) -> Outcome {
    let read = serde_json::from_str::<Map<String, Value>>(output.trim()).ok();
    let field = |key: &str| read.as_ref().and_then(|fields| fields.get(key)).map(shown);
    if let Some(error) = field("error") {
        return Outcome::error("failed", format!("`{name}`: {error}"));
    }
    let text = field("output").unwrap_or_else(|| output.trim_end().to_owned());
    if text.is_empty() {
        return Outcome::ok(Summary::Empty, format!("[`{name}` said nothing]"));
    }
    let lines = text.lines().count() as u64;
    Outcome::ok(Summary::Lines { lines }, text)
}

#[cfg(test)]
mod tests;
