//! Shows a notebook by cells: numbered source lines, and the text of the outputs.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ReadPlan, numbered};
use crate::notebook::{Cell, Notebook, Text};
use crate::notebook_edit::USAGE;
use crate::size::{count, floor, shorten, visible};
use benchdog_base::disk::bytes_text;
use benchdog_base::text::{clean, grouped};
use benchdog_domain::places::Place;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::Outcome;

/// Maximum lines to show of one output. `MOST_OUTPUT` is the maximum bytes.
const MOST_OUTPUT_LINES: usize = 40;
const MOST_OUTPUT: usize = 4 * 1024;

/// Shows the cells of a notebook. The error is the reason for showing the file as plain text instead.
pub(super) fn shown(path: &str, text: &str, plan: &ReadPlan, room: usize) -> Result<Outcome, String> {
    let notebook = Notebook::of(text)?;
    let total = notebook.cells.len();
    if plan.first > 0 && plan.first >= total {
        return Ok(Outcome::error(
            "past_the_end",
            format!(
                "`{path}` has {}; cell {} is past its end.",
                count(total, "cell", "cells"),
                plan.first
            ),
        ));
    }
    let (major, minor) = notebook.format;
    let language = notebook
        .language
        .as_deref()
        .map(|name| format!(", {}", shorten(&visible(name), 40)));
    let mut out = format!(
        "[notebook of {}, nbformat {major}.{minor}{}; {USAGE}]\n",
        count(total, "cell", "cells"),
        language.unwrap_or_default()
    );
    let (mut next, mut is_cut) = (plan.first, false);
    for (at, cell) in notebook.cells.iter().enumerate().skip(plan.first).take(plan.limit) {
        let mut block = cell_text(at, cell);
        if out.len() + block.len() > room {
            if next > plan.first {
                break;
            }
            is_cut = true;
            let whole = block.len();
            block.truncate(floor(&block, room.saturating_sub(out.len())));
            let rest = bytes_text(whole - block.len());
            block.push_str(&format!("… [{rest} more in this cell; find them with `grep`]\n"));
        }
        out.push_str(&block);
        next = at + 1;
    }
    let truncated = next < total;
    if truncated {
        let shown = next - plan.first;
        // Offsets of cells are one-based, like offsets of lines.
        out.push_str(&format!(
            "[{} of {} shown; go on with offset {}]\n",
            grouped(shown as u64),
            count(total, "cell", "cells"),
            next + 1
        ));
    }
    Ok(Outcome {
        truncated: truncated || is_cut,
        places: vec![Place {
            path: path.to_owned(),
            lines: Vec::new(),
        }],
        ..Outcome::ok(
            Summary::Entries {
                entries: (next - plan.first) as u64,
            },
            out,
        )
    })
}

fn cell_text(at: usize, cell: &Cell<'_>) -> String {
    let id = cell
        .id
        .as_deref()
        .map(|id| format!(", id {}", shorten(&visible(id), 64)));
    let ran = cell.count.map(|count| format!(", ran as {count}"));
    let mut out = format!(
        "[cell {at}, {}{}{}]\n",
        cell.kind.name(),
        id.unwrap_or_default(),
        ran.unwrap_or_default()
    );
    out.extend(cell.source.lines().enumerate().map(|(at, line)| numbered(at + 1, line)));
    for output in &cell.outputs {
        out.push_str(&output_text(output.get()));
    }
    out
}

#[derive(Deserialize)]
struct Output {
    output_type: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    text: Option<Text>,
    #[serde(default)]
    data: Map<String, Value>,
    #[serde(default)]
    ename: Option<String>,
    #[serde(default)]
    evalue: Option<String>,
    #[serde(default)]
    traceback: Vec<String>,
}

fn output_text(json: &str) -> String {
    let Ok(output) = serde_json::from_str::<Output>(json) else {
        return format!("[output of an unknown form, {}]\n", bytes_text(json.len()));
    };
    match output.output_type.as_str() {
        "stream" => {
            let name = output.name.unwrap_or_default();
            let text = output.text.map(Text::joined).unwrap_or_default();
            lines(&format!("[output, {}]", shorten(&visible(&name), 40)), &text)
        }
        "error" => {
            let (name, value) = (output.ename.unwrap_or_default(), output.evalue.unwrap_or_default());
            let text = if output.traceback.is_empty() {
                format!("{name}: {value}")
            } else {
                output.traceback.join("\n")
            };
            lines("[output, error]", &text)
        }
        _ => output
            .data
            .into_iter()
            .map(|(media, value)| part(&media, value))
            .collect(),
    }
}

/// Shows the text of an output, or else only its type and size.
fn part(media: &str, value: Value) -> String {
    let head = format!("[output, {}]", shorten(&visible(media), 60));
    let text = match serde_json::from_value::<Text>(value.clone()) {
        Ok(text) => text.joined(),
        Err(_) => value.to_string(),
    };
    if media == "text/plain" || media == "text/markdown" || media == "text/latex" {
        return lines(&head, &text);
    }
    // Images are base64, except SVG.
    let bytes = if media.starts_with("image/") && !media.contains("svg") {
        text.trim_end().len() / 4 * 3
    } else {
        text.len()
    };
    format!(
        "[output, {}, {}; not shown]\n",
        shorten(&visible(media), 60),
        bytes_text(bytes)
    )
}

/// Prefixes each line of an output, so that it cannot look like the first line of a cell.
fn lines(head: &str, text: &str) -> String {
    let text = clean(text);
    let total = text.lines().count();
    let mut out = format!("{head}\n");
    let mut shown = 0;
    for line in text.lines().take(MOST_OUTPUT_LINES) {
        if out.len() > MOST_OUTPUT {
            break;
        }
        out.push_str(&format!(">\t{}\n", shorten(line, 400)));
        shown += 1;
    }
    if shown < total {
        out.push_str(&format!("… [{} more]\n", count(total - shown, "line", "lines")));
    }
    out
}
