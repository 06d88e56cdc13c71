//! A command as it is judged: the line, each part with its class and why, what it would write, where it runs.

use ratatui::layout::Rect;

use crate::base::text::{reveal, truncate, wrap_anywhere};
use crate::domain::permission::CommandClass;
use crate::domain::review::CommandReview;
use crate::theme::Scope;
use crate::ui::brush::{Brush, columns};

/// One row of the dialog.
enum Row {
    Text(String, Scope),
    Part {
        number: usize,
        command: String,
        because: String,
        class: CommandClass,
    },
    Field(&'static str, String),
}

pub(super) fn draw(review: &CommandReview, top: usize, area: Rect, brush: &mut Brush) {
    for (y, row) in (area.y..area.bottom()).zip(rows(review, area.width).iter().skip(top)) {
        match row {
            Row::Text(text, scope) => {
                brush.scoped(area.x, y, area.width, text, *scope);
            }
            Row::Part {
                number,
                command,
                because,
                class,
            } => {
                part(*number, command, because, *class, Rect { y, ..area }, brush);
            }
            Row::Field(name, value) => {
                let x = brush.run(area.x, y, area.right(), &[(&format!("{name:<9} "), Scope::TextDim)]);
                brush.scoped(x, y, area.right().saturating_sub(x), value, Scope::Text);
            }
        }
    }
}

fn rows(review: &CommandReview, width: u16) -> Vec<Row> {
    let mut rows = Vec::new();
    for line in review.command.lines() {
        // Every character of a command matters, so nothing of it is cut and nothing in it is invisible.
        let shown = reveal(line);
        for range in wrap_anywhere(&shown, usize::from(width.max(1))) {
            rows.push(Row::Text(
                shown.get(range).unwrap_or_default().to_owned(),
                Scope::TextBright,
            ));
        }
    }
    rows.push(Row::Text(String::new(), Scope::Text));
    for (place, part) in review.parts.iter().enumerate() {
        rows.push(Row::Part {
            number: place + 1,
            command: reveal(&part.command).into_owned(),
            because: part.because.clone(),
            class: part.class,
        });
    }
    if !review.parts.is_empty() {
        rows.push(Row::Text(String::new(), Scope::Text));
    }
    if !review.writes.is_empty() {
        rows.push(Row::Field("writes", review.writes.join(", ")));
    }
    rows.push(Row::Field("in", review.workdir.clone()));
    if let Some(reason) = &review.reason {
        rows.push(Row::Field("reason", format!("“{}”", reveal(reason))));
    }
    rows.push(Row::Field(
        "stops",
        format!("after {} s", review.timeout_ms.div_ceil(1_000)),
    ));
    rows
}

/// `2  find . -name '*.o' …   removes files`
fn part(number: usize, command: &str, because: &str, class: CommandClass, area: Rect, brush: &mut Brush) {
    let scope = match class {
        CommandClass::Plain => Scope::TextDim,
        CommandClass::Unknown => Scope::StateUnknown,
        CommandClass::Dangerous => Scope::DialogDanger,
    };
    let x = brush.run(
        area.x,
        area.y,
        area.right(),
        &[(&format!("{number:>2}  "), Scope::TextDim)],
    );
    let room = area.right().saturating_sub(x);
    let why = columns(because).min(room / 2);
    let shown = truncate(command, usize::from(room.saturating_sub(why + 2)));
    brush.scoped(x, area.y, room, &shown, Scope::Text);
    let because = truncate(because, usize::from(why));
    brush.right(area.right(), area.y, why, &because, scope);
}
