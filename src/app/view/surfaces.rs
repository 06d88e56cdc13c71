//! The areas whose text can be selected, and their visible rows.

use ratatui::layout::Rect;

use crate::dialogs::Dialog;
use crate::dialogs::approval::RequestView;
use crate::diff_view::DiffView;
use crate::layout::{Pane, inside};
use crate::marking::{Marking, Row, Side, Surface};
use crate::state::State;

pub(crate) fn surface_at(state: &State, x: u16, y: u16) -> Option<Surface> {
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
        Surface::Viewer => match state.screen.dialog {
            Some(Dialog::Viewer(_)) => state.layout.dialog.map(inside),
            _ => None,
        },
        // A dialog covers all other areas.
        _ if state.screen.dialog.is_some() => None,
        Surface::Proposal(side) => {
            let (view, area) = proposal(state)?;
            view.half(side, area)
        }
        Surface::Change(side) => {
            let view = &state.screen.changes.open.as_ref()?.view;
            view.half(side, state.layout.of(Pane::Conversation)?)
        }
        Surface::Conversation if state.screen.changes.open.is_some() => None,
        Surface::Conversation => state.layout.of(Pane::Conversation),
    }
}

fn proposal(state: &State) -> Option<(&DiffView, Rect)> {
    let waiting = state.screen.approvals.front()?;
    let (about, _) = waiting.split(state.layout.approval_body?);
    match &waiting.view {
        RequestView::Files(view) => Some((view, view.list_and_diff(about).1)),
        _ => None,
    }
}

/// Returns the visible rows of an area. `None` is a row whose text cannot be selected.
pub fn rows(state: &State, surface: Surface) -> Vec<Option<Row>> {
    let Some(area) = area(state, surface) else {
        return Vec::new();
    };
    let height = usize::from(area.height);
    let mut rows = match surface {
        Surface::Conversation => (0..height)
            .map(|n| state.screen.conversation.marked_row(n, area.x))
            .collect(),
        Surface::Viewer => match &state.screen.dialog {
            Some(Dialog::Viewer(viewer)) => viewer.marked_rows(area),
            _ => Vec::new(),
        },
        Surface::Change(side) => match &state.screen.changes.open {
            Some(open) => open.view.marked_rows(side, area.x),
            None => Vec::new(),
        },
        Surface::Proposal(side) => proposal(state).map_or_else(Vec::new, |(view, _)| view.marked_rows(side, area.x)),
    };
    rows.truncate(height);
    rows
}

pub(crate) fn text(state: &mut State, marking: &Marking) -> String {
    match marking.surface {
        Surface::Conversation => state.screen.conversation.marked_text(marking),
        Surface::Viewer => match &state.screen.dialog {
            Some(Dialog::Viewer(viewer)) => viewer.marked_text(marking),
            _ => String::new(),
        },
        Surface::Change(side) => match &state.screen.changes.open {
            Some(open) => open.view.marked_text(marking, side),
            None => String::new(),
        },
        Surface::Proposal(side) => {
            proposal(state).map_or_else(String::new, |(view, _)| view.marked_text(marking, side))
        }
    }
}
