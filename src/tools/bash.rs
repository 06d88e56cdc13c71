//! `bash`: runs one command line in a new shell, without standard input and without secrets in its environment. When
//! the command ends, its remaining processes are stopped.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::arguments::Args;
use super::list::folder_argument_named;
use super::row::{Declares, Draft, Row, Run, Serves, Work};
use super::stop::cancelled;
use super::{Refusal, ToolContext};
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::{CommandReview, Review, Runs};
use benchdog_domain::tool::{EffectClass, Outcome, OutputShown, ToolFacts};
use benchdog_security::standing;
use benchdog_security::workspace::{FileKind, WorkPath};

mod background;
mod collect;
pub(crate) mod environment;
mod follow;
mod live;
mod plain;
mod reach;
mod report;

pub use collect::gap;
pub(super) use collect::{Collected, Part};
pub(super) use environment::{Withheld, variables, with_port_offset};

const DESCRIPTION: &str = "Run a command line. Child processes end with it: start servers with `background`, not with `&`. Prefer the other tools over cat, ls, find, grep, sed.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: defaults(),
            output: OutputShown::AtOnce,
            settable: Settable {
                output_bytes: Some(collect::MOST as u64),
                timeout_ms: Some(MOST_TIMEOUT_MS),
                ..Settable::default()
            },
            ..ToolFacts::of("bash", EffectClass::Executes)
        },
        aliases: &[
            "shell",
            "run",
            "run_command",
            "run_shell_command",
            "execute_command",
            "exec",
            "terminal",
            "run_terminal_cmd",
            "command",
            "execute_bash",
            "run_bash",
            "shell_command",
            "local_shell",
            "run_terminal_command",
            "runcommand",
            "executecommand",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[
            ("command", &["cmd", "script", "shell_command", "input", "code"]),
            ("reason", &["description", "explanation", "why"]),
            ("risk", &["risk_level", "security_risk"]),
            ("timeout_s", &["timeout", "timeout_seconds", "timeout_secs"]),
            (
                "workdir",
                &["cwd", "working_directory", "dir", "directory", "working_dir"],
            ),
            ("background", &["run_in_background", "is_background", "detach"]),
            (
                "unconfined",
                &["outside_sandbox", "no_sandbox", "dangerously_disable_sandbox"],
            ),
        ],
        more: "Use a command that says less, or send its output to a file and `read` that.",
        serves: Some(Serves::Commands(command_line)),
        prepare: Box::new(prepare),
    }
}

const MOST_TIMEOUT_MS: u64 = 600_000;

/// Maximum lifetime in milliseconds that a call can set for a background job: a day.
const MOST_LIFETIME_MS: u64 = 86_400_000;

/// Maximum bytes of a command line, below the kernel's limit for one argument.
const MOST_COMMAND: usize = 100_000;

pub(super) struct BashPlan {
    command: String,
    folder: PathBuf,
    runs: Runs,
    /// Secret files that the command line refers to.
    hidden: Vec<String>,
    /// Whether all commands of the line only read and print.
    reads_only: bool,
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "command": {"type": "string"},
            "reason": {"type": "string"},
            "risk": {"type": "string", "enum": ["low", "high"], "undeclared": "small", "description": "`high` asks the user."},
            "timeout_ms": {"type": "integer", "undeclared": "small", "description": "Default 120000."},
            "unconfined": {"type": "boolean", "description": "Ask the user to run it outside the sandbox."},
            "workdir": {"type": "string", "undeclared": true},
            "background": {"type": "boolean", "undeclared": "small", "description": "Return at once, with an id for `bash_output`."}
        },
        "required": ["command"]
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let command = args.filled_text("command")?;
    let runs = runs(args, cx)?;
    let workdir = folder_argument_named(args, "workdir", cx)?;
    if workdir.stat()?.is_some_and(|stat| stat.kind != FileKind::Folder) {
        return Err(Refusal::new(
            "not_a_folder",
            format!("`{}` is no folder to run a command in.", workdir.shown()),
        ));
    }
    let risky = risky(args)?;
    let mut draft = draft(&command, &workdir, args.text("reason")?, runs, cx)?;
    if args.flag("unconfined")?
        && let [Subject::Command(line)] = draft.subjects.as_mut_slice()
    {
        Arc::make_mut(line).unconfined = true;
    }
    if let Review::Command(review) = &mut draft.review
        && risky
    {
        review.risky = true;
        draft.subjects.push(Subject::CalledRisky);
    }
    Ok(draft)
}

/// Returns the built-in rules: allow harmless command lines, and ask for any other.
fn defaults() -> Vec<(Cow<'static, str>, Action)> {
    let mut rules = vec![("*".into(), Action::Ask)];
    rules.extend(["ls *", "cat *", "grep *"].map(|pattern| (pattern.into(), Action::Allow)));
    rules
}

