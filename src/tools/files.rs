//! Plans that `write`, `edit` and `patch` share: the exact bytes of every file, and how they are written.
//!
//! Nothing is computed again after approval. If any file has changed since the proposal, no file is written.

mod carry;
pub(super) mod editor;
mod report;
mod settle;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::notebook::{Action, CellEdit};
use super::row::{Draft, Work};
use super::{Refusal, ToolContext, unsaved};
use crate::unsaved::Saved;
use benchdog_base::charset::{self, Charset, Found};
use benchdog_base::id::BlobId;
use benchdog_domain::permission::{Decision, Kept, Subject};
use benchdog_domain::review::{
    CellChange, FileChange, FileNote, FileNow, FileOperation, Forgave, Forgiven, Piece, Review, listed,
};
use benchdog_domain::tool::Outcome;
use benchdog_security::workspace::{FileKind, PathError, WorkPath, Workspace};
use benchdog_security::{redact, standing};

pub(super) const MOST_READ: u64 = 50 * 1024 * 1024;
pub(super) const MOST_WRITTEN: usize = 10 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct FilesPlan {
    pub(super) changes: Vec<PlannedFile>,
}

#[derive(Debug, Clone)]
pub(super) struct PlannedFile {
    pub(super) path: WorkPath,
    /// Source of a rename or copy. `before` is the content of the source.
    pub(super) from: Option<WorkPath>,
    pub(super) operation: FileOperation,
    pub(super) before: Option<Arc<[u8]>>,
    pub(super) after: Option<Arc<[u8]>>,
    /// New permission bits, if they change.
    pub(super) mode_after: Option<u32>,
    /// The encoding on disk, unless it is UTF-8. `before` and `after` are always UTF-8.
    pub(super) charset: Option<Charset>,
    /// The changed cell of a notebook. `before` and `after` are then the text of that cell.
    pub(super) cell: Option<Arc<CellEdit>>,
    pub(super) note: Option<FileNote>,
    /// The content on disk, if an editor has unsaved changes. `before` is then the editor's text.
    pub(super) unsaved: Option<Arc<[u8]>>,
}

impl PlannedFile {
    pub(super) fn content(path: WorkPath, before: Option<Arc<[u8]>>, after: Arc<[u8]>, forgave: Vec<Forgave>) -> Self {
        let operation = match before {
            None => FileOperation::Create,
            Some(_) => FileOperation::Update,
        };
        Self {
            path,
            from: None,
            operation,
            before,
            after: Some(after),
            mode_after: None,
            charset: None,
            cell: None,
            note: (!forgave.is_empty()).then_some(FileNote::Forgave(forgave)),
            unsaved: None,
        }
    }

    /// Sets the content on disk for a change that is based on an editor's unsaved text. `on_disk` is `None` without
    /// unsaved text.
    pub(super) fn over_unsaved(self, on_disk: Option<Arc<[u8]>>) -> Result<Self, Refusal> {
        let can_write = || self.path.buffer().is_some_and(|buffer| buffer.can_write());
        let saved = on_disk.as_deref().and_then(|bytes| Saved::of(bytes, &self.path));
        // Editors use one kind of line end for a whole file, so they cannot keep mixed ones.
        if on_disk.is_some() && !can_write() || saved.is_some_and(|saved| saved.has_mixed_ends()) {
            return Err(has_unsaved(&self.path).into());
        }
        Ok(Self {
            unsaved: on_disk,
            ..self
        })
    }

    pub(super) fn cell(path: WorkPath, cell: Arc<CellEdit>) -> Self {
        let text = |text: &str| -> Arc<[u8]> { text.as_bytes().into() };
        Self {
            operation: FileOperation::Update,
            note: Some(FileNote::Cell {
                whole: Arc::clone(&cell.whole),
                change: match cell.action {
                    Action::Insert => CellChange::Inserted,
                    Action::Delete => CellChange::Deleted,
                    Action::Replace if cell.clears_outputs => CellChange::OutputsCleared,
                    Action::Replace => CellChange::Replaced,
                },
            }),
            cell: Some(Arc::clone(&cell)),
            ..Self::content(path, Some(text(&cell.before)), text(&cell.after), Vec::new())
        }
    }

    /// Whether the change renumbers later cells, while other calls in the same reply still use the old numbers.
    fn moves_cells(&self) -> bool {
        self.cell.as_ref().is_some_and(|cell| cell.action != Action::Replace)
    }

