//! Clicks and the wheel. A click on the request that waits moves the keyboard into it and decides nothing.

use ratatui::layout::{Position, Rect};

use super::{drag, lists, marking, panes, request};
use crate::app::dialogs::Dialog;
use crate::app::dialogs::approval::RequestView;
use crate::app::layout::Pane;
use crate::app::msg::MouseKind;
use crate::app::op::Op;
use crate::app::panes::prompt::SIGN;
use crate::app::state::State;
use crate::keys::action::FilesAction;

/// Rows one step of the wheel moves.
const WHEEL: isize = 3;

pub(super) fn mouse(state: &mut State, kind: MouseKind, x: u16, y: u16, ops: &mut Vec<Op>) {
    let inside = |rect: Option<Rect>| rect.filter(|rect| rect.contains(Position::new(x, y)));
    match kind {
        MouseKind::Press => {
            state.dirty = true;
            state.stroke = None;
            drag::release(state);
            marking::press(state, x, y);
            if state.dialog.is_some() {
                if inside(state.layout.dialog).is_none() {
                    state.dialog = None;
                }
            } else if inside(state.layout.approval).is_some() {
                if !state.approvals.has_keyboard() {
                    request::enter(state);
                }
                let at = Position::new(x, y);
                if !drag::press_request(state, at) {
                    point(state, at);
                }
            } else if let Some((pane, rect)) = pane_at(state, x, y) {
                drag::press(state, pane);
                click(state, pane, x - rect.x, y - rect.y, ops);
            }
        }
        MouseKind::ScrollUp => wheel(state, -WHEEL, x, y),
        MouseKind::ScrollDown => wheel(state, WHEEL, x, y),
        MouseKind::Drag => {
            drag::drag(state, x, y);
            marking::drag(state, x, y);
        }
        MouseKind::Release => {
            drag::release(state);
            marking::release(state, ops);
        }
    }
}

/// A click on a line or a file of a proposal is where one looks from then on.
fn point(state: &mut State, at: Position) {
    let body = state.layout.approval_body;
    let (Some(body), Some(waiting)) = (body, state.approvals.front_mut()) else {
        return;
    };
    let (about, _) = waiting.split(body);
    let RequestView::Files(view) = &mut waiting.view else {
        return;
    };
    let (list, diff) = view.list_and_diff(about);
    if diff.contains(at) {
        view.click(at.y - diff.y);
    } else if let Some(list) = list.filter(|list| list.contains(at)) {
        let first = view.first_listed(usize::from(list.height));
        view.go_to_file(first + usize::from(at.y - list.y));
    }
}

fn pane_at(state: &State, x: u16, y: u16) -> Option<(Pane, Rect)> {
    Pane::ALL.into_iter().find_map(|pane| {
        let rect = state.layout.of(pane)?;
        rect.contains(Position::new(x, y)).then_some((pane, rect))
    })
}

fn click(state: &mut State, pane: Pane, x: u16, y: u16, ops: &mut Vec<Op>) {
    if state.approvals.has_keyboard() {
        state.approvals.leave();
    }
    let open_diff = state.changes.open.is_some();
    if open_diff && pane == Pane::Conversation {
        // The diff is what was clicked; the keyboard is with it already.
        state.focus = Pane::Changes;
        return;
    }
    if state.focus != pane {
        panes::to_pane(state, pane);
    }
    let row = usize::from(y);
    match pane {
        Pane::Prompt => state.prompt.buffer.click(x.saturating_sub(SIGN), y),
        Pane::Conversation => {
            // The first click is where one looks; one more opens what is named there.
            let again = state.conversation.is_selected(y);
            state.conversation.click(y);
            if let Some(spot) = state.conversation.spot_at(x, y).filter(|_| again) {
                lists::open_spot(state, spot, ops);
            }
        }
        Pane::Files => {
            let again = state.files.cursor.at == state.files.cursor.top + row;
            state.files.cursor.at = state.files.cursor.top + row;
            if again || state.files.current().is_some_and(|row| row.path.is_empty()) {
                lists::files(state, FilesAction::Preview, ops);
            }
        }
        Pane::Changes => state.changes.cursor.at = state.changes.cursor.top + row,
        Pane::Todo => state.todo.cursor.at = state.todo.cursor.top + row,
        Pane::Context => state.context.cursor.at = state.context.cursor.top + row,
    }
}

/// The wheel moves what lies under it; the keyboard stays where it is.
fn wheel(state: &mut State, by: isize, x: u16, y: u16) {
    let at = Position::new(x, y);
    let over = |rect: Option<Rect>| rect.is_some_and(|rect| rect.contains(at));
    state.dirty = true;
    if state.dialog.is_some() {
        match state.dialog.as_mut() {
            Some(Dialog::Palette(palette)) => palette.step(by),
            Some(Dialog::Picker(picker)) => picker.step(by),
            Some(Dialog::Help(help)) => help.scroll(by),
            Some(Dialog::Viewer(viewer)) => viewer.scroll(by),
            Some(Dialog::Sheet(sheet)) => sheet.scroll(by),
            Some(Dialog::Compaction(shown)) => shown.scroll(by),
            Some(Dialog::Jobs(shown)) => shown.scroll(by),
            None => {}
        }
        return;
    }
    if over(state.layout.approval) {
        match state.approvals.front_mut().map(|waiting| &mut waiting.view) {
            Some(RequestView::Files(view)) => view.scroll(by),
            Some(RequestView::Rows { top }) => *top = top.saturating_add_signed(by),
            Some(RequestView::Question(_) | RequestView::Unseen) | None => {}
        }
        return;
    }
    match pane_at(state, x, y) {
        Some((Pane::Conversation, _)) => match state.changes.open.as_mut() {
            Some(open) => open.view.scroll(by),
            None => state.conversation.scroll(by),
        },
        Some((Pane::Files, _)) => state.files.step(by),
        Some((Pane::Todo, _)) => state.todo.step(by),
        Some((Pane::Changes, _)) => state.changes.step(by),
        Some((Pane::Context, _)) => state.context.step(by),
        Some((Pane::Prompt, _)) | None => {}
    }
}
