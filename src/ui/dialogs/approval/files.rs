//! The file list of a proposal, with the accepted part and line counts of each file.

use ratatui::layout::Rect;

use crate::brush::{Brush, columns};
use crate::number;
use benchdog_app::diff_view::{DiffView, Mark};
use benchdog_theme::Scope;

const SIGN: u16 = 4;

pub(super) fn draw(view: &DiffView, area: Rect, brush: &mut Brush) {
    let rows = usize::from(area.height);
    let first = view.first_listed(rows);
    let files = view.files.iter().enumerate().skip(first).take(rows);
    let counts: Vec<String> = files
        .clone()
        .map(|(_, file)| file.counts())
        .map(|(added, removed)| number::added_removed(added, removed))
        .collect();
    let widest = counts.iter().map(|counts| columns(counts)).max().unwrap_or(0);
    let room = area.width.saturating_sub(SIGN + 1 + widest + 1);
    let names = view.names(first, rows, usize::from(room));
    for (y, ((place, file), (name, counts))) in (area.y..area.bottom()).zip(files.zip(names.iter().zip(&counts))) {
        let row = Rect { y, height: 1, ..area };
        let current = place == view.file();
        let bright = match (current, file.mark()) {
            (true, _) => Scope::TextBright,
            (false, Mark::Dropped) => Scope::TextDim,
            (false, Mark::Kept | Mark::Some) => Scope::Text,
        };
        brush.scoped(row.x, y, SIGN, sign(file.mark()), bright);
        brush.scoped(row.x + SIGN, y, room, name, bright);
        brush.right(row.right().saturating_sub(1), y, widest, counts, Scope::TextDim);
        if current {
            brush.tint(row, Scope::Selected);
        }
    }
    for y in area.y..area.bottom() {
        brush.scoped(area.right(), y, 1, "│", Scope::Border);
    }
}

pub(super) fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Kept => "[x]",
        Mark::Some => "[-]",
        Mark::Dropped => "[ ]",
    }
}