    pub(super) fn in_encoding(mut self, found: Option<Found>) -> Result<Self, Refusal> {
        let Some(Found { charset, sure }) = found else {
            return Ok(self);
        };
        self.charset = Some(charset);
        let shown = self.path.shown();
        let after = self.after.clone().unwrap_or_default();
        let lacking = self.on_disk(&after).err();
        let name = charset.name();
        if let Some(lacking) = lacking {
            return Err(Refusal::new(
                "encoding",
                format!(
                    "`{shown}` is {name}, which has no `{lacking}` (U+{:04X}). Nothing was changed. Write it in other characters, or \
                     convert the file to UTF-8 first.",
                    u32::from(lacking)
                ),
            ));
        }
        if !sure && adds_other_than_ascii(&self.before.clone().unwrap_or_default(), &after) {
            return Err(Refusal::new(
                "encoding",
                format!(
                    "`{shown}` is not UTF-8 and too short to tell its encoding; it may be {name}. Nothing was changed. Add ASCII only, or \
                     ask the user to set `files.encoding`."
                ),
            ));
        }
        let kept = Forgave {
            what: Forgiven::KeptEncoding(name),
            part: None,
        };
        match &mut self.note {
            Some(FileNote::Forgave(all)) => all.push(kept),
            Some(_) => {}
            None => self.note = Some(FileNote::Forgave(vec![kept])),
        }
        Ok(self)
    }

    /// Returns the bytes to write. The error is a character that the file's encoding lacks.
    pub(super) fn on_disk(&self, text: &Arc<[u8]>) -> Result<Arc<[u8]>, char> {
        if let Some(cell) = &self.cell {
            let text = std::str::from_utf8(text).map_err(|_| char::REPLACEMENT_CHARACTER)?;
            return Ok(cell.file(text));
        }
        let Some(charset) = self.charset else {
            return Ok(Arc::clone(text));
        };
        let text = std::str::from_utf8(text).map_err(|_| char::REPLACEMENT_CHARACTER)?;
        charset.encode(text).map(Arc::from)
    }

    /// Whether the proposal is based on content the model has not seen.
    fn is_against_newer(&self) -> bool {
        self.note.as_ref().is_some_and(FileNote::has_changed_on_disk)
    }
}

impl FilesPlan {
    /// Returns the proposal. Refuses text in which the model copied a redaction mark instead of the secret.
    pub(super) fn draft(self) -> Result<Draft, Refusal> {
        self.knows_its_text()?;
        Ok(self.draft_as_it_is())
    }

    /// Returns the proposal without the check for redaction marks, for text from files.
    pub(super) fn draft_as_it_is(self) -> Draft {
        Draft {
            title: self.title(),
            subjects: self.subjects(),
            review: Review::Files(self.changes.iter().map(PlannedFile::shown).collect()),
            work: Work::of(self, |plan, it| {
                Box::pin(async move { run(&plan, it.decision, it.cx).await })
            }),
        }
    }

    fn knows_its_text(&self) -> Result<(), Refusal> {
        let bytes = |side: &Option<Arc<[u8]>>| side.clone().unwrap_or_default();
        let marked = self
            .changes
            .iter()
            .find(|change| redact::adds_mark(&bytes(&change.before), &bytes(&change.after)));
        match marked {
            None => Ok(()),
            Some(change) => Err(Refusal::new(
                "redacted_text",
                format!(
                    "The new text of `{}` holds a mark that stands for a secret you were not shown, and would put it in the secret's \
                     place. Nothing was written. Change the lines around it with `edit`, without the marked ones.",
                    change.path.shown()
                ),
            )),
        }
    }

    fn title(&self) -> String {
        match self.changes.as_slice() {
            [] => String::new(),
            [one] => one.path.shown().to_owned(),
            [first, rest @ ..] => format!("{} and {} more", first.path.shown(), rest.len()),
        }
    }

    fn subjects(&self) -> Vec<Subject> {
        let paths = self
            .changes
            .iter()
            .flat_map(|change| change.from.iter().chain([&change.path]));
        paths.map(standing::changed).collect()
    }
}

