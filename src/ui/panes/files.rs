//! The tree: folders, files, what was read, changed and waits, and what git says.

use ratatui::layout::Rect;

use super::{empty, has_keyboard};
use crate::app::State;
use crate::app::layout::Pane;
use crate::app::panes::files::{FileMark, FileRow, FileRowKind};
use crate::lang::{Word, word};
use crate::theme::Scope;
use crate::ui::brush::Brush;

pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) {
    let files = &state.files;
    if files.rows.is_empty() {
        empty(word(Word::NoFiles), area, brush);
        return;
    }
    let keyboard = has_keyboard(state, Pane::Files);
    for (y, (place, row)) in (area.y..area.bottom()).zip(files.rows.iter().enumerate().skip(files.cursor.top)) {
        paint(row, area, y, brush);
        if keyboard && place == files.cursor.at {
            brush.tint(Rect { y, height: 1, ..area }, Scope::Selected);
        }
    }
}

fn paint(row: &FileRow, area: Rect, y: u16, brush: &mut Brush) {
    let git = row.git.map(String::from).unwrap_or_default();
    let (mark, mark_scope) = match row.mark {
        Some(FileMark::Read) => ("○", Scope::MarkRead),
        Some(FileMark::Changed) => ("●", Scope::MarkChanged),
        Some(FileMark::Pending) => ("◆", Scope::StateWaiting),
        None => ("", Scope::Text),
    };
    // Marks keep their columns, so one can read down them.
    let right = area.right().saturating_sub(1);
    let marks = if row.mark.is_some() || row.git.is_some() { 4 } else { 0 };
    brush.scoped(right.saturating_sub(1), y, 1, &git, Scope::MarkGit);
    brush.scoped(right.saturating_sub(3), y, 1, mark, mark_scope);
    let indent = u16::try_from(row.depth * 2).unwrap_or(u16::MAX).min(area.width / 2);
    let (sign, scope) = match (row.kind, row.ignored) {
        (FileRowKind::FolderOpen, false) => ("▾ ", Scope::MarkFolder),
        (FileRowKind::FolderClosed, false) => ("▸ ", Scope::MarkFolder),
        (FileRowKind::FolderOpen, true) => ("▾ ", Scope::TextDim),
        (FileRowKind::FolderClosed, true) => ("▸ ", Scope::TextDim),
        (FileRowKind::File, false) => ("  ", Scope::Text),
        (FileRowKind::File, true) => ("  ", Scope::TextDim),
    };
    let x = area.x + indent;
    let room = right.saturating_sub(marks).saturating_sub(x);
    let taken = brush.scoped(x, y, room, sign, scope);
    let name = crate::base::text::truncate(&row.name, usize::from(room.saturating_sub(taken)));
    brush.scoped(x + taken, y, room.saturating_sub(taken), &name, scope);
}
