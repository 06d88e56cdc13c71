//! The rows above the lines of a file: its name and notes.

use super::{DiffFile, Mark};
use benchdog_base::text::reveal;
use benchdog_domain::review::FileOperation;
use benchdog_lang::{self as lang, Word, word};

impl DiffFile {
    pub(in crate::diff_view) fn head_rows(&self) -> usize {
        usize::from(self.has_name_row) + self.notes.len()
    }

    pub(in crate::diff_view) fn has_name_row(&self) -> bool {
        self.has_name_row
    }

    /// Sets whether a title above the diff shows the file's name. Returns whether the number of rows has changed.
    pub(in crate::diff_view) fn named_above(&mut self, is_named: bool) -> bool {
        self.is_named_above = is_named;
        let is_told = self.change.operation == FileOperation::Update && self.mode_alone().is_none();
        let has = !(is_named && is_told);
        std::mem::replace(&mut self.has_name_row, has) != has
    }

    pub fn has_name(&self) -> bool {
        !self.is_named_above
    }

    pub fn has_counts(&self) -> bool {
        self.has_name() && self.mode_alone().is_none()
    }

    pub(super) fn mode_alone(&self) -> Option<u32> {
        let has_lines = self.sides.before.len() + self.sides.after.len() > 0;
        let is_alone = self.change.operation == FileOperation::Update && self.is_text && self.sides.hunks.is_empty();
        self.change.mode_after.filter(|_| is_alone && has_lines)
    }

    /// Returns the resulting operation: `create`, `update`, `delete`, `rename from a.rs`, `mode becomes 755`. A
    /// deletion is an update if the user has discarded some of its lines.
    pub fn operation(&self) -> String {
        if let Some(mode) = self.mode_alone() {
            return lang::message::change_mode(&format!("{mode:o}"));
        }
        match &self.change.operation {
            FileOperation::Create => word(Word::Create).to_owned(),
            FileOperation::Delete if self.change.after.is_none() && self.mark() != Mark::Some => {
                word(Word::Delete).to_owned()
            }
            FileOperation::Delete | FileOperation::Update => word(Word::Update).to_owned(),
            FileOperation::Rename { from } => lang::message::change_renamed(&reveal(from)),
            FileOperation::Copy { from } => lang::message::change_copied(&reveal(from)),
        }
    }
}
