//! `write`: creates a file, or replaces a file that was read before.

use serde_json::{Value, json};

use super::arguments::Args;
use super::files::{FilesPlan, MOST_READ, MOST_WRITTEN, PlannedFile, Seen, current_text, seen};
use super::row::{Declares, Draft, Row, Serves};
use super::{Refusal, ToolContext, undo};
use benchdog_diff::{BOM, Encoding};
use benchdog_domain::permission::EDITS;
use benchdog_domain::review::{Forgave, Forgiven};
use benchdog_domain::tool::{EffectClass, TitleKind, ToolFacts};

const DESCRIPTION: &str = "Write a whole file. Read an existing file first.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            group: Some(EDITS.into()),
            title: TitleKind::Path,
            contents: CONTENTS,
            ..ToolFacts::of("write", EffectClass::Writes)
        },
        aliases: &[
            "write_file",
            "create_file",
            "create_new_file",
            "write_to_file",
            "writetofile",
            "file_write",
            "save_file",
            "writefile",
            "create",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: parameters(),
        arguments: &[
            ("path", &["file_path", "filename", "file", "target_file", "file_name"]),
            ("content", CONTENTS),
        ],
        more: "Read the file to see it.",
        serves: Some(Serves::Undo(undo::draft)),
        prepare: Box::new(prepare),
    }
}

const CONTENTS: &[&str] = &["content", "contents", "text", "file_text", "code_edit", "data", "body"];

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "content": {"type": "string"}
        },
        "required": ["path", "content"]
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let path = cx.workspace.resolve(&args.filled_text("path")?)?;
    let content = args.required_text("content")?;
    if content.len() > MOST_WRITTEN {
        return Err(Refusal::new(
            "too_large",
            format!(
                "{} bytes are too many for one file; the limit is {MOST_WRITTEN}.",
                content.len()
            ),
        ));
    }
    let Some(now) = current_text(&path, MOST_READ)? else {
        let file = PlannedFile::content(path, None, content.into_bytes().into(), Vec::new());
        return FilesPlan { changes: vec![file] }.draft();
    };
    let shown = path.shown();
    match seen(&path, &now.bytes, cx) {
        Seen::AsItIs => {}
        Seen::Never => {
            return Err(Refusal::new(
                "not_read",
                format!(
                    "`{shown}` exists and was not read in this session. Nothing was changed. Read it first, or change \
                     part of it with `edit`."
                ),
            ));
        }
        Seen::Otherwise | Seen::SavedMeanwhile => {
            return Err(Refusal::new(
                "not_read",
                format!(
                    "`{shown}` changed on disk since it was read in this session. Nothing was changed. Read it again \
                     before you write it."
                ),
            ));
        }
    }
    let (after, forgave) = conform(&now.text, &content).map_err(|reason| {
        Refusal::new(
            "encoding",
            format!("`{shown}` {reason} Nothing was changed; use `edit` or a command."),
        )
    })?;
    let file = PlannedFile::content(path, Some(now.text), after.into(), forgave).in_encoding(now.encoding)?;
    let file = file.over_unsaved(now.on_disk)?;
    FilesPlan { changes: vec![file] }.draft()
}

/// Gives new text the file's line endings and byte order mark.
fn conform(before: &[u8], content: &str) -> Result<(Vec<u8>, Vec<Forgave>), &'static str> {
    let mut forgiven = Vec::new();
    let mut forgave = |what| forgiven.push(Forgave { what, part: None });
    let mut bytes = content.as_bytes().to_vec();
    match Encoding::of(before) {
        Encoding::Utf8 => {}
        Encoding::Utf8Bom => {
            if !bytes.starts_with(BOM) {
                bytes.splice(0..0, BOM.iter().copied());
                forgave(Forgiven::KeptMark);
            }
        }
        Encoding::Utf16 => return Err("is UTF-16; writing it would turn it into UTF-8."),
        Encoding::Other if content.contains('\u{fffd}') => {
            return Err("is not UTF-8, and the new content has U+FFFD where its bytes could not be shown.");
        }
        Encoding::Other => forgave(Forgiven::NotUtf8),
        Encoding::Binary => forgave(Forgiven::Binary),
    }
    let ends = before.iter().filter(|byte| **byte == b'\n').count();
    let pairs = before.windows(2).filter(|pair| pair == b"\r\n").count();
    if ends > 0 && ends == pairs && !content.contains('\r') && content.contains('\n') {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        bytes = lines
            .flat_map(|line| match line.strip_suffix(b"\n") {
                Some(body) => [body, b"\r\n"],
                None => [line, b""],
            })
            .collect::<Vec<_>>()
            .concat();
        forgave(Forgiven::KeptCrlf);
    }
    Ok((bytes, forgiven))
}

#[cfg(test)]
mod tests;