fn command_line(command: &str, timeout_ms: Option<u64>) -> Map<String, Value> {
    let limit = timeout_ms.map(|ms| ("timeout_ms".to_owned(), ms.into()));
    Map::from_iter([("command".to_owned(), command.into())].into_iter().chain(limit))
}

fn draft(
    command: &str,
    workdir: &WorkPath,
    reason: Option<String>,
    runs: Runs,
    cx: &ToolContext,
) -> Result<Draft, Refusal> {
    if command.contains('\0') || command.len() > MOST_COMMAND {
        return Err(Refusal::new(
            "bad_arguments",
            "`command` is too long or holds a NUL character; write it to a file and run that.",
        ));
    }
    let line = standing::command(&cx.workspace, workdir, command);
    let (hidden, reads_only) = (line.hidden().map(str::to_owned).collect(), line.analysis.reads_only);
    Ok(Draft {
        title: title(command),
        // Show exactly the command line that the policy checks.
        review: Review::Command(CommandReview {
            command: line.command.clone(),
            class: line.analysis.class,
            parts: line.analysis.parts.clone(),
            writes: line.analysis.writes.clone(),
            removes: reach::removals(
                cx.workspace.root(),
                cx.limits.checkpoint_max_file,
                &workdir.absolute(),
                &line.analysis.removes,
            ),
            workdir: line.workdir.clone(),
            reason: reason.filter(|reason| !reason.trim().is_empty()),
            risky: false,
            runs,
        }),
        subjects: vec![Subject::Command(line)],
        work: Work::of(
            BashPlan {
                command: command.to_owned(),
                folder: workdir.absolute(),
                runs,
                hidden,
                reads_only,
            },
            |plan, it| Box::pin(run(plan, it)),
        ),
    })
}

fn title(command: &str) -> String {
    let mut lines = command.trim().lines();
    let first = super::size::shorten(lines.next().unwrap_or_default(), 120);
    if lines.next().is_some() {
        format!("{first} …")
    } else {
        first
    }
}

/// Whether the model marked the command as risky. An unknown risk level counts as risky.
fn risky(args: &Args<'_>) -> Result<bool, Refusal> {
    let said = args.text("risk")?.unwrap_or_default();
    Ok(!matches!(said.trim().to_lowercase().as_str(), "" | "low" | "none"))
}

fn runs(args: &Args<'_>, cx: &ToolContext) -> Result<Runs, Refusal> {
    let given = timeout(args)?;
    if args.flag("background")? {
        cx.jobs.has_room()?;
        let limit_ms = given.map(|ms| ms.min(MOST_LIFETIME_MS));
        return Ok(Runs::Behind { limit_ms });
    }
    let limit_ms = given
        .or(cx.limits.timeout_ms)
        .unwrap_or(Runs::USUAL_MS)
        .min(MOST_TIMEOUT_MS);
    Ok(Runs::UntilDone { limit_ms })
}

/// Returns the timeout in milliseconds. A `timeout_s` of 1000 or more is read as milliseconds.
fn timeout(args: &Args<'_>) -> Result<Option<u64>, Refusal> {
    let given = match (args.number("timeout_ms")?, args.number("timeout_s")?) {
        (Some(ms), _) | (None, Some(ms @ 1000..)) => Some(ms),
        (None, Some(seconds)) => Some(seconds * 1000),
        (None, None) => None,
    };
    Ok(given.filter(|ms| *ms > 0))
}

/// Runs the command until it ends or the stop signal comes. Dropping the future ends the command.
async fn run(plan: BashPlan, it: Run<'_>) -> Outcome {
    if it.cx.stop.is_said() {
        return cancelled("It had not started; nothing was done.");
    }
    let (confines, workspace) = (it.cx.confines.clone(), it.cx.workspace.clone());
    let confined = tokio::task::spawn_blocking(move || confines.confined(&workspace));
    let confined = match confined.await.unwrap_or_else(|error| Err(error.to_string())) {
        Ok(confined) => confined,
        Err(why) => return not_confined(&why),
    };
    if matches!(plan.runs, Runs::Behind { .. }) {
        return background::begin(plan, it, confined).await;
    }
    let collected = Mutex::new(collect::Collected::new(it.cx));
    let live = live::Live::new(it.call, it.output);
    match follow::follow(&plan, it.cx, confined.as_ref(), &collected, live).await {
        Ok(end) => match &end.status {
            Err(error) if error.kind() == std::io::ErrorKind::Unsupported => not_confined(&error.to_string()),
            _ => {
                let held = report::held(it.cx, confined.as_ref(), &plan);
                let collected = collected.into_inner().unwrap_or_else(PoisonError::into_inner);
                report::report(&end, collected, plan.runs, held.as_ref())
            }
        },
        Err(error) => Outcome::error("not_started", format!("The command could not be started: {error}.")),
    }
}

fn not_confined(why: &str) -> Outcome {
    Outcome::error(
        "not_confined",
        format!(
            "The command was not started, because it could not be confined as configured: {why}. The user can look at `benchdog doctor`."
        ),
    )
}

#[cfg(test)]
mod tests;
