//! `patch`: applies a diff to several files. The whole diff is checked before the changes are proposed.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::arguments::Args;
use super::files::{FilesPlan, MOST_READ, MOST_WRITTEN, PlannedFile, Seen, saved_meanwhile, saved_text, seen, stale};
use super::row::{Declares, Draft, Row, Serves, Work};
use super::{Refusal, ToolContext};
use benchdog_diff::patch::{Applied, Conflict, Eased, FileEdit, Files, PatchError, Source, apply_fitting, apply_text};
use benchdog_domain::permission::EDITS;
use benchdog_domain::review::{FileNote, FileOperation, Forgave, Forgiven, Piece};
use benchdog_domain::tool::{EffectClass, TitleKind, ToolFacts};
use benchdog_security::workspace::WorkPath;

const DESCRIPTION: &str = "Apply a unified diff to several files.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            group: Some(EDITS.into()),
            title: TitleKind::Path,
            ..ToolFacts::of("patch", EffectClass::Writes)
        },
        aliases: &["apply_patch", "apply_diff", "patch_file", "applypatch"],
        description: DESCRIPTION.into(),
        declares: Declares::Brief("patch {patch}: apply a unified diff"),
        parameters: parameters(),
        arguments: &[(
            "patch",
            &["diff", "patch_text", "input", "content", "text", "unified_diff"],
        )],
        more: "Read the files to see them.",
        serves: Some(Serves::Patches(merge)),
        prepare: Box::new(prepare),
    }
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {
            "patch": {"type": "string"}
        },
        "required": ["patch"]
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let text = args.required_text("patch")?;
    let mut files = Disk { cx, stale: None };
    let applied = apply_text(&text, &mut files).map_err(|error| files.refused(&error))?;
    FilesPlan {
        changes: changes(applied, cx)?,
    }
    .draft()
}

/// Proposes the changes of another branch that apply to the workspace, and reports the conflicts.
fn merge(patch: &str, cx: &ToolContext) -> Result<Draft, Refusal> {
    let mut files = Disk { cx, stale: None };
    let (applied, conflicts) = apply_fitting(patch, &mut files).map_err(|error| files.refused(&error))?;
    let told: String = conflicts.iter().map(ToString::to_string).collect();
    if applied.files.is_empty() {
        let (code, told) = match told.as_str() {
            "" => ("no_change", "All of it is here already.\n"),
            told => ("both_changed", told),
        };
        return Err(Refusal::new(code, format!("Nothing was changed.\n{told}")));
    }
    let mut changes = changes(applied, cx)?;
    for change in &mut changes {
        left_out(change, &conflicts);
    }
    let draft = FilesPlan { changes }.draft()?;
    Ok(Draft {
        work: Work::of((draft.work, told), |(work, told), it| {
            Box::pin(async move {
                let mut outcome = work.start(it).await;
                outcome.output.push_str(&told);
                outcome
            })
        }),
        ..draft
    })
}

fn left_out(change: &mut PlannedFile, conflicts: &[Conflict]) {
    let lines: Vec<usize> = conflicts
        .iter()
        .filter(|conflict| conflict.path == change.path.shown())
        .map(|conflict| conflict.line)
        .collect();
    if !lines.is_empty() {
        let forgave = match change.note.take() {
            Some(FileNote::Forgave(forgave)) => forgave,
            Some(
                FileNote::Words(_)
                | FileNote::LeftOut { .. }
                | FileNote::ChangedSince { .. }
                | FileNote::Overlaps { .. }
                | FileNote::Cell { .. }
                | FileNote::ModeNotKept,
            )
            | None => Vec::new(),
        };
        change.note = Some(FileNote::LeftOut { forgave, lines });
    }
}

fn changes(applied: Applied, cx: &ToolContext) -> Result<Vec<PlannedFile>, Refusal> {
    let changes = applied.files.into_iter().map(|edit| planned(edit, cx));
    let changes = changes.collect::<Result<Vec<_>, _>>()?;
    one_name_each(&changes)?;
    Ok(changes)
}

/// Fails if the patch names one file by two paths, because the second change would overwrite the first.
fn one_name_each(changes: &[PlannedFile]) -> Result<(), Refusal> {
    let mut real = BTreeSet::new();
    for path in changes
        .iter()
        .flat_map(|change| change.from.iter().chain([&change.path]))
    {
        let copied = changes.iter().any(|change| {
            matches!(change.operation, FileOperation::Copy { .. })
                && change.from.as_ref().is_some_and(|from| from.shown() == path.shown())
        });
        if !real.insert(path.absolute()) && !copied {
            return Err(Refusal::new(
                "invalid_patch",
                format!(
                    "The patch names the file `{}` by two names. Nothing was changed.",
                    path.shown()
                ),
            ));
        }
    }
    Ok(())
}

struct Disk<'a> {
    cx: &'a ToolContext,
    stale: Option<Refusal>,
}

