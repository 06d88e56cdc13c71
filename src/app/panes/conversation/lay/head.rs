//! Renders the row of a call: mark, name, title, and result.

use std::borrow::Cow;

use super::super::decided::Decided;
use super::role;
use crate::line::{Line, Role};
use crate::names;
use benchdog_base::text::{clean, fit, truncate, truncate_start, width as columns};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::TitleKind;
use benchdog_domain::undo::UNDO;
use benchdog_lang as lang;
use benchdog_transcript::Mark;

/// Width of the name, so that the titles of most calls are aligned.
const NAME: usize = 6;

/// Returns the result of a call. If too wide, omits the note about the user's edits, then the number of hunks.
pub(super) fn what_came_of_it(
    summary: &Summary,
    decided: Option<&Decided>,
    (took_ms, images): (u64, usize),
    room: usize,
) -> String {
    let mark = match decided {
        Some(Decided::Edited) => Some(lang::message::summary_edited as fn(&str) -> String),
        Some(Decided::Confined) => Some(lang::message::summary_confined as fn(&str) -> String),
        Some(Decided::Refused(_)) | None => None,
    };
    let words = |summary: &Summary, mark: Option<fn(&str) -> String>| -> String {
        let words = match took_ms {
            0..1_000 => lang::summary_of_call(summary),
            _ => lang::summary_with(summary, took_ms),
        };
        let words = lang::with_images(words, images);
        match mark {
            Some(mark) => mark(&words),
            None => words.into(),
        }
    };
    let mut said = words(summary, mark);
    if mark.is_some() && columns(&said) > room {
        said = words(summary, None);
    }
    if columns(&said) > room
        && let Some(less) = without_kept(summary)
    {
        said = words(&less, None);
    }
    said
}

fn without_kept(summary: &Summary) -> Option<Summary> {
    match summary {
        Summary::Changed {
            change,
            added,
            removed,
            kept: Some(_),
        } => Some(Summary::Changed {
            change: *change,
            added: *added,
            removed: *removed,
            kept: None,
        }),
        Summary::ChangedFiles {
            files,
            added,
            removed,
            of: Some(_),
        } => Some(Summary::ChangedFiles {
            files: *files,
            added: *added,
            removed: *removed,
            of: None,
        }),
        _ => None,
    }
}

/// Returns the title and the result for the row of an undo. The title lists short, distinct file names.
pub(super) fn taken_back<'t>(
    mark: Mark,
    title: &str,
    (summary, said): (Option<&Summary>, Cow<'t, str>),
    width: usize,
) -> (String, Cow<'t, str>) {
    let room = room_of_summary(mark, UNDO, title, width);
    let said = match summary.and_then(without_kept) {
        Some(less) if columns(&said) > room => lang::summary(&less).into_owned().into(),
        Some(_) | None => said,
    };
    let beside = width.saturating_sub(before_title(mark, UNDO) + columns(&said).min(room) + 2);
    (names::listed(title, beside), said)
}

pub(super) fn room_of_summary(mark: Mark, name: &str, title: &str, width: usize) -> usize {
    let title = clean(title.lines().next().unwrap_or_default());
    beside(before_title(mark, name), &title, width)
}

fn before_title(mark: Mark, name: &str) -> usize {
    columns(mark.sign()) + 2 + columns(name).max(NAME)
}

fn beside(before: usize, title: &str, width: usize) -> usize {
    width.saturating_sub(before + columns(title) + 2).max(width / 2)
}

/// Returns the row of a call, such as `✓ read   src/money.rs          112 lines`.
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
