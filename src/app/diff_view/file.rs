//! One file of a diff: its two sides, its rows in both layouts, and which hunks are kept.

use std::borrow::Cow;

use super::DiffLayout;
use crate::base::text::{expand_tabs, reveal};
use crate::diff::{DiffRow, Encoding, Sides, keep};
use crate::domain::review::{FileChange, FileOperation};
use crate::lang::{self, Word, word};

pub(crate) struct DiffFile {
    pub(crate) path: String,
    /// `create`, `update`, `delete`, `rename from a.rs`.
    pub(crate) operation: String,
    pub(crate) added: u32,
    pub(crate) removed: u32,
    /// What the reader should know beside the lines.
    pub(crate) notes: Vec<String>,
    /// Whether each hunk stays.
    pub(crate) kept: Vec<bool>,
    /// The text the person wrote in place of the proposal.
    pub(crate) edited: Option<String>,
    pub(super) sides: Sides,
    side_by_side: Vec<DiffRow>,
    unified: Vec<DiffRow>,
    change: FileChange,
    context: usize,
}

impl DiffFile {
    pub(super) fn new(change: &FileChange, context: usize) -> Self {
        let sides = Sides::of(change.before.clone(), change.after.clone());
        let mut file = Self {
            path: reveal(&change.path).into_owned(),
            operation: operation(&change.operation),
            added: 0,
            removed: 0,
            notes: Vec::new(),
            kept: Vec::new(),
            edited: None,
            side_by_side: Vec::new(),
            unified: Vec::new(),
            sides,
            change: change.clone(),
            context,
        };
        file.compute();
        file
    }

    fn compute(&mut self) {
        self.notes = self.change.note.iter().cloned().collect();
        if let Some(mode) = self.change.mode {
            self.notes.push(lang::mode_becomes(&format!("{mode:o}")));
        }
        let is_text = self.is_text();
        if is_text {
            (self.added, self.removed) = self.sides.counts();
            self.side_by_side = self.sides.side_by_side(self.context);
            self.unified = self.sides.unified(self.context);
            self.kept = vec![true; self.sides.hunks.len()];
        } else {
            let bytes = |side: &Option<std::sync::Arc<[u8]>>| side.as_ref().map_or(0, |bytes| bytes.len());
            let (before, after) = (bytes(&self.change.before), bytes(&self.change.after));
            self.notes.push(lang::not_text(before, after));
        }
        if is_text && self.sides.hunks.is_empty() {
            self.notes.push(word(Word::LinesStay).to_owned());
        }
    }

    /// Neither new nor deleted.
    pub(super) fn has_two_sides(&self) -> bool {
        self.change.before.is_some() && self.change.after.is_some()
    }

    fn is_text(&self) -> bool {
        let sides = [&self.change.before, &self.change.after];
        sides
            .into_iter()
            .flatten()
            .all(|bytes| !matches!(Encoding::of(bytes), Encoding::Binary | Encoding::Utf16))
    }

    /// The proposal as text with the dropped hunks left out, for editing. `None`: not text, or the file would go.
    pub(crate) fn proposal(&self) -> Option<String> {
        let after = std::str::from_utf8(self.sides.after.bytes()).ok()?;
        let before = std::str::from_utf8(self.sides.before.bytes()).ok()?;
        self.change.after.as_ref()?;
        Some(if self.kept.iter().all(|kept| *kept) {
            after.to_owned()
        } else {
            keep(before, after, &self.kept)
        })
    }

    /// Puts the person's text in the place of the proposal; the diff is computed anew from it.
    pub(crate) fn replace(&mut self, text: String) {
        self.sides = Sides::of(self.change.before.clone(), Some(text.as_bytes().into()));
        self.change.after = Some(text.as_bytes().into());
        self.edited = Some(text);
        self.kept.clear();
        self.compute();
        self.notes.push(word(Word::EditedByYou).to_owned());
    }

    /// The name an editor should see: the last part of the path, so that it knows the language.
    pub(crate) fn name(&self) -> &str {
        self.change.path.rsplit('/').next().unwrap_or_default()
    }

    /// The rows in a layout; none of what is not text.
    pub(super) fn rows(&self, layout: DiffLayout) -> &[DiffRow] {
        match layout {
            DiffLayout::SideBySide => &self.side_by_side,
            DiffLayout::Unified => &self.unified,
        }
    }

    /// A line of the left or right side as it is shown.
    pub(super) fn shown(line: &str) -> String {
        match reveal(line) {
            Cow::Borrowed(line) => expand_tabs(line).into_owned(),
            Cow::Owned(line) => expand_tabs(&line).into_owned(),
        }
    }

    /// All of one side's text, for highlighting: the side before or after.
    pub(crate) fn sides(&self) -> &Sides {
        &self.sides
    }
}

fn operation(operation: &FileOperation) -> String {
    match operation {
        FileOperation::Create => word(Word::Create).to_owned(),
        FileOperation::Update => word(Word::Update).to_owned(),
        FileOperation::Delete => word(Word::Delete).to_owned(),
        FileOperation::Rename { from } => lang::renamed_from(&reveal(from)),
        FileOperation::Copy { from } => lang::copy_of(&reveal(from)),
    }
}
