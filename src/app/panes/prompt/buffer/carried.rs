//! Keeps the undo history when another program has changed the text. Undo still reverts only the user's edits.

use std::ops::Range;

use super::{Buffer, Edit};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Changed {
    pub part: Range<usize>,
    pub with: usize,
}

impl Changed {
    fn grows_by(&self) -> isize {
        self.with.cast_signed() - self.part.len().cast_signed()
    }
}

pub(crate) fn place(at: usize, changed: &[Changed]) -> usize {
    let above = changed.iter().filter(|changed| changed.part.end <= at);
    at.saturating_add_signed(above.map(Changed::grows_by).sum())
}

#[derive(Clone, Copy)]
enum Way {
    Back,
    Forth,
}

impl Buffer {
    /// Takes over the undo history of `before`. `changed` lists the differences between both texts in order. Drops each
    /// step that overlaps with a difference, and all steps that depend on it.
    pub(crate) fn go_on_from(&mut self, before: &Self, changed: &[Changed]) {
        let carried = |way| {
            let mut changed = changed.to_vec();
            move |edit: &Edit| moved(edit, way, &mut changed)
        };
        let undo = before.undo.iter().rev().map_while(carried(Way::Back));
        self.undo = undo.collect();
        self.undo.make_contiguous().reverse();
        self.undo_bytes = self.undo.iter().map(Edit::size).sum();
        let redo = before.redo.iter().rev().map_while(carried(Way::Forth));
        self.redo = redo.collect();
        self.redo.reverse();
        self.sealed = true;
    }
}

/// Adjusts an undo step to the changes, then the changes to the text before the step. `None` if both overlap.
fn moved(edit: &Edit, way: Way, changed: &mut [Changed]) -> Option<Edit> {
    let (goes, comes) = match way {
        Way::Back => (&edit.inserted, &edit.removed),
        Way::Forth => (&edit.removed, &edit.inserted),
    };
    let end = edit.at + goes.len();
    let grows = comes.len().cast_signed() - goes.len().cast_signed();
    let mut by = 0;
    for changed in changed {
        if changed.part.end <= edit.at {
            by += changed.grows_by();
        } else if end <= changed.part.start {
            let start = changed.part.start.checked_add_signed(grows)?;
            changed.part = start..changed.part.end.checked_add_signed(grows)?;
        } else {
            return None;
        }
    }
    Some(Edit {
        at: edit.at.checked_add_signed(by)?,
        caret: edit.caret.saturating_add_signed(by),
        ..edit.clone()
    })
}
