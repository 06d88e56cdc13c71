//! The report as one HTML page. The page has no scripts and loads nothing. Every text is escaped.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::report::{columns, rows};
use super::results::{Contender, Record, Status};
use benchdog_base::text::clean;
use benchdog_lang::{Word, current_language, message, word};

const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1b1f24;background:#fff}\
table{border-collapse:collapse;margin:1rem 0 2rem}th,td{border-bottom:1px solid #d0d7de;padding:.3rem .7rem;text-align:right}\
td{white-space:nowrap}th:first-child,td:first-child{text-align:left;white-space:normal;font-family:ui-monospace,monospace}\
.solved{background:#dafbe1}.unsolved{background:#ffebe9}.failed,.skipped{background:#f6f8fa}\
pre{white-space:pre-wrap;background:#f6f8fa;padding:.7rem;text-align:left}\
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}.solved{background:#12361f}.unsolved{background:#4a1c1c}\
.failed,.skipped,pre{background:#161b22}th,td{border-color:#30363d}}";

/// Formats all records: the table of contenders, the table of tasks, and the output of checks that failed.
pub fn page(records: &[Record]) -> String {
    let (title, language) = (word(Word::BenchTitle), current_language().name());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    contenders(records, &mut out);
    tasks(records, &mut out);
    outputs(records, &mut out);
    out.push_str("</body></html>\n");
    out
}

fn contenders(records: &[Record], out: &mut String) {
    let head: String = columns().iter().map(|column| format!("<th>{column}</th>")).collect();
    let _ = writeln!(out, "<table><tr><th>{}</th>{head}</tr>", word(Word::BenchContender));
    let rows = rows(records);
    for row in &rows {
        let cells: String = row.cells().iter().map(|cell| format!("<td>{cell}</td>")).collect();
        let _ = writeln!(out, "<tr><td>{}</td>{cells}</tr>", escape(&row.name));
    }
    out.push_str("</table>\n");
    for notice in rows.iter().filter_map(|row| row.tools_notice.as_ref()) {
        let _ = writeln!(out, "<p>{}</p>", escape(notice));
    }
}

type Cells<'r> = BTreeMap<&'r Contender, Vec<&'r Record>>;

fn tasks(records: &[Record], out: &mut String) {
    let mut by_task: BTreeMap<&str, Cells<'_>> = BTreeMap::new();
    for record in records {
        let cells = by_task.entry(&record.run.task).or_default();
        cells.entry(&record.run.contender).or_default().push(record);
    }
    let mut names: Vec<&Contender> = records.iter().map(|record| &record.run.contender).collect();
    names.sort();
    names.dedup();
    let head: String = names
        .iter()
        .map(|name| format!("<th>{}</th>", escape(name.name())))
        .collect();
    let _ = writeln!(out, "<table><tr><th>{}</th>{head}</tr>", word(Word::BenchTask));
    for (task, cells) in by_task {
        let cell = |name: &&Contender| {
            cells
                .get(*name)
                .map_or_else(|| "<td>–</td>".to_owned(), |runs| cell(runs))
        };
        let cells: String = names.iter().map(cell).collect();
        let _ = writeln!(out, "<tr><td>{}</td>{cells}</tr>", escape(task));
    }
    out.push_str("</table>\n");
}

/// Formats the runs of one task by one contender. The colour shows the status of the best run, and so does the text.
fn cell(runs: &[&Record]) -> String {
    let order = [Status::Solved, Status::Unsolved, Status::Failed, Status::Skipped];
    let best = order
        .into_iter()
        .find(|status| runs.iter().any(|run| run.status == *status));
    let status = best.unwrap_or(Status::Skipped);
    let class = match status {
        Status::Solved => "solved",
        Status::Unsolved => "unsolved",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
    };
    let solved = runs.iter().filter(|run| run.status == Status::Solved).count();
    let followed = runs.iter().any(|run| run.injection_followed == Some(true));
    let followed = if followed {
        format!("<br>{}", word(Word::BenchFollowed))
    } else {
        String::new()
    };
    format!(
        "<td class=\"{class}\">{} {solved}/{}{followed}</td>",
        status_word(status),
        runs.len()
    )
}

/// Formats the end of a run: its status, and the outcome of the turn unless the agent ended by itself.
pub fn status_text(record: &Record) -> String {
    let status = status_word(record.status);
    let outcome = record.turn.as_ref().map_or("", |turn| turn.outcome.as_str());
    match outcome {
        "" | "done" | "end_turn" => status.to_owned(),
        other => format!("{status} ({other})"),
    }
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Solved => word(Word::BenchSolved),
        Status::Unsolved => word(Word::BenchUnsolved),
        Status::Failed => word(Word::BenchFailed),
        Status::Skipped => word(Word::BenchSkipped),
    }
}

fn outputs(records: &[Record], out: &mut String) {
    for record in records.iter().filter(|record| record.status != Status::Solved) {
        let text = record
            .reason
            .as_deref()
            .or(record.check.as_ref().map(|check| check.output.as_str()));
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        let (attempt, name) = (record.run.attempt.to_string(), record.run.contender.name());
        let run = message::bench_run(&attempt, name, &status_text(record), &record.run.task);
        let _ = writeln!(
            out,
            "<details><summary>{}</summary><pre>{}</pre></details>",
            escape(&run),
            escape(text)
        );
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in clean(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests;
