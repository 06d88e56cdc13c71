//! Clicks on rows and key hints. The first click on a row selects the row, and the second click acts like Enter. A
//! click on a key hint acts like the key, so it decides only a focused request.

use ratatui::layout::{Position, Rect};

use super::{dialogs, perform, prompt};
use crate::dialogs::Dialog;
use crate::dialogs::approval::RequestView;
use crate::dialogs::jobs::places;
use crate::dialogs::picker::{Picker, PickerKind};
use crate::dialogs::question::row_at;
use crate::layout::{filter_and_list, inside, padded};
use crate::op::Op;
use crate::pointer::{ClickTarget, ClickedList};
use crate::state::State;
use crate::view::dialog_keys::KeyRow;
use crate::view::request_keys::placed;
use benchdog_keys::Action;
use benchdog_keys::action::{CompletionAction, GlobalAction, PickerAction, ReasonAction};
use benchdog_lang::{Word, word};

/// Whether the last click was on this row. If so, the next click counts as a first click again.
pub(super) fn again(state: &mut State, list: ClickedList, row: usize) -> bool {
    let now = ClickTarget { list, row };
    let again = state.pointer.last_click == Some(now);
    state.pointer.last_click = (!again).then_some(now);
    again
}

pub(super) fn hint(state: &mut State, action: Action, ops: &mut Vec<Op>) {
    let sends = matches!(
        action,
        Action::Global(GlobalAction::OnceNow | GlobalAction::DenyNow) | Action::Reason(ReasonAction::Send)
    );
    if action.decides() || sends {
        state.offer(word(Word::PressTheKey), false);
    } else {
        perform::act(state, action, ops);
    }
}

pub(super) fn keys_of_request(state: &mut State, x: u16, ops: &mut Vec<Op>) {
    let (Some(row), Some(waiting)) = (state.layout.approval_keys, state.screen.approvals.front()) else {
        return;
    };
    let placed = placed(state, waiting, row);
    if let Some(found) = placed.iter().find(|placed| (placed.x..placed.end).contains(&x)) {
        let action = found.action;
        hint(state, action, ops);
    }
}

pub(super) fn request(state: &mut State, at: Position) {
    let body = state.layout.approval_body;
    let (Some(body), Some(waiting)) = (body, state.screen.approvals.front_mut()) else {
        return;
    };
    let (about, _) = waiting.split(body);
    match &mut waiting.view {
        RequestView::Files(view) => {
            let (list, diff) = view.list_and_diff(about);
            if diff.contains(at) {
                view.click(at.y - diff.y);
            } else if let Some(list) = list.filter(|list| list.contains(at)) {
                let first = view.first_listed(usize::from(list.height));
                view.go_to_file(first + usize::from(at.y - list.y));
            }
        }
        RequestView::Question(view) => {
            let area = padded(about);
            let row = at.y.checked_sub(area.y).filter(|_| at.y < area.bottom());
            let row = row.and_then(|n| row_at(view, n, area.width, area.height));
            if !row.is_some_and(|row| view.click(&row)) {
                return;
            }
            let place = view.under_cursor();
            if again(state, ClickedList::Question, place)
                && let Some(RequestView::Question(view)) =
                    state.screen.approvals.front_mut().map(|waiting| &mut waiting.view)
            {
                view.toggle();
            }
        }
        RequestView::Rows { .. } | RequestView::Unseen => {}
    }
}

fn key_at(state: &State, inside: Rect, at: Position) -> Option<Action> {
    let is_there = inside.contains(at) && at.y + 1 == inside.bottom();
    KeyRow::of(state).filter(|_| is_there)?.action_at(at.x - inside.x)
}

pub(super) fn dialog(state: &mut State, area: Rect, at: Position, ops: &mut Vec<Op>) {
    if let Some(action) = key_at(state, inside(area), at) {
        return hint(state, action, ops);
    }
    let (_, list) = filter_and_list(area);
    let jobs = state.screen.jobs.len();
    let place = match state.screen.dialog.as_mut() {
        Some(Dialog::Palette(palette)) => {
            let place = row_in(list, at, palette.cursor.top, palette.rows.len());
            palette.cursor.at = place.unwrap_or(palette.cursor.at);
            place
        }
        Some(Dialog::Picker(picker)) => {
            let place = row_of_picker(picker, list, at);
            if let Some(place) = place {
                dialogs::point(picker, place);
            }
            place
        }
        Some(Dialog::Jobs(shown)) => {
            let list = places(inside(area), jobs).list;
            if let Some(place) = row_in(list, at, shown.cursor.top, jobs) {
                shown.point(place);
            }
            None
        }
        Some(Dialog::Help(_) | Dialog::Setup(_) | Dialog::Viewer(_) | Dialog::Sheet(_) | Dialog::Compaction(_))
        | None => None,
    };
    if place.is_some_and(|place| again(state, ClickedList::Dialog, place)) {
        perform::act(state, Action::Picker(PickerAction::Take), ops);
    }
}

fn row_of_picker(picker: &Picker, list: Rect, at: Position) -> Option<usize> {
    // Such a picker shows an input line instead of rows.
    if matches!(picker.kind, PickerKind::Setting | PickerKind::Rename) {
        return None;
    }
    let said = picker.said_rows(list.width, list.height).len();
    let said = u16::try_from(said).unwrap_or(list.height);
    let list = Rect {
        height: list.height.saturating_sub(said),
        ..list
    };
    row_in(list, at, picker.cursor.top, picker.shown.len())
}

fn row_in(list: Rect, at: Position, top: usize, all: usize) -> Option<usize> {
    let place = top + usize::from(at.y.checked_sub(list.y)?);
    (list.contains(at) && place < all).then_some(place)
}

/// Handles a click on the completion list. The second click acts like Tab, because Enter would send the prompt.
pub(super) fn completion(state: &mut State, area: Rect, at: Position, ops: &mut Vec<Op>) {
    let Some(list) = &mut state.screen.prompt.completion else {
        return;
    };
    let Some(place) = row_in(area, at, list.top(usize::from(area.height)), list.items.len()) else {
        return;
    };
    list.selected = place;
    if again(state, ClickedList::Completion, place) {
        prompt::complete(state, CompletionAction::Accept, ops);
    }
}
