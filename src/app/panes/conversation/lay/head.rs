//! The row of a call: its sign, its name, its title, and what came of it.

use super::super::decided::Decided;
use super::role;
use crate::app::line::{Line, Role};
use crate::base::text::{clean, fit, truncate, truncate_start, width as columns};
use crate::domain::summary::Summary;
use crate::domain::tool::TitleKind;
use crate::lang;
use crate::transcript::Mark;

/// Columns of a name, so that the titles of most calls begin below each other.
const NAME: usize = 6;

/// What came of a call. Of a change that has not room for all of it, first whose text it is gives way and then what was kept, each whole.
pub(super) fn what_came_of_it(
    summary: &Summary,
    decided: Option<&Decided>,
    (took_ms, images): (u64, usize),
    room: usize,
) -> String {
    let words = |summary: &Summary, is_edited: bool| -> String {
        let words = match took_ms {
            // Nobody notices less than a second.
            0..1_000 => lang::summary_of_call(summary),
            _ => lang::summary_with(summary, took_ms),
        };
        let words = lang::with_images(words, images);
        if is_edited {
            lang::edited_by_you(&words)
        } else {
            words.into()
        }
    };
    let is_edited = matches!(decided, Some(Decided::Edited));
    let mut said = words(summary, is_edited);
    if is_edited && columns(&said) > room {
        said = words(summary, false);
    }
    if let Summary::Changed {
        change,
        added,
        removed,
        kept: Some(_),
    } = summary
        && columns(&said) > room
    {
        let (change, added, removed) = (*change, *added, *removed);
        said = words(
            &Summary::Changed {
                change,
                added,
                removed,
                kept: None,
            },
            false,
        );
    }
    said
}

/// Columns for what came of a call, beside its title.
pub(super) fn room_of_summary(mark: Mark, name: &str, title: &str, width: usize) -> usize {
    let before = columns(mark.sign()) + 2 + columns(name).max(NAME);
    beside(before, &clean(title.lines().next().unwrap_or_default()), width)
}

/// Half of a row, and more where its title is short.
fn beside(before: usize, title: &str, width: usize) -> usize {
    width.saturating_sub(before + columns(title) + 2).max(width / 2)
}

/// `✓ read   src/money.rs          112 lines`
pub(super) fn head(mark: Mark, name: &str, (title, kind): (&str, TitleKind), summary: &str, width: usize) -> Line {
    let role = role(mark);
    let mut row = Line::of(role, mark.sign());
    row.push(Role::Tool, format!(" {} ", fit(name, columns(name).max(NAME))));
    let title = clean(title.lines().next().unwrap_or_default());
    let summary = clean(summary.lines().next().unwrap_or_default());
    let summary = truncate(&summary, beside(row.width(), &title, width));
    let room = width.saturating_sub(row.width() + columns(&summary) + 2);
    let shown = match kind {
        TitleKind::Path => truncate_start(&title, room),
        TitleKind::Words => truncate(&title, room),
    };
    row.push(Role::Text, shown.into_owned());
    row.right(if role == Role::Ok { Role::Dim } else { role }, &summary, width);
    row
}