pub(super) fn told(note: &FileNote) -> String {
    match note {
        FileNote::Words(words) => words.clone(),
        FileNote::Forgave(all) => all.iter().map(forgave).collect::<Vec<_>>().join("; "),
        FileNote::LeftOut { forgave: all, lines } => {
            let left_out = format!("changed on both sides, not merged: line {}", listed(lines));
            let words = all.iter().map(forgave).chain([left_out]);
            words.collect::<Vec<_>>().join("; ")
        }
        FileNote::ChangedSince { lines } => format!("changed since, not undone: line {}", listed(lines)),
        FileNote::Overlaps { lines } => format!("replaces later changes: line {}", listed(lines)),
        FileNote::Cell { change, .. } => match change {
            CellChange::Inserted => "one new cell".to_owned(),
            CellChange::Replaced => "one cell replaced".to_owned(),
            CellChange::OutputsCleared => "one cell replaced, and its outputs cleared".to_owned(),
            CellChange::Deleted => "one cell deleted".to_owned(),
        },
        FileNote::ModeNotKept => {
            "the permissions it had were not kept; only its owner may read and write it".to_owned()
        }
    }
}

fn forgave(Forgave { what, part }: &Forgave) -> String {
    let what = match what {
        Forgiven::ChangedOnDisk => {
            "the file had been saved elsewhere since you proposed this, and the change was made to what was there; \
             its other lines may be new to you"
                .to_owned()
        }
        Forgiven::KeptMark => "byte order mark kept".to_owned(),
        Forgiven::KeptCrlf => "line endings kept as CRLF".to_owned(),
        Forgiven::KeptEncoding(name) => format!("encoding kept as {name}"),
        Forgiven::NotUtf8 => "converted to UTF-8".to_owned(),
        Forgiven::Binary => "was binary, becomes text".to_owned(),
        Forgiven::NormalForm => "matched in another Unicode normal form; the file keeps its own".to_owned(),
        Forgiven::LineNumbers => "pasted line numbers removed".to_owned(),
        Forgiven::SpaceAtEnds => "matched, ignoring whitespace at line ends".to_owned(),
        Forgiven::Indentation => "matched with adjusted indentation".to_owned(),
        Forgiven::Space => "matched, ignoring whitespace".to_owned(),
        Forgiven::Further(lines) => {
            let way = if *lines < 0 { "up" } else { "down" };
            let (lines, s) = (lines.unsigned_abs(), if lines.unsigned_abs() == 1 { "" } else { "s" });
            format!("applied {lines} line{s} further {way} than stated")
        }
        Forgiven::Fuzz(lines) => format!("applied with fuzz {lines}"),
    };
    match part {
        None => what,
        Some(Piece::Edit(at, of)) => format!("edit {at} of {of}: {what}"),
        Some(Piece::Hunk(at, of)) => format!("hunk {at} of {of}: {what}"),
    }
}

impl PlannedFile {
    fn shown(&self) -> FileChange {
        FileChange {
            path: self.path.shown().to_owned(),
            operation: self.operation.clone(),
            before: self.before.clone(),
            after: self.after.clone(),
            mode_after: self.mode_after,
            note: self.note.clone(),
        }
    }
}

async fn run(plan: &FilesPlan, decision: &Decision, cx: &ToolContext) -> Outcome {
    let kept = match decision {
        Decision::Once { kept } | Decision::Always { kept, .. } => kept,
        // An answer to the `ask` tool does not permit writing.
        Decision::Confined | Decision::Deny { .. } | Decision::Answer { .. } => {
            return Outcome::error("denied", "The change was not allowed; nothing was written.");
        }
    };
    match editor::carry(plan, kept, cx).await {
        Some(outcome) => outcome,
        None => apply(plan, kept, cx),
    }
}

/// Writes the accepted part of a plan. Never awaits, so it cannot be interrupted.
pub(super) fn apply(plan: &FilesPlan, kept: &Kept, cx: &ToolContext) -> Outcome {
    let settled = match settle::settle(plan, kept) {
        Ok(settled) => settled,
        Err(outcome) => return *outcome,
    };
    match carry::carry(&settled, cx) {
        Ok(modes) => report::report(&settled, &modes, cx.limits.result_bytes),
        Err(outcome) => *outcome,
    }
}

/// Returns `None` if the file does not exist.
pub(super) fn current(path: &WorkPath, max: u64) -> Result<Option<Vec<u8>>, PathError> {
    match path.stat()? {
        None => Ok(None),
        Some(stat) if stat.kind == FileKind::File => path.read(max).map(Some),
        Some(stat) => Err(PathError {
            code: "not_a_file",
            path: path.shown().to_owned(),
            reason: if stat.kind == FileKind::Folder {
                "it is a folder"
            } else {
                "it is not a regular file"
            }
            .to_owned(),
        }),
    }
}

