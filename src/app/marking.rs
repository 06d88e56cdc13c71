//! Text selection with the mouse. A selection stays in one area, and copies the original text instead of wrapped rows.

use std::ops::Range;

use ratatui::layout::Rect;

use super::dialogs::Dialog;
use super::dialogs::approval::RequestView;
use super::diff_view::DiffView;
use super::layout::{Pane, inside};
use super::state::State;
use benchdog_base::text::{grapheme_width, graphemes};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    Conversation,
    Change(Side),
    Proposal(Side),
    Viewer,
}

/// The unified layout has only the right side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// Block and row in the conversation, otherwise only the line.
pub(crate) type Place = (usize, usize);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Letter {
    pub place: Place,
    pub bytes: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marking {
    pub surface: Surface,
    pub(super) from: Letter,
    pub(super) upto: Letter,
    pub(super) dragged: bool,
}

pub struct Row {
    pub place: Place,
    pub x: u16,
    pub text: String,
    pub start: usize,
}

impl Row {
    /// The character in this column, or an empty range after the last one.
    pub(super) fn letter(&self, x: u16) -> Letter {
        let mut right = usize::from(self.x);
        let under = graphemes(&self.text).find(|(_, letter)| {
            right += grapheme_width(letter);
            usize::from(x) < right
        });
        let bytes = match under {
            _ if x < self.x => 0..0,
            Some((at, letter)) => at..at + letter.len(),
            None => self.text.len()..self.text.len(),
        };
        Letter {
            place: self.place,
            bytes: self.start + bytes.start..self.start + bytes.end,
        }
    }
}

impl Marking {
    pub(super) fn ends(&self) -> ((Place, usize), (Place, usize)) {
        let first = |letter: &Letter| (letter.place, letter.bytes.start);
        let end = |letter: &Letter| (letter.place, letter.bytes.end);
        (
            first(&self.from).min(first(&self.upto)),
            end(&self.from).max(end(&self.upto)),
        )
    }

    /// The selected bytes within a part of a line. `None` if the line is outside of the selection.
    pub(super) fn within(&self, place: Place, part: &Range<usize>) -> Option<Range<usize>> {
        let (first, end) = self.ends();
        if !self.dragged || place < first.0 || place > end.0 {
            return None;
        }
        let from = if place == first.0 { first.1 } else { part.start };
        let upto = if place == end.0 { end.1 } else { part.end };
        let from = from.clamp(part.start, part.end);
        Some(from..upto.clamp(from, part.end))
    }

    pub fn is_dragged(&self) -> bool {
        self.dragged
    }

    pub fn on(&self, row: &Row) -> Option<Range<usize>> {
        let bytes = self.within(row.place, &(row.start..row.start + row.text.len()))?;
        Some(bytes.start - row.start..bytes.end - row.start)
    }
}

pub(super) fn surface_at(state: &State, x: u16, y: u16) -> Option<Surface> {
    let all = [
        Surface::Viewer,
        Surface::Proposal(Side::Left),
        Surface::Proposal(Side::Right),
        Surface::Change(Side::Left),
        Surface::Change(Side::Right),
        Surface::Conversation,
    ];
    all.into_iter()
        .find(|surface| area(state, *surface).is_some_and(|area| area.contains((x, y).into())))
}

pub fn area(state: &State, surface: Surface) -> Option<Rect> {
    match surface {
        Surface::Viewer => match state.dialog {
            Some(Dialog::Viewer(_)) => state.layout.dialog.map(inside),
            _ => None,
        },
        // A dialog covers the rest.
        _ if state.dialog.is_some() => None,
        Surface::Proposal(side) => {
            let (view, area) = proposal(state)?;
            view.half(side, area)
        }
        Surface::Change(side) => {
            let view = &state.changes.open.as_ref()?.view;
            view.half(side, state.layout.of(Pane::Conversation)?)
        }
        Surface::Conversation if state.changes.open.is_some() => None,
        Surface::Conversation => state.layout.of(Pane::Conversation),
    }
}

fn proposal(state: &State) -> Option<(&DiffView, Rect)> {
    let waiting = state.approvals.front()?;
    let (about, _) = waiting.split(state.layout.approval_body?);
    match &waiting.view {
        RequestView::Files(view) => Some((view, view.list_and_diff(about).1)),
        _ => None,
    }
}

/// The visible rows of a surface. `None` is a row without selectable text.
pub fn rows(state: &State, surface: Surface) -> Vec<Option<Row>> {
    let Some(area) = area(state, surface) else {
        return Vec::new();
    };
    let height = usize::from(area.height);
    let mut rows = match surface {
        Surface::Conversation => (0..height).map(|n| state.conversation.marked_row(n, area.x)).collect(),
        Surface::Viewer => match &state.dialog {
            Some(Dialog::Viewer(viewer)) => viewer.marked_rows(area),
            _ => Vec::new(),
        },
        Surface::Change(side) => match &state.changes.open {
            Some(open) => open.view.marked_rows(side, area.x),
            None => Vec::new(),
        },
        Surface::Proposal(side) => proposal(state).map_or_else(Vec::new, |(view, _)| view.marked_rows(side, area.x)),
    };
    rows.truncate(height);
    rows
}

pub(super) fn text(state: &mut State, marking: &Marking) -> String {
    match marking.surface {
        Surface::Conversation => state.conversation.marked_text(marking),
        Surface::Viewer => match &state.dialog {
            Some(Dialog::Viewer(viewer)) => viewer.marked_text(marking),
            _ => String::new(),
        },
        Surface::Change(side) => match &state.changes.open {
            Some(open) => open.view.marked_text(marking, side),
            None => String::new(),
        },
        Surface::Proposal(side) => {
            proposal(state).map_or_else(String::new, |(view, _)| view.marked_text(marking, side))
        }
    }
}

/// Joins the selected lines. A completely selected line is copied in its original form.
pub(super) fn lines<'l>(
    marking: &Marking,
    lines: impl Iterator<Item = (Place, String, std::borrow::Cow<'l, str>)>,
) -> String {
    let mut text = String::new();
    for (n, (place, shown, written)) in lines.enumerate() {
        if n > 0 {
            text.push('\n');
        }
        match marking.within(place, &(0..shown.len())) {
            Some(bytes) if bytes == (0..shown.len()) => text.push_str(&written),
            Some(bytes) => text.push_str(shown.get(bytes).unwrap_or_default()),
            None => {}
        }
    }
    text
}
