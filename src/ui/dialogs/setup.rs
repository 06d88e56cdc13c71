//! The form to enter a model server.

use ratatui::layout::{Position, Rect};

use crate::brush::{Brush, columns};
use crate::widgets::address;
use crate::widgets::frame::{self, Head};
use crate::widgets::input;
use benchdog_app::dialogs::setup::{FIELDS, Row, SetupForm, shown};
use benchdog_app::layout;
use benchdog_base::text::{clean, truncate_middle, wrap};
use benchdog_domain::agent::short_model;
use benchdog_lang::{self as lang, Word, word};
use benchdog_theme::Scope;

const GAP: u16 = 2;

pub(crate) fn draw(form: &SetupForm, keys: &str, area: Rect, brush: &mut Brush) -> Option<Position> {
    let head = Head {
        title: &[(word(Word::SetupTitle), Scope::BorderTitleFocused)],
        note: "",
        line: Scope::BorderFocused,
    };
    frame::draw(&head, area, brush);
    let inside = layout::inside(area);
    let row = |y: u16| Rect {
        y: inside.y + y,
        height: 1,
        ..inside
    };
    if inside.height < 4 {
        return None;
    }
    let labels = [Word::SetupAddress, Word::SetupKey].map(word);
    let label = labels.iter().map(|label| columns(label)).max().unwrap_or(0) + GAP;
    let masked = "•".repeat(form.key.chars().count());
    let fields = [
        (
            labels[0],
            form.address.as_str(),
            Word::SetupAddressExample,
            Row::Address,
        ),
        (labels[1], masked.as_str(), Word::SetupKeyOptional, Row::Key),
    ];
    let mut caret = None;
    for (y, (name, text, hint, of)) in (0..).zip(fields) {
        let line = row(y);
        brush.scoped(line.x, line.y, line.width, name, Scope::TextAccent);
        let field = Rect {
            x: line.x + label,
            width: line.width.saturating_sub(label),
            ..line
        };
        if text.is_empty() {
            brush.scoped(field.x, field.y, field.width, word(hint), Scope::TextDim);
        }
        let end = input::line(&clean(text), field, brush);
        caret = caret.or((form.row() == of).then_some(end));
    }
    let button = format!("[ {} ]", word(Word::SetupTest));
    let line = row(2);
    brush.scoped(line.x + label, line.y, line.width, &button, Scope::Text);
    if form.row() == Row::Test {
        let width = columns(&button).min(line.width.saturating_sub(label));
        brush.tint(
            Rect {
                x: line.x + label,
                width,
                ..line
            },
            Scope::Selected,
        );
    }
    let scope = if form.failed { Scope::StateError } else { Scope::TextDim };
    let mut y = inside.y + 4;
    let floor = inside.bottom().saturating_sub(1);
    for text in wrap(&form.note, usize::from(inside.width.max(1))) {
        if y < floor {
            brush.scoped(
                inside.x,
                y,
                inside.width,
                form.note.get(text).unwrap_or_default(),
                scope,
            );
            y += 1;
        }
    }
    models(
        form,
        Rect {
            y,
            height: floor.saturating_sub(y),
            ..inside
        },
        brush,
    );
    brush.scoped(inside.x, floor, inside.width, keys, Scope::TextDim);
    caret
}

fn models(form: &SetupForm, area: Rect, brush: &mut Brush) {
    let at = form.cursor.at.checked_sub(FIELDS);
    let top = at.map_or(0, |at| (at + 1).saturating_sub(usize::from(area.height.max(1))));
    for (y, (number, offer)) in (area.y..area.bottom()).zip(form.offers.iter().enumerate().skip(top)) {
        let window = offer.model.window.map(|tokens| format!("{} · ", lang::window(tokens)));
        let detail = format!("{}{}", window.unwrap_or_default(), shown(&offer.base_url));
        let detail = address::fit(&detail, area.width / 2);
        let room = area.width.saturating_sub(2 * GAP + columns(&detail));
        let name = clean(short_model(&offer.model.id));
        let name = truncate_middle(&name, usize::from(room));
        brush.scoped(area.x + GAP, y, room, &name, Scope::Text);
        brush.right(area.right(), y, area.width / 2, &detail, Scope::TextDim);
        if at == Some(number) {
            brush.tint(Rect { y, height: 1, ..area }, Scope::Selected);
        }
    }
}