impl Disk<'_> {
    fn refused(&mut self, error: &PatchError) -> Refusal {
        match self.stale.take() {
            Some(stale) if error.code == "conflict" => stale,
            _ => Refusal::new(error.code, format!("{}\nNothing was changed.", error.text.trim_end())),
        }
    }
}

impl Files for Disk<'_> {
    fn read(&mut self, path: &str) -> Result<Option<Arc<[u8]>>, PatchError> {
        let refused = |error: benchdog_security::workspace::PathError| PatchError::new(error.code, format!("{error}."));
        let found = self.cx.workspace.resolve(path).map_err(refused)?;
        if found.is_link() {
            let target = found.absolute();
            return Err(PatchError::new(
                "not_a_file",
                format!(
                    "`{path}` is a link to `{}`; a patch changes files: name that one",
                    target.display()
                ),
            ));
        }
        let Some(now) = saved_text(&found, MOST_READ).map_err(refused)? else {
            return Ok(None);
        };
        if seen(&found, &now.bytes, self.cx) == Seen::Otherwise {
            self.stale = Some(stale(&found));
            return Err(PatchError::new(
                "conflict",
                format!("`{path}` changed since it was read."),
            ));
        }
        Ok(Some(now.text))
    }
}

fn planned(edit: FileEdit, cx: &ToolContext) -> Result<PlannedFile, Refusal> {
    let path = cx.workspace.resolve(&edit.path)?;
    if edit.after.as_ref().is_some_and(|bytes| bytes.len() > MOST_WRITTEN) {
        return Err(Refusal::new(
            "too_large",
            format!(
                "`{}` would be larger than {MOST_WRITTEN} bytes. Nothing was changed.",
                path.shown()
            ),
        ));
    }
    let mode_of_moved = match &edit.from {
        Some(Source::Moved(from)) => cx.workspace.resolve(from)?.stat()?.map(|stat| stat.mode),
        _ => None,
    };
    let (from, operation) = operation_of(&edit, cx)?;
    // A git diff has a complete mode, but git tracks only executability. Keep the other permission bits.
    let old = from.as_ref().unwrap_or(&path).stat()?.map(|stat| stat.mode);
    let mode_after = edit
        .mode_after
        .map(|wanted| merged(mode_of_moved.or(old), wanted))
        .or(mode_of_moved)
        .filter(|mode| Some(*mode) != old);
    let now = match edit.before {
        Some(_) => saved_text(from.as_ref().unwrap_or(&path), MOST_READ)?,
        None => None,
    };
    let (before, encoding) = now.map(|now| (now.bytes, now.encoding)).unzip();
    let before = before.unwrap_or_default();
    let forgave = saved_meanwhile(from.as_ref().unwrap_or(&path), &before, cx).into_iter();
    let forgave: Vec<Forgave> = forgave.chain(edit.eased.iter().flat_map(forgiven)).collect();
    let planned = PlannedFile {
        path,
        from,
        operation,
        before: edit.before,
        after: edit.after,
        mode_after,
        charset: None,
        cell: None,
        note: (!forgave.is_empty()).then_some(FileNote::Forgave(forgave)),
        unsaved: None,
    };
    planned.in_encoding(encoding.flatten())
}

fn operation_of(edit: &FileEdit, cx: &ToolContext) -> Result<(Option<WorkPath>, FileOperation), Refusal> {
    Ok(match &edit.from {
        Some(Source::Renamed(from)) => {
            let from = cx.workspace.resolve(from)?;
            let operation = FileOperation::Rename {
                from: from.shown().to_owned(),
            };
            (Some(from), operation)
        }
        Some(Source::Copied(from)) => {
            let from = cx.workspace.resolve(from)?;
            let operation = FileOperation::Copy {
                from: from.shown().to_owned(),
            };
            (Some(from), operation)
        }
        Some(Source::Moved(_)) | None => {
            let operation = match (&edit.before, &edit.after) {
                (None, _) => FileOperation::Create,
                (Some(_), Some(_)) => FileOperation::Update,
                (Some(_), None) => FileOperation::Delete,
            };
            (None, operation)
        }
    })
}

fn forgiven(eased: &Eased) -> Vec<Forgave> {
    let Eased {
        hunk: (at, of),
        further,
        spaces,
        fuzz,
    } = *eased;
    let part = (of > 1).then_some(Piece::Hunk(at, of));
    let all = [
        (further != 0).then_some(Forgiven::Further(further)),
        spaces.then_some(Forgiven::Space),
        (fuzz > 0).then_some(Forgiven::Fuzz(fuzz)),
    ];
    all.into_iter().flatten().map(|what| Forgave { what, part }).collect()
}

/// Changes only the executability of the old mode, because git tracks nothing else.
fn merged(old: Option<u32>, wanted: u32) -> u32 {
    match old {
        None => wanted,
        Some(old) if wanted & 0o111 != 0 => old | ((old & 0o444) >> 2),
        Some(old) => old & !0o111,
    }
}

#[cfg(test)]
mod tests;
