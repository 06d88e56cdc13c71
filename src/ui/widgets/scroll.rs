//! Scroll bars. Each is drawn in the column to the right of its list.

use ratatui::layout::Rect;

use crate::brush::Brush;
use benchdog_theme::Scope;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    pub first: usize,
    pub shown: usize,
    pub all: usize,
}

pub(crate) fn bar(extent: Extent, area: Rect, x: u16, brush: &mut Brush) {
    let height = usize::from(area.height);
    if let Some((start, length)) = thumb(extent, height) {
        for row in start..start + length {
            let y = area.y + u16::try_from(row).unwrap_or(0);
            brush.scoped(x, y, 1, "┃", Scope::Border);
        }
    }
}

/// Returns the first row and the length of the thumb on a track of `height` rows.
fn thumb(extent: Extent, height: usize) -> Option<(usize, usize)> {
    if height == 0 || extent.all <= extent.shown || extent.shown == 0 {
        return None;
    }
    let length = (height * extent.shown / extent.all).clamp(1, height);
    let travel = height - length;
    let most = extent.all - extent.shown;
    // The thumb touches an end of the track only if the list is scrolled to that end.
    let start = match extent.first.min(most) {
        0 => 0,
        first if first == most => travel,
        first => (travel * first / most).clamp(travel.min(1), travel.saturating_sub(1).max(travel.min(1))),
    };
    Some((start, length))
}

#[cfg(test)]
mod tests;
