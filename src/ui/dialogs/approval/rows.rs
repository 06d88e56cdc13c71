//! The rows of a request: a command with the classes of its parts, or fields.

use ratatui::layout::Rect;

use crate::brush::{Brush, columns};
use crate::widgets::scroll::{self, Extent};
use benchdog_app::dialogs::rows::{BECAUSE, RequestRow};
use benchdog_base::text::truncate;
use benchdog_domain::permission::CommandClass;
use benchdog_theme::Scope;

pub(super) fn draw(rows: &[RequestRow], top: usize, area: Rect, brush: &mut Brush) {
    for (y, row) in (area.y..area.bottom()).zip(rows.iter().skip(top)) {
        match row {
            RequestRow::Text(text) => {
                brush.scoped(area.x, y, area.width, text, Scope::TextBright);
            }
            RequestRow::Part {
                number,
                command,
                because,
                class,
            } => {
                part(*number, command, because, *class, Rect { y, ..area }, brush);
            }
            RequestRow::Because { text, class } => {
                let x = area.x + BECAUSE;
                brush.scoped(x, y, area.right().saturating_sub(x), text, scope_of(*class));
            }
            RequestRow::Field { name, value, column } => {
                brush.scoped(area.x, y, column.saturating_sub(1), name, Scope::TextDim);
                let x = area.x + column;
                brush.scoped(x, y, area.right().saturating_sub(x), value, Scope::Text);
            }
        }
    }
    let extent = Extent {
        first: top,
        shown: usize::from(area.height),
        all: rows.len(),
    };
    // The scroll bar is drawn on the border, to the right of the padding.
    scroll::bar(extent, area, area.right() + 1, brush);
}

/// Draws a part of a command, such as `2  find . -name '*.o' …   removes files`.
fn part(number: usize, command: &str, because: &str, class: CommandClass, area: Rect, brush: &mut Brush) {
    let x = brush.run(
        area.x,
        area.y,
        area.right(),
        &[(&format!("{number:>2}  "), Scope::TextDim)],
    );
    let room = area.right().saturating_sub(x);
    let why = columns(because);
    let shown = truncate(command, usize::from(room.saturating_sub(why + 2)));
    brush.scoped(x, area.y, room, &shown, Scope::Text);
    brush.right(area.right(), area.y, why, because, scope_of(class));
}

fn scope_of(class: CommandClass) -> Scope {
    match class {
        CommandClass::Plain => Scope::TextDim,
        CommandClass::Unknown | CommandClass::External => Scope::StateUnknown,
        CommandClass::Dangerous | CommandClass::Catastrophic => Scope::DialogDanger,
    }
}
