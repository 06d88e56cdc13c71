//! Dialogs above the panes. For example, `ui/dialogs/help` paints the state in `app/dialogs/help`.

pub(super) mod approval;
pub(super) mod compaction;
pub(super) mod help;
pub(super) mod jobs;
pub(super) mod palette;
pub(super) mod picker;
mod question;
pub(super) mod setup;
pub(super) mod sheet;
pub(super) mod viewer;

use ratatui::layout::Rect;

use super::brush::Brush;
use benchdog_theme::Scope;

fn paragraph(text: &str, area: Rect, scope: Scope, brush: &mut Brush) -> u16 {
    let width = usize::from(area.width.max(1));
    let mut y = area.y;
    for line in text.lines() {
        for row in benchdog_base::text::wrap(line, width) {
            if y >= area.bottom() {
                return y;
            }
            brush.scoped(area.x, y, area.width, line.get(row).unwrap_or_default(), scope);
            y += 1;
        }
    }
    y
}
