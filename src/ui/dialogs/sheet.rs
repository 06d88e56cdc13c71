//! A table of names on the left and values on the right.

use ratatui::layout::{Position, Rect};

use crate::brush::{Brush, columns};
use crate::widgets::frame::{self, Head};
use crate::widgets::scroll::{self, Extent};
use benchdog_app::dialogs::sheet::{Sheet, SheetKind, SheetRow};
use benchdog_base::text::truncate;
use benchdog_lang::{Word, word};
use benchdog_theme::Scope;
use benchdog_transcript::Mark;

pub(crate) fn draw(sheet: &Sheet, closes: &str, area: Rect, brush: &mut Brush) -> Option<Position> {
    let title = word(match sheet.kind {
        SheetKind::Status => Word::SheetStatus,
        SheetKind::Cost => Word::SheetCost,
        SheetKind::Privacy => Word::SheetPrivacy,
        SheetKind::Health => Word::SheetHealth,
        SheetKind::Servers => Word::SheetServers,
        SheetKind::Hooks => Word::Hooks,
    });
    let head = Head {
        title: &[(title, Scope::BorderTitleFocused)],
        note: closes,
        line: Scope::BorderFocused,
    };
    let inside = frame::draw(&head, area, brush);
    if sheet.is_waiting() {
        let asks = match sheet.kind {
            SheetKind::Status | SheetKind::Cost | SheetKind::Privacy | SheetKind::Servers | SheetKind::Hooks => {
                Word::Asking
            }
            SheetKind::Health => Word::Examining,
        };
        brush.scoped(inside.x, inside.y, inside.width, word(asks), Scope::TextDim);
        return None;
    }
    for (y, row) in (inside.y..inside.bottom()).zip(sheet.rows().iter().skip(sheet.top)) {
        match row {
            SheetRow::Heading(text) => {
                brush.scoped(inside.x, y, inside.width, text, Scope::TextHeading);
            }
            SheetRow::Stands(mark, text) => {
                brush.scoped(inside.x, y, inside.width, text, Scope::TextHeading);
                let sign = columns(mark.sign());
                brush.scoped(inside.x, y, sign, mark.sign(), scope_of(*mark));
            }
            SheetRow::Wrong(text) => {
                brush.scoped(inside.x, y, inside.width, text, Scope::StateError);
            }
            SheetRow::Text(text) => {
                brush.scoped(inside.x, y, inside.width, text, Scope::Text);
            }
            SheetRow::Field { name, value, column } => {
                let name = truncate(name, usize::from(column.saturating_sub(2)));
                brush.scoped(inside.x, y, *column, &name, Scope::TextDim);
                let x = inside.x + column;
                brush.scoped(x, y, inside.right().saturating_sub(x), value, Scope::Text);
            }
        }
    }
    let extent = Extent {
        first: sheet.top,
        shown: usize::from(inside.height),
        all: sheet.rows().len(),
    };
    scroll::bar(extent, inside, area.right().saturating_sub(1), brush);
    None
}

fn scope_of(mark: Mark) -> Scope {
    match mark {
        Mark::Ok => Scope::StateOk,
        Mark::Failed => Scope::StateError,
        Mark::Waiting | Mark::Running => Scope::StateWaiting,
        Mark::Denied | Mark::Stopped | Mark::Unknown => Scope::TextDim,
    }
}
