//! `done`: submits the result with evidence, and reports all errors at once.
//!
//! Each claim must be about lines that were read, searched or changed in this session.

mod check;

use serde_json::{Value, json};

use super::arguments::{Args, Names};
use super::row::{Declares, Draft, Row, Work};
use super::size::shorten;
use super::{Refusal, ToolContext};
use benchdog_domain::adjustment::Settable;
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, Success, ToolFacts};
use check::{Claim, Found};

const DESCRIPTION: &str = "End your work with this: say what you did or found, which files you changed, and for each statement the place that \
    shows it. Only places that you read, searched or changed in this session are accepted. You get a list of errors.";

const MOST_CLAIMS: usize = 500;
const MOST_SUMMARY: usize = 64 * 1024;

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            success: Success::Answered,
            settable: Settable {
                needed: Some("`completion` of an agent or a model says whether it is there"),
                ..Settable::default()
            },
            ..ToolFacts::of("done", EffectClass::Notes)
        },
        aliases: &["task_complete", "attempt_completion", "complete_task", "finish"],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[
            ("summary", &["result", "answer", "text", "message"]),
            ("files_changed", &["files", "changed", "changed_files"]),
            ("evidence", &["claims", "citations", "references"]),
        ],
        more: "",
        serves: None,
        prepare: Box::new(prepare),
    }
}

const OF_EVIDENCE: Names = &[
    ("path", &["file", "file_path"]),
    ("line", &["line_number", "start_line"]),
    ("claim", &["text", "statement", "description"]),
];

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "summary": {"type": "string", "description": "What the user reads: what was done or found."},
            "files_changed": {"type": "array", "items": {"type": "string"}, "description": "Every file you changed; empty if none."},
            "evidence": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "path": {"type": "string"},
                        "line": {"type": "integer", "minimum": 1, "description": "As `read` or `grep` showed it."},
                        "claim": {"type": "string", "description": "What this place shows."}
                    },
                    "required": ["path", "claim"]
                }
            }
        },
        "required": ["summary", "files_changed", "evidence"]
    })
}

struct Handed {
    summary: String,
    changed: Vec<String>,
    claims: Vec<Claim>,
}

fn prepare(args: &Args<'_>, _: &ToolContext) -> Result<Draft, Refusal> {
    let summary = args.filled_text("summary")?.trim().to_owned();
    if summary.len() > MOST_SUMMARY {
        return Err(args.refuse(&format!("a `summary` has at most {MOST_SUMMARY} bytes")));
    }
    let changed = args.list("files_changed")?.unwrap_or_default();
    let changed = changed.iter().map(|path| match path.as_str() {
        Some(path) => Ok(path.trim().to_owned()),
        None => Err(args.refuse("`files_changed` is a list of paths")),
    });
    let evidence = args.list("evidence")?.unwrap_or_default();
    if evidence.len() > MOST_CLAIMS {
        return Err(args.refuse(&format!("give at most {MOST_CLAIMS} pieces of `evidence`")));
    }
    let claims = evidence.iter().map(|one| {
        let one = args.inside("evidence", one, "path", OF_EVIDENCE)?;
        Ok(Claim {
            path: one.filled_text("path")?.trim().to_owned(),
            line: one.number("line")?,
            claim: one.text("claim")?.unwrap_or_default().trim().to_owned(),
        })
    });
    let handed = Handed {
        changed: changed.collect::<Result<_, Refusal>>()?,
        claims: claims.collect::<Result<_, Refusal>>()?,
        summary,
    };
    Ok(Draft {
        title: shorten(handed.summary.lines().next().unwrap_or_default(), 80),
        subjects: vec![Subject::Tool],
        review: Review::Fields(vec![("summary".to_owned(), handed.summary.clone())]),
        work: Work::of(handed, |handed, it| {
            let cx = it.cx.clone();
            Box::pin(async move {
                let judged = tokio::task::spawn_blocking(move || judge(&handed, &cx));
                judged
                    .await
                    .unwrap_or_else(|error| Outcome::error("internal", format!("The check failed: {error}.")))
            })
        }),
    })
}

fn judge(handed: &Handed, cx: &ToolContext) -> Outcome {
    let Found { wrong, unnamed } = check::check(&handed.changed, &handed.claims, cx);
    if !wrong.is_empty() {
        let list: String = wrong.iter().map(|wrong| format!("- {wrong}\n")).collect();
        return Outcome::error(
            "unproven",
            format!(
                "Not accepted, and the turn goes on. {} of your statements could not be confirmed:\n{list}\
                 Read the missing places, correct or remove the wrong statements, and call `done` again.",
                wrong.len()
            ),
        );
    }
    let places = handed.claims.len() as u64;
    let mut output = "Accepted.".to_owned();
    if !unnamed.is_empty() {
        output.push_str(&format!(" Also changed but not named: `{}`.", unnamed.join("`, `")));
    }
    Outcome {
        answer: Some(answer(handed)),
        ..Outcome::ok(Summary::Proven { places }, output)
    }
}

fn answer(handed: &Handed) -> String {
    let mut text = handed.summary.clone();
    for (index, claim) in handed.claims.iter().enumerate() {
        text.push_str(if index == 0 { "\n\n" } else { "\n" });
        let place = match claim.line {
            Some(line) => format!("{}:{line}", claim.path),
            None => claim.path.clone(),
        };
        let said = claim.claim.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&match said.is_empty() {
            true => format!("- `{place}`"),
            false => format!("- {said} (`{place}`)"),
        });
    }
    text
}