pub(super) struct Current {
    pub(super) bytes: Arc<[u8]>,
    pub(super) text: Arc<[u8]>,
    pub(super) encoding: Option<Found>,
    /// The content on disk, if an editor has unsaved changes. The other fields then describe the editor's text.
    pub(super) on_disk: Option<Arc<[u8]>>,
}

/// Returns the unsaved text of an editor, or else the text on disk. Blocks until the editor answers.
pub(super) fn current_text(path: &WorkPath, max: u64) -> Result<Option<Current>, PathError> {
    let Some(bytes) = current(path, max)? else {
        return Ok(None);
    };
    let (bytes, on_disk) = match unsaved::bytes(path, &bytes)? {
        Some(open) => (open, Some(bytes.into())),
        None => (bytes.into(), None),
    };
    Ok(Some(match charset::decoded(&bytes, path.charset()) {
        Some((found, text)) => Current {
            bytes,
            text: text.into_bytes().into(),
            encoding: Some(found),
            on_disk,
        },
        None => Current {
            text: Arc::clone(&bytes),
            bytes,
            encoding: None,
            on_disk,
        },
    }))
}

/// Returns the text on disk. Fails if an editor has unsaved changes of the file.
pub(super) fn saved_text(path: &WorkPath, max: u64) -> Result<Option<Current>, PathError> {
    match current_text(path, max)? {
        Some(now) if now.on_disk.is_some() => Err(has_unsaved(path)),
        now => Ok(now),
    }
}

fn has_unsaved(path: &WorkPath) -> PathError {
    PathError {
        code: "unsaved",
        path: path.shown().to_owned(),
        reason: "it has unsaved changes in the editor, which this tool cannot keep. Ask the user to save the file"
            .to_owned(),
    }
}

fn adds_other_than_ascii(before: &[u8], after: &[u8]) -> bool {
    let known: BTreeSet<&[u8]> = before.split(|byte| *byte == b'\n').collect();
    let mut lines = after.split(|byte| *byte == b'\n');
    lines.any(|line| !line.is_ascii() && !known.contains(line))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Never,
    AsItIs,
    /// The content changed since the model read it.
    Otherwise,
    /// The file was saved while the user reviewed a proposal. The new proposal starts from the saved content.
    SavedMeanwhile,
}

pub(super) fn seen(path: &WorkPath, bytes: &[u8], cx: &ToolContext) -> Seen {
    let seen = cx.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match seen.get(path.shown()) {
        None => Seen::Never,
        Some(hash) if *hash == BlobId::of(bytes) => Seen::AsItIs,
        Some(_) if cx.saved_meanwhile.contains(path.shown()) => Seen::SavedMeanwhile,
        Some(_) => Seen::Otherwise,
    }
}

pub(super) fn saved_meanwhile(path: &WorkPath, before: &[u8], cx: &ToolContext) -> Option<Forgave> {
    let was_saved = cx.saved_meanwhile.contains(path.shown()) && seen(path, before, cx) != Seen::AsItIs;
    was_saved.then_some(Forgave {
        what: Forgiven::ChangedOnDisk,
        part: None,
    })
}

/// Returns the current content of each file. Unreadable files count as deleted. If the editor does not answer, the file
/// counts as unchanged.
pub fn read_now(workspace: &Workspace, files: &[FileNow]) -> Vec<FileNow> {
    let now = |path: &str| current_text(&workspace.resolve(path)?, MOST_READ);
    let read = |(path, known): &FileNow| {
        let text = match now(path) {
            Ok(now) => now.map(|now| now.text),
            Err(error) if error.code == unsaved::UNREAD => known.clone(),
            Err(_) => None,
        };
        (path.clone(), text)
    };
    files.iter().map(read).collect()
}

pub fn changed_since(workspace: &Workspace, files: &[FileNow]) -> BTreeSet<String> {
    let now = read_now(workspace, files);
    let changed = files.iter().zip(now).filter(|(then, now)| *then != now);
    changed.map(|((path, _), _)| path.clone()).collect()
}

pub(super) fn stale(path: &WorkPath) -> Refusal {
    Refusal::new(
        "conflict",
        format!(
            "`{}` changed on disk since it was read in this session. Nothing was changed. Read it again and make the \
             change for its current content.",
            path.shown()
        ),
    )
}

#[cfg(test)]
pub(super) mod bench;
#[cfg(test)]
mod tests;
