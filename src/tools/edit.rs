//! `edit`: exact replacements in a file, all or none.
//!
//! The old text in the call proves that the model knows the file, so the edit needs no earlier `read`. A file that
//! changed since it was read is a conflict. Errors quote the actual content.

mod blocks;
mod graft;
mod matching;
mod request;
mod teach;
mod view;

use serde_json::{Value, json};

use super::arguments::Args;
use super::files::{FilesPlan, MOST_READ, MOST_WRITTEN, PlannedFile, Seen, current_text, saved_meanwhile, seen, stale};
use super::row::{Declares, Draft, Row};
use super::{Refusal, ToolContext};
use benchdog_diff::Encoding;
use benchdog_domain::permission::Action;
use benchdog_domain::review::{Forgave, Piece};
use benchdog_domain::tool::{EffectClass, TitleKind, ToolFacts};

const DESCRIPTION: &str =
    "Replace exact text in one file. `old` must occur once, unless `all` is true. All edits apply, or none.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Ask)],
            title: TitleKind::Path,
            contents: request::NEW,
            ..ToolFacts::of("edit", EffectClass::Writes)
        },
        aliases: &[
            "edit_file",
            "str_replace",
            "replace",
            "search_replace",
            "str_replace_editor",
            "file_edit",
            "multiedit",
            "multi_edit",
            "replace_in_file",
            "str_replace_based_edit_tool",
            "strreplace",
            "edit_existing_file",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[
            ("path", &["file_path", "filename", "file", "target_file", "file_name"]),
            ("edits", &["changes", "replacements"]),
            ("old", request::OLD),
            ("new", request::NEW),
            ("all", request::ALL),
            (
                "blocks",
                &["blocks", "content", "diff", "search_replace_blocks", "block"],
            ),
        ],
        more: "Read the file to see it.",
        serves: None,
        prepare: Box::new(prepare),
    }
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "old": {"type": "string"},
                        "new": {"type": "string"},
                        "all": {"type": "boolean"}
                    },
                    "required": ["old", "new"]
                }
            }
        },
        "required": ["path", "edits"]
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    old: String,
    new: String,
    all: bool,
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let path = cx.workspace.resolve(&args.filled_text("path")?)?;
    let edits = request::edits(args)?;
    let shown = path.shown().to_owned();
    let now = current_text(&path, MOST_READ)?;
    let fresh = |edit: &Edit| edit.old.is_empty();
    let Some(now) = now.filter(|now| !now.bytes.is_empty() || !edits.iter().all(fresh)) else {
        return create(path, &edits);
    };
    let before = now.text;
    match Encoding::of(&before) {
        Encoding::Binary => {
            return Err(Refusal::new(
                "binary",
                format!("`{shown}` is binary; text cannot be replaced in it."),
            ));
        }
        Encoding::Utf16 => {
            return Err(Refusal::new(
                "encoding",
                format!("`{shown}` is UTF-16, which `edit` does not write. Convert it with a command, or leave it."),
            ));
        }
        Encoding::Utf8 | Encoding::Utf8Bom | Encoding::Other => {}
    }
    if seen(&path, &now.bytes, cx) == Seen::Otherwise {
        return Err(stale(&path));
    }
    let (after, mut forgave) = apply(&before, &edits, &shown)?;
    forgave.splice(0..0, saved_meanwhile(&path, &now.bytes, cx));
    if after.len() > MOST_WRITTEN.max(before.len()) {
        return Err(Refusal::new(
            "too_large",
            format!("`{shown}` would be larger than {MOST_WRITTEN} bytes."),
        ));
    }
    let file = PlannedFile::content(path, Some(before), after.into(), forgave).in_encoding(now.encoding)?;
    let file = file.over_unsaved(now.on_disk)?;
    FilesPlan { changes: vec![file] }.draft()
}

fn create(path: benchdog_security::workspace::WorkPath, edits: &[Edit]) -> Result<Draft, Refusal> {
    let [Edit { old, new, .. }] = edits else {
        let what = if edits.iter().all(|edit| edit.old.is_empty()) {
            "one edit"
        } else {
            "an edit with empty `old`"
        };
        return Err(Refusal::new(
            "not_found",
            format!(
                "`{}` does not exist. To make it, give {what}, or use `write`.",
                path.shown()
            ),
        ));
    };
    if !old.is_empty() {
        return Err(Refusal::new(
            "not_found",
            format!("`{}` does not exist, so nothing in it can be replaced.", path.shown()),
        ));
    }
    let before = path.stat()?.map(|_| Vec::new().into());
    let file = PlannedFile::content(path, before, new.as_bytes().into(), Vec::new());
    FilesPlan { changes: vec![file] }.draft()
}

fn apply(before: &[u8], edits: &[Edit], shown: &str) -> Result<(Vec<u8>, Vec<Forgave>), Refusal> {
    let mut now = before.to_vec();
    let mut forgave = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        let name = if edits.len() == 1 {
            String::new()
        } else {
            format!("edit {} of {}: ", index + 1, edits.len())
        };
        let done =
            matching::replace(&now, edit).map_err(|miss| teach::refusal(&miss, &now, edit, shown, &name, index > 0))?;
        let part = (edits.len() > 1).then_some(Piece::Edit(index + 1, edits.len()));
        forgave.extend(done.forgiven.map(|what| Forgave { what, part }));
        now = done.bytes;
    }
    Ok((now, forgave))
}

#[cfg(test)]
mod tests;
