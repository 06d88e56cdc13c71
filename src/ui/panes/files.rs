//! The file tree with marks and git status.

use ratatui::layout::{Position, Rect};

use super::empty;
use crate::brush::{Brush, columns};
use crate::widgets::input;
use benchdog_app::State;
use benchdog_app::focus::{self, Holder};
use benchdog_app::layout::Pane;
use benchdog_app::panes::files::{FileMark, FileRow, FileRowKind, FilesPane, Left};
use benchdog_base::text::last_part;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

/// Returns the cursor position if the filter has the focus.
pub(super) fn draw(state: &State, area: Rect, brush: &mut Brush) -> Option<Position> {
    let files = &state.screen.files;
    let holder = focus::keyboard(state);
    let line = u16::from(files.filter.is_some());
    let tree = Rect {
        height: area.height.saturating_sub(line),
        ..area
    };
    rows(
        files,
        tree,
        matches!(holder, Holder::Filter | Holder::Pane(Pane::Files)),
        brush,
    );
    let filter = files.filter.as_ref()?;
    let caret = input::find(&filter.line, &left(files), area, brush)?;
    (holder == Holder::Filter).then_some(caret)
}

fn rows(files: &FilesPane, area: Rect, keyboard: bool, brush: &mut Brush) {
    if files.rows.is_empty() {
        let nothing = match files.left() {
            Left::Unknown => Word::NoFiles,
            Left::Looking => Word::Looking,
            Left::Shown(..) | Left::Some(..) => Word::NothingMatches,
        };
        empty(word(nothing), area, brush);
        return;
    }
    let line = files.filter.as_ref().map_or("", |filter| &filter.line);
    for (y, (place, row)) in (area.y..area.bottom()).zip(files.rows.iter().enumerate().skip(files.cursor.top)) {
        paint(row, if files.is_found(row) { line } else { "" }, area, y, brush);
        if keyboard && place == files.cursor.at {
            brush.tint(Rect { y, height: 1, ..area }, Scope::Selected);
        }
    }
}

fn left(files: &FilesPane) -> String {
    match files.left() {
        Left::Unknown | Left::Looking | Left::Shown(_, 0) => String::new(),
        Left::Shown(0, all) => lang::some_of(all, all),
        Left::Shown(at, all) => lang::find_hits(at, all, "", ""),
        Left::Some(some, all) => lang::some_of(some, all),
    }
}

/// Paints a row of the tree. `line` is the filter text, whose matches are highlighted.
fn paint(row: &FileRow, line: &str, area: Rect, y: u16, brush: &mut Brush) {
    let git = row.git.map(String::from).unwrap_or_default();
    let (mark, mark_scope) = match row.mark {
        Some(FileMark::Read) => ("○", Scope::MarkRead),
        Some(FileMark::Changed) => ("●", Scope::MarkChanged),
        Some(FileMark::Pending) => ("◆", Scope::StateWaiting),
        None => ("", Scope::Text),
    };
    // Marks are aligned because their columns are fixed.
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
    let name = benchdog_base::text::truncate(&row.name, usize::from(room.saturating_sub(taken)));
    let x = x + taken;
    brush.scoped(x, y, room.saturating_sub(taken), &name, scope);
    for word in line.split_whitespace() {
        if let Some((from, width)) = place_of(word, &name) {
            let hit = Rect::new(x + from, y, width, 1);
            brush.tint(hit.intersection(area), Scope::SelectedMatch);
        }
    }
}

/// Returns the first column and the width of the part of a name that matches the filter.
fn place_of(word: &str, name: &str) -> Option<(u16, u16)> {
    let word = last_part(word).to_lowercase();
    let lower = name.to_lowercase();
    // If lower case changes the number of bytes, the offsets do not apply to the name.
    let at = lower
        .find(&word)
        .filter(|_| lower.len() == name.len() && !word.is_empty())?;
    let before = name.get(..at)?;
    let found = name.get(at..at + word.len())?;
    Some((columns(before), columns(found)))
}
