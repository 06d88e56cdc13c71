//! The bottom row: at the left who works with what, in the middle what happens, at the right the keys that matter now.

use super::brush::{Brush, columns};
use crate::app::State;
use crate::app::status::{self, Mode};
use crate::base::text::truncate;
use crate::theme::Scope;

pub(super) fn draw(state: &State, brush: &mut Brush) {
    let Some(area) = state.layout.status else { return };
    brush.clear(area, Scope::Status);
    let shown = status::status(state);
    // The short text leaves out how long the turn takes, to keep room for the agent's name.
    let others = shown.others.iter().map(|(key, text)| (key.as_str(), text.as_str()));
    let all: Vec<(&str, &str)> = others
        .chain(shown.keys.iter().map(|(key, text)| (key.as_str(), *text)))
        .collect();
    let first = all.first().map_or(0, |(key, text)| columns(key) + 1 + columns(text));
    let needed = columns(&shown.middle) + columns(&shown.left) + first + 5;
    let text = if needed > area.width {
        &shown.middle_short
    } else {
        &shown.middle
    };
    let middle = columns(text);
    let mode = shown.left.split_once(' ').map_or(0, |(mode, _)| columns(mode) + 1);
    // The keys first, the most important even where little room is; then what happens; then who works.
    let keys = keys(
        &all,
        area.width
            .saturating_sub(middle.min(area.width / 2) + 3 + mode)
            .max(first + 1),
        brush,
        area.right(),
        area.y,
    );
    let room = keys.saturating_sub(area.x + 2);
    // A column stays free before the keys.
    let middle = truncate(text, usize::from(room.saturating_sub(1)));
    let width = columns(&middle);
    let before = room.saturating_sub(if width > 0 { width + 1 } else { 0 });
    let (agent, rest) = shown.left.split_once(' ').unwrap_or((&shown.left, ""));
    let mut left = area.x + 1;
    if columns(agent) <= before {
        let scope = match shown.mode {
            Mode::Asks => Scope::StatusMode,
            Mode::Unasked => Scope::StateUnknown,
            Mode::OnlyReads => Scope::StateOk,
        };
        left = brush.run(left, area.y, area.right(), &[(agent, scope)]);
        // Half a name tells little.
        let rest = truncate(rest, usize::from(before.saturating_sub(columns(agent) + 2)));
        if columns(&rest) > 4 {
            left = brush.run(
                left,
                area.y,
                area.right(),
                &[(" ", Scope::Status), (&rest, Scope::Status)],
            );
        }
    }
    let scope = if shown.middle_is_error || shown.waits {
        Scope::StatusKey
    } else {
        Scope::StatusStage
    };
    // In the middle of the window where it fits, so that it stays when an end changes.
    let centre = (area.width.saturating_sub(width)) / 2;
    let x = centre.min(keys.saturating_sub(width + 1)).max(left + 1);
    brush.scoped(x, area.y, keys.saturating_sub(x), &middle, scope);
}

/// As many keys as fit from the left of the list, right-aligned; the column they begin at.
fn keys(keys: &[(&str, &str)], room: u16, brush: &mut Brush, right: u16, y: u16) -> u16 {
    let width = |(key, text): &(&str, &str)| columns(key) + if text.is_empty() { 0 } else { 1 + columns(text) };
    let mut fitting = 0;
    let mut taken = 1;
    for key in keys {
        let more = width(key) + if fitting > 0 { 3 } else { 0 };
        if taken + more > room {
            break;
        }
        taken += more;
        fitting += 1;
    }
    let start = right.saturating_sub(taken);
    let mut x = start;
    for (place, (key, text)) in keys.iter().take(fitting).enumerate() {
        let gap = if place > 0 { " · " } else { "" };
        let before = if text.is_empty() { "" } else { " " };
        x = brush.run(
            x,
            y,
            right,
            &[
                (gap, Scope::Status),
                (key, Scope::StatusKey),
                (before, Scope::Status),
                (text, Scope::Status),
            ],
        );
    }
    start
}
