//! `notebook_edit`: replaces, inserts or deletes one cell of a Jupyter notebook. All other bytes stay the same.
//!
//! Requests to the model do not declare this tool, so that sessions without notebooks save tokens. The result of
//! reading a notebook explains the tool.

use std::sync::Arc;

use serde_json::{Value, json};

use super::arguments::Args;
use super::files::{FilesPlan, MOST_READ, MOST_WRITTEN, PlannedFile, Seen, saved_text, seen, stale};
use super::notebook::{Action, Cell, CellEdit, Kind, Notebook};
use super::row::{Declares, Draft, Row};
use super::size::count;
use super::{Refusal, ToolContext};
use benchdog_domain::permission::EDITS;
use benchdog_domain::tool::{EffectClass, TitleKind, ToolFacts};

const DESCRIPTION: &str =
    "Replace, insert or delete one cell of a Jupyter notebook. A replaced code cell loses its outputs.";

/// Instructions for the model, shown after the cells of a notebook.
pub(super) const USAGE: &str = "change it with the tool `notebook_edit` {path, cell: number or id, source, mode: replace | insert | \
                                delete, cell_type: code | markdown | raw}; `insert` adds after `cell`, or first without one";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            group: Some(EDITS.into()),
            title: TitleKind::Path,
            contents: SOURCE,
            ..ToolFacts::of("notebook_edit", EffectClass::Writes)
        },
        aliases: &[
            "notebookedit",
            "edit_notebook",
            "edit_notebook_cell",
            "notebook_edit_cell",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Nothing,
        parameters: parameters(),
        arguments: &[
            (
                "path",
                &[
                    "notebook_path",
                    "file_path",
                    "notebook",
                    "filename",
                    "file",
                    "target_notebook",
                ],
            ),
            (
                "cell",
                &["cell_id", "cell_number", "cell_index", "cell_idx", "index", "id"],
            ),
            ("source", SOURCE),
            ("mode", &["edit_mode", "edit_type", "action", "operation"]),
            ("cell_type", &["type", "cell_language", "kind"]),
        ],
        more: "Read the notebook to see it.",
        serves: None,
        prepare: Box::new(prepare),
    }
}

const SOURCE: &[&str] = &["source", "new_source", "content", "new_string", "text", "code"];

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "cell": {"type": "string", "description": "Number from 0, or id. `insert` adds after it, or first without one."},
            "source": {"type": "string"},
            "mode": {"type": "string", "enum": ["replace", "insert", "delete"]},
            "cell_type": {"type": "string", "enum": ["code", "markdown", "raw"]}
        },
        "required": ["path"]
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let path = cx.workspace.resolve(&args.filled_text("path")?)?;
    let action = action(args)?;
    let kind = kind(args)?;
    let source = match action {
        Action::Delete => String::new(),
        Action::Replace | Action::Insert => args.required_text("source")?,
    };
    let shown = path.shown().to_owned();
    let Some(now) = saved_text(&path, MOST_READ)? else {
        let why = format!("There is no file `{shown}`. Create a notebook with `write`.");
        return Err(Refusal::new("not_found", why));
    };
    let text = now.encoding.is_none().then(|| str::from_utf8(&now.text).ok()).flatten();
    let notebook = text.ok_or_else(|| "it is not UTF-8".to_owned()).and_then(Notebook::of);
    let notebook = notebook.map_err(|why| {
        let why = format!("`{shown}` is not a notebook that can be changed by cells: {why}. Nothing was changed.");
        Refusal::new("not_a_notebook", why)
    })?;
    match seen(&path, &now.bytes, cx) {
        Seen::AsItIs => {}
        Seen::Never => {
            let why = format!(
                "`{shown}` was not read, or cells were inserted or deleted since. Nothing was changed. Read it first."
            );
            return Err(Refusal::new("not_read", why));
        }
        // The number may now mean another cell than when the model read the file.
        Seen::Otherwise | Seen::SavedMeanwhile => return Err(stale(&path)),
    }
    let at = place(args, &notebook, action, &shown)?;
    let changes_kind = |cell: &Cell<'_>| kind.is_some_and(|kind| kind != cell.kind);
    if action == Action::Replace
        && notebook
            .cells
            .get(at)
            .is_some_and(|cell| changes_kind(cell) && cell.has_attachments())
    {
        let why = format!(
            "Cell {at} of `{shown}` has attached images, so its `cell_type` cannot change. Nothing was changed."
        );
        return Err(Refusal::new("attachments", why));
    }
    let edit = CellEdit::of(&notebook, action, at, kind, &source);
    let after = edit.file(&edit.after);
    if after.len() > MOST_WRITTEN.max(now.bytes.len()) {
        let why = format!("`{shown}` would be larger than {MOST_WRITTEN} bytes.");
        return Err(Refusal::new("too_large", why));
    }
    if after == now.bytes {
        let why = format!("Cell {at} of `{shown}` has exactly this source already. Nothing was changed.");
        return Err(Refusal::new("no_change", why));
    }
    let file = PlannedFile::cell(path, Arc::new(edit));
    FilesPlan { changes: vec![file] }.draft()
}

fn action(args: &Args<'_>) -> Result<Action, Refusal> {
    match args.text("mode")?.as_deref().map(str::trim) {
        None | Some("" | "replace" | "modify" | "update") => Ok(Action::Replace),
        Some("insert" | "add") => Ok(Action::Insert),
        Some("delete" | "remove") => Ok(Action::Delete),
        Some(other) => Err(args.refuse(&format!("`mode` must be replace, insert or delete, not `{other}`"))),
    }
}

fn kind(args: &Args<'_>) -> Result<Option<Kind>, Refusal> {
    match args.text("cell_type")?.as_deref().map(str::trim) {
        None | Some("") => Ok(None),
        Some(name) => match Kind::named(name) {
            Some(kind) => Ok(Some(kind)),
            None => Err(args.refuse(&format!("`cell_type` must be code, markdown or raw, not `{name}`"))),
        },
    }
}

fn place(args: &Args<'_>, notebook: &Notebook<'_>, action: Action, shown: &str) -> Result<usize, Refusal> {
    let Some(name) = args.text("cell")?.filter(|name| !name.trim().is_empty()) else {
        return match action {
            Action::Insert => Ok(0),
            Action::Replace | Action::Delete => Err(args.refuse("`notebook_edit` needs the argument `cell`")),
        };
    };
    let Some(at) = notebook.find(name.trim()) else {
        let many = count(notebook.cells.len(), "cell", "cells");
        let why = format!("`{shown}` has {many}, with numbers from 0, and no cell `{name}`. Nothing was changed.");
        return Err(Refusal::new("not_found", why));
    };
    Ok(match action {
        Action::Insert => at + 1,
        Action::Replace | Action::Delete => at,
    })
}

#[cfg(test)]
mod tests;
