//! Formats reports of language servers, as text for the model and as findings for the user.

use std::fmt::Write;
use std::path::Path;

use super::{MOST_AFTER_EDIT, PATIENCE};
use crate::ToolContext;
use crate::size::{count, shorten, visible};
use benchdog_base::path_name;
use benchdog_base::text::clean;
use benchdog_domain::finding::Finding;
use benchdog_domain::tool::Outcome;
use benchdog_lsp::{LocatedDiagnostic, NoAnswer, Report};

pub(super) fn add(reports: &[Report], outcome: &mut Outcome, cx: &ToolContext) {
    let (mut text, mut findings, mut room) = (String::new(), Vec::new(), MOST_AFTER_EDIT);
    for report in reports {
        add_one(report, &mut room, (&mut text, &mut findings), cx);
    }
    if text.is_empty() {
        return;
    }
    // Use at most half of the result for diagnostics, and leave the rest to the report on the edit.
    outcome
        .output
        .push_str(&shorten(text.trim_end(), cx.limits.result_bytes / 2));
    outcome.output.push('\n');
    if !findings.is_empty() {
        outcome.findings = Some(findings);
    }
}

fn add_one(report: &Report, room: &mut usize, (text, findings): (&mut String, &mut Vec<Finding>), cx: &ToolContext) {
    let Report {
        server,
        new,
        is_unsure,
        earlier,
        no_answer,
    } = report;
    if !new.is_empty() {
        let title = match is_unsure {
            true => "Diagnostics of the edited version",
            false => "New diagnostics after this edit",
        };
        let _ = writeln!(text, "\n{title} ({server}):");
        let shown = new.get(..new.len().min(*room)).unwrap_or_default();
        *room -= shown.len();
        for found in shown {
            let _ = writeln!(text, "{}", line(found, cx));
            findings.push(finding(found, cx));
        }
        let omitted = new.len() - shown.len();
        if omitted > 0 {
            let _ = writeln!(text, "{omitted} more are not shown; `diagnostics` shows them.");
        }
        if *is_unsure {
            text.push_str("It is unknown which of them are new.\n");
        } else if *earlier > 0 {
            let errors = count(*earlier, "error", "errors");
            let _ = writeln!(text, "{errors} not shown: also there before the edit.");
        }
    }
    if let Some(no_answer) = no_answer {
        let _ = writeln!(text, "\n{}", no_answer_text(server, *no_answer, PATIENCE.as_secs()));
    }
}

pub(super) fn no_answer_text(server: &str, no_answer: NoAnswer, seconds: u64) -> String {
    match no_answer {
        NoAnswer::Ended => format!("{server} ended before it answered."),
        NoAnswer::Starting => format!("{server} is still starting; `diagnostics` shows its results later."),
        NoAnswer::Loading => {
            format!("{server} is still loading the project; `diagnostics` shows its results later.")
        }
        NoAnswer::Late => format!("{server} did not answer within {seconds} s; `diagnostics` shows its results later."),
    }
}

pub(super) fn line(found: &LocatedDiagnostic, cx: &ToolContext) -> String {
    let what = &found.diagnostic;
    let (path, severity) = (shown(&found.path, cx), what.severity.word());
    let column = found.column.map(|column| format!("{column}:")).unwrap_or_default();
    format!("{path}:{}:{column} {severity}: {}", what.line, message(found))
}

fn message(found: &LocatedDiagnostic) -> String {
    match &found.diagnostic.code {
        Some(code) => format!("{} [{code}]", found.diagnostic.message),
        None => found.diagnostic.message.clone(),
    }
}

fn finding(found: &LocatedDiagnostic, cx: &ToolContext) -> Finding {
    Finding {
        path: shown(&found.path, cx),
        line: u64::from(found.diagnostic.line),
        severity: found.diagnostic.severity,
        title: cx.redactor.text(&message(found)).into_owned(),
        detail: String::new(),
    }
}

pub(super) fn shown(path: &Path, cx: &ToolContext) -> String {
    let inside = path.strip_prefix(cx.workspace.root()).unwrap_or(path);
    let name = path_name::display(inside).into_owned();
    // The path comes from the server without a check, so it may contain control characters.
    clean(&visible(&name)).into_owned()
}
