//! `bash_kill`: stops a background job and all its processes.

use futures::future::BoxFuture;
use serde_json::json;

use super::{Handle, Teller};
use crate::arguments::Args;
use crate::row::{Declares, Draft, Row, Run, Work};
use crate::{Refusal, ToolContext};
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "End a background command.";

const LAST_LINES: usize = 2_000;

pub(crate) fn row() -> Row {
    Row {
        facts: ToolFacts {
            // A call can stop only jobs of its own session, so it needs no approval.
            defaults: vec![("*".into(), Action::Allow)],
            ..ToolFacts::of("bash_kill", EffectClass::Notes)
        },
        aliases: &[
            "kill_bash",
            "killbash",
            "kill_shell",
            "killshell",
            "bash_stop",
            "stop_bash",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Brief("bash_kill {id}: end it"),
        parameters: json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}),
        arguments: &[("id", &["bash_id", "job", "job_id", "shell_id", "task_id"])],
        more: "",
        serves: None,
        prepare: Box::new(prepare),
    }
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let job = cx.jobs.find(&args.filled_text("id")?)?;
    Ok(Draft {
        title: super::titled(&job),
        subjects: vec![Subject::Tool],
        review: Review::Fields(Vec::new()),
        work: Work::of(job, run),
    })
}

fn run(job: Handle, _: Run<'_>) -> BoxFuture<'_, Outcome> {
    Box::pin(async move {
        job.stop_for(Teller::Ends);
        job.ended().await;
        let last = job.newest(LAST_LINES);
        job.has_read(last.upto);
        let Some(ended) = job.how() else {
            return Outcome::error("internal", "Its end is not known.");
        };
        let mut output = last.text;
        if !output.is_empty() && !output.ends_with('\n') {
            output.push('\n');
        }
        output.push_str(&ended.words);
        Outcome::ok(ended.how, output.trim_end())
    })
}
