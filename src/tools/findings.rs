//! `findings`: reports the findings of a review. Only available in review sessions.

use serde_json::{Value, json};

use super::arguments::{Args, Names};
use super::row::{Declares, Draft, Row, Work};
use super::{Refusal, ToolContext};
use benchdog_base::text::one_line;
use benchdog_domain::finding::{FINDINGS, Finding, Reviewed, Severity, line_count};
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "Hand over what the review found, all of it in one call; an empty list where nothing is wrong. `path` is a file of \
    the workspace, `line` counts from 1 in the new version of the file (in the old one of a file that was removed), `severity` is \
    `error` (must be mended), `warning` (should be) or `note`, `title` is one sentence, `detail` says why and what to do.";

const MOST: usize = 200;
const MOST_BYTES: u64 = 4 << 20;

const FIELDS: Names = &[
    ("path", &["file", "filename", "file_path", "filepath"]),
    ("line", &["line_number", "lineno", "start_line", "start", "at"]),
    ("severity", &["level", "priority", "kind", "type"]),
    ("title", &["summary", "message", "text", "issue", "name"]),
    (
        "detail",
        &["details", "description", "body", "explanation", "why", "suggestion"],
    ),
];

pub fn row(reviewed: Reviewed) -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            ..ToolFacts::of(FINDINGS, EffectClass::Notes)
        },
        aliases: &["report_findings", "submit_findings", "review_done", "report"],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[("findings", &["items", "issues", "comments", "results"])],
        more: "",
        serves: None,
        prepare: Box::new(move |args: &Args<'_>, cx: &ToolContext| prepare(args, cx, &reviewed)),
    }
}

fn parameters() -> Value {
    let severity: Vec<&str> = Severity::ALL.iter().map(|severity| severity.word()).collect();
    json!({
        "type": "object",
        "properties": {
            "findings": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "path": {"type": "string"},
                        "line": {"type": "integer"},
                        "severity": {"type": "string", "enum": severity},
                        "title": {"type": "string"},
                        "detail": {"type": "string"}
                    },
                    "required": ["path", "line", "severity", "title"]
                }
            }
        },
        "required": ["findings"]
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext, reviewed: &Reviewed) -> Result<Draft, Refusal> {
    let Some(items) = args.list("findings")? else {
        return Err(args.refuse("`findings` is missing; give an empty list if there are no problems"));
    };
    if items.len() > MOST {
        let all = items.len();
        return Err(args.refuse(&format!(
            "{all} findings are too many; keep the {MOST} most important ones"
        )));
    }
    let mut found = Vec::new();
    let mut wrong = Vec::new();
    for (n, item) in items.iter().enumerate() {
        match finding(args, item, cx, reviewed) {
            Ok(finding) => found.push(finding),
            Err(why) => wrong.push(format!("finding {}: {why}", n + 1)),
        }
    }
    if !wrong.is_empty() {
        let wrong = wrong.join("\n");
        return Err(args.refuse(&format!(
            "Nothing was accepted. Fix these and send the whole list again:\n{wrong}"
        )));
    }
    let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    Ok(Draft {
        title: super::size::count(found.len(), "finding", "findings"),
        subjects: vec![Subject::Tool],
        review: Review::Fields(vec![("findings".to_owned(), lines.join("\n"))]),
        work: Work::of(found, |found, _| Box::pin(async move { run(found) })),
    })
}

fn run(found: Vec<Finding>) -> Outcome {
    let findings = found.len() as u64;
    let taken = super::size::count(found.len(), "finding was", "findings were");
    Outcome {
        findings: Some(found),
        ..Outcome::ok(
            Summary::Findings { findings },
            format!("{taken} accepted. End your turn with one sentence as a summary."),
        )
    }
}

fn finding(args: &Args<'_>, item: &Value, cx: &ToolContext, reviewed: &Reviewed) -> Result<Finding, String> {
    let words = |refusal: Refusal| refusal.outcome.output.lines().next().unwrap_or_default().to_owned();
    let one = args.inside("findings", item, "title", FIELDS).map_err(words)?;
    let text = |name: &str| -> Result<String, String> {
        let text = one.text(name).map_err(words)?.unwrap_or_default();
        Ok(text.trim().to_owned())
    };
    let (written, title) = (text("path")?, one_line(&text("title")?));
    if title.is_empty() {
        return Err("it has no `title`".to_owned());
    }
    let word = text("severity")?;
    let severity =
        Severity::of(&word).ok_or_else(|| format!("`{word}` is not a severity; use `error`, `warning` or `note`"))?;
    // Accept `src/a.rs:12` as path and line too.
    let (path, at) = match written.rsplit_once(':') {
        Some((path, line)) if line.parse::<u64>().is_ok() => (path, line.parse().ok()),
        _ => (written.as_str(), None),
    };
    let line = one.number("line").map_err(words)?.or(at).unwrap_or_default();
    let (path, lines) = place(path, cx, reviewed)?;
    if line == 0 {
        return Err(format!("it names no `line` of `{path}`; lines count from 1"));
    }
    if let Some(lines) = lines.filter(|lines| line > (*lines).max(1)) {
        return Err(format!("`{path}` has {lines} lines, so there is no line {line}"));
    }
    Ok(Finding {
        path,
        line,
        severity,
        title,
        detail: text("detail")?,
    })
}

/// Returns the path of a reviewed or existing file, and its number of lines.
fn place(written: &str, cx: &ToolContext, reviewed: &Reviewed) -> Result<(String, Option<u64>), String> {
    let written = written.trim_start_matches("./");
    if written.is_empty() {
        return Err("it has no `path`".to_owned());
    }
    for name in [
        written,
        written.trim_start_matches("a/"),
        written.trim_start_matches("b/"),
    ] {
        if let Some(lines) = reviewed.lines(name) {
            return Ok((name.to_owned(), lines));
        }
    }
    let found = cx.workspace.resolve(written).map_err(|error| error.to_string())?;
    let shown = found.shown().to_owned();
    if let Some(lines) = reviewed.lines(&shown) {
        return Ok((shown, lines));
    }
    let bytes = found.read(MOST_BYTES).map_err(|error| error.to_string())?;
    Ok((shown, Some(line_count(&bytes))))
}

#[cfg(test)]
mod tests;
