//! The status line: focus and model on the left, activity in the middle, key hints on the right.

use super::brush::{Brush, columns};
use benchdog_app::State;
use benchdog_app::view::status::Mode;
use benchdog_app::view::status::bar::{BETWEEN, bar};
use benchdog_base::text::truncate;
use benchdog_theme::Scope;

pub(super) fn draw(state: &State, brush: &mut Brush) {
    if let Some(area) = state.layout.status_line {
        brush.clear(area, Scope::Status);
        let text = truncate(&state.screen.status_line, usize::from(area.width.saturating_sub(1)));
        brush.scoped(area.x + 1, area.y, area.width.saturating_sub(1), &text, Scope::TextDim);
    }
    let Some(area) = state.layout.status else { return };
    brush.clear(area, Scope::Status);
    let bar = bar(state, area);
    let agent = match bar.mode {
        Mode::Asks => Scope::StatusMode,
        Mode::Unasked | Mode::CommandsUnasked => Scope::StateUnknown,
        Mode::OnlyReads => Scope::StateOk,
    };
    let badge = brush.scoped(area.x, area.y, area.width, &bar.badge, Scope::StatusFocus);
    let left = [
        (bar.agent.as_str(), agent),
        (if bar.with.is_empty() { "" } else { " " }, Scope::Status),
        (bar.with.as_str(), Scope::Status),
    ];
    brush.run(area.x + badge + 1, area.y, area.right(), &left);
    let scope = if bar.middle_matters {
        Scope::StatusKey
    } else {
        Scope::StatusStage
    };
    let room = bar.keys_at.saturating_sub(bar.middle_at);
    brush.scoped(bar.middle_at, area.y, room, &bar.middle, scope);
    if bar.parted {
        let wide = columns(BETWEEN);
        brush.scoped(bar.keys_at.saturating_sub(wide), area.y, wide, BETWEEN, Scope::Status);
    }
    for (place, spot) in bar.keys.iter().enumerate() {
        let before = if spot.text.is_empty() { "" } else { " " };
        let pieces = [
            (spot.key.as_str(), Scope::StatusKey),
            (before, Scope::Status),
            (spot.text.as_str(), Scope::Status),
            (if place + 1 < bar.keys.len() { BETWEEN } else { "" }, Scope::Status),
        ];
        brush.run(spot.x, area.y, area.right(), &pieces);
    }
}
