//! `bash_output`: returns the output and state of a background job.

use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Handle;
use crate::arguments::Args;
use crate::row::{Declares, Draft, Row, Run, Work};
use crate::{Refusal, ToolContext};
use benchdog_base::text::grouped;
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, OutputShown, ToolFacts};

const DESCRIPTION: &str = "Read the new output and the state of a background command.";

const MOST_WAIT_MS: u64 = 30_000;

const MOST: usize = 30_000;

/// Bytes of a result that are reserved for the text around the output: the job's state, and notes about omitted output.
const BESIDE: usize = 1_500;

pub(crate) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            output: OutputShown::AtOnce,
            settable: Settable {
                output_bytes: Some(MOST as u64),
                ..Settable::default()
            },
            ..ToolFacts::of("bash_output", EffectClass::Reads)
        },
        aliases: &[
            "bashoutput",
            "bash_status",
            "bg_status",
            "get_output",
            "read_background",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Brief("bash_output {id, wait_ms?}: output of a command with `background: true`"),
        parameters: parameters(),
        arguments: &[
            ("id", &["bash_id", "job", "job_id", "shell_id", "task_id"]),
            ("offset", &["from", "start"]),
            ("wait_ms", &["wait", "timeout_ms", "timeout"]),
        ],
        more: "Read on with the `offset` that is named.",
        serves: None,
        prepare: Box::new(prepare),
    }
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "offset": {"type": "integer", "undeclared": true},
            "wait_ms": {"type": "integer"}
        },
        "required": ["id"]
    })
}

struct Plan {
    job: Handle,
    offset: Option<u64>,
    wait: Duration,
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let job = cx.jobs.find(&args.filled_text("id")?)?;
    let wait = args.number("wait_ms")?.unwrap_or(0).min(MOST_WAIT_MS);
    Ok(Draft {
        title: super::titled(&job),
        subjects: vec![Subject::Tool],
        review: Review::Fields(Vec::new()),
        work: Work::of(
            Plan {
                job,
                offset: args.number("offset")?,
                wait: Duration::from_millis(wait),
            },
            run,
        ),
    })
}

fn run(plan: Plan, it: Run<'_>) -> BoxFuture<'_, Outcome> {
    Box::pin(async move {
        let most = it.cx.limits.result_bytes.saturating_sub(BESIDE).min(MOST);
        let until = Instant::now() + plan.wait;
        loop {
            let pieces = plan.job.pieces();
            // Check this before reading, so that the read of an ended job returns its whole output.
            let runs = plan.job.is_running();
            let found = read(&plan, most);
            if !found.is_nothing() || !runs || Instant::now() >= until {
                plan.job.has_read(found.upto);
                return told(&plan.job, &found);
            }
            let _ = tokio::time::timeout_at(until, plan.job.more_than(pieces)).await;
        }
    })
}

struct Found {
    text: String,
    /// Number of bytes omitted before `text`, and the offset for reading them. The offset is `None` if they were
    /// dropped.
    before: Option<(u64, Option<u64>)>,
    upto: u64,
    bytes: u64,
}

impl Found {
    fn is_nothing(&self) -> bool {
        self.text.is_empty() && self.before.is_none()
    }
}

/// Reads from the requested offset, or else the output since the last call. If there is too much output, reads only its
/// end.
fn read(plan: &Plan, most: usize) -> Found {
    let mut wrote = plan.job.wrote();
    let bytes = wrote.bytes();
    let wanted = plan.offset.unwrap_or_else(|| plan.job.read_upto());
    let is_much = bytes.saturating_sub(wanted) > most as u64;
    let part = if plan.offset.is_none() && is_much {
        wrote.newest(most)
    } else {
        wrote.part(wanted, most)
    };
    let skipped = super::skipped(wanted, &part);
    let is_kept = skipped.is_some() && wrote.part(wanted, 1 << 10).from.saturating_sub(wanted) <= 3;
    Found {
        before: skipped.map(|skipped| (skipped, is_kept.then_some(wanted))),
        text: part.text,
        upto: part.upto,
        bytes,
    }
}

fn told(job: &Handle, found: &Found) -> Outcome {
    let mut output = String::new();
    if let Some((skipped, from)) = found.before {
        let how = match from {
            Some(from) => format!("`offset` {from} reads them"),
            None => "they were not kept".to_owned(),
        };
        output.push_str(&format!(
            "[… {} bytes before this are left out: {how} …]\n",
            grouped(skipped)
        ));
    }
    output.push_str(&found.text);
    if found.text.is_empty() {
        output.push_str("(nothing new)\n");
    } else if !output.ends_with('\n') {
        output.push('\n');
    }
    let upto = found.upto;
    if upto < found.bytes {
        output.push_str(&format!(
            "[this ends at byte {upto} of {}: go on with `offset` {upto}]\n",
            found.bytes
        ));
    }
    let id = job.id();
    let Some(ended) = job.how() else {
        let seconds = job.age().as_secs();
        output.push_str(&format!(
            "[{id} runs since {seconds} seconds; it was read up to byte {upto}]"
        ));
        return Outcome::ok(Summary::Runs { job: id }, output);
    };
    if let Some(file) = &ended.file {
        output.push_str(&format!("[{id} has ended; its output is in `{}`]\n", file.display()));
    }
    output.push_str(&ended.words);
    Outcome::ok(ended.how, output.trim_end())
}
