//! Clicks and the mouse wheel. A click on a request focuses the review but never decides. A press on text becomes a
//! click if the mouse is released in the same cell, and otherwise a selection.

use ratatui::layout::{Position, Rect};

use super::{clicks, drag, lists, marking, panes, request};
use crate::cursor::Cursor;
use crate::dialogs::Dialog;
use crate::dialogs::approval::RequestView;
use crate::layout::Pane;
use crate::msg::MouseKind;
use crate::op::Op;
use crate::panes::prompt::SIGN;
use crate::pointer::{ClickedList, PendingClick};
use crate::state::State;
use crate::view::status::bar;
use benchdog_base::id::CallId;
use benchdog_keys::action::{ChangesAction, ContextAction, FilesAction, PickerAction, TodoAction};

const WHEEL: isize = 3;

pub(super) fn mouse(state: &mut State, kind: MouseKind, x: u16, y: u16, ops: &mut Vec<Op>) {
    if matches!(kind, MouseKind::Press | MouseKind::ScrollUp | MouseKind::ScrollDown) {
        state.screen.approvals.note_input();
        state.screen.approvals.take_early();
    }
    match kind {
        MouseKind::Press => press(state, x, y, ops),
        MouseKind::ScrollUp => wheel(state, -WHEEL, x, y),
        MouseKind::ScrollDown => wheel(state, WHEEL, x, y),
        MouseKind::Drag => {
            state.pointer.press.take_if(|press| press.at != Position::new(x, y));
            drag::drag(state, x, y);
            marking::drag(state, x, y);
        }
        MouseKind::Release => {
            drag::release(state);
            marking::release(state, ops);
            let press = state.pointer.press.take();
            if let Some(press) = press.filter(|press| press.at == Position::new(x, y)) {
                click_on_release(state, &press, ops);
            }
        }
    }
}

fn shown(state: &State) -> Option<CallId> {
    state.screen.approvals.front().map(|front| front.request.call.clone())
}

/// Handles a release as a click, if the mouse is still on the same item.
fn click_on_release(state: &mut State, press: &PendingClick, ops: &mut Vec<Op>) {
    let at = press.at;
    let on_request = state.layout.approval.is_some_and(|rect| rect.contains(at));
    let pane = pane_at(state, at.x, at.y).filter(|(pane, _)| *pane == Pane::Conversation && !on_request);
    state.dirty = true;
    if state.screen.dialog.is_some() {
        return;
    }
    if press.request.is_some() {
        if on_request && !state.screen.approvals.has_focus() && shown(state) == press.request {
            request::enter(state);
            clicks::request(state, at);
        }
    } else if let Some((pane, rect)) = pane {
        click(state, pane, at.x - rect.x, at.y - rect.y, ops);
    }
}

fn press(state: &mut State, x: u16, y: u16, ops: &mut Vec<Op>) {
    let at = Position::new(x, y);
    let inside = |rect: Option<Rect>| rect.filter(|rect| rect.contains(at));
    state.dirty = true;
    let bar = state.layout.status.filter(|area| area.contains(at));
    let hint = bar.and_then(|area| bar::bar(state, area).action_at(x));
    let of_request = inside(state.layout.approval).is_some();
    (state.stroke, state.pointer.press) = (None, None);
    drag::release(state);
    marking::press(state, x, y);
    if let Some(action) = hint {
        clicks::hint(state, action, ops);
    } else if state.screen.dialog.is_some() {
        match inside(state.layout.dialog) {
            Some(rect) => clicks::dialog(state, rect, at, ops),
            None => state.screen.dialog = None,
        }
    } else if let Some(rect) = inside(state.layout.completion).filter(|_| state.screen.prompt.completion.is_some()) {
        clicks::completion(state, rect, at, ops);
    } else if of_request && !state.screen.approvals.has_focus() {
        let request = shown(state);
        state.pointer.press = Some(PendingClick { at, request });
    } else if inside(state.layout.approval_keys).is_some() && of_request {
        clicks::keys_of_request(state, x, ops);
    } else if of_request {
        if !drag::press_request(state, at) {
            clicks::request(state, at);
        }
    } else if let Some((pane, rect)) = pane_at(state, x, y) {
        drag::press(state, pane);
        if pane == Pane::Conversation {
            state.pointer.press = Some(PendingClick { at, request: None });
        } else {
            click(state, pane, x - rect.x, y - rect.y, ops);
        }
    }
}

fn pane_at(state: &State, x: u16, y: u16) -> Option<(Pane, Rect)> {
    Pane::ALL.into_iter().find_map(|pane| {
        let rect = state.layout.of(pane)?;
        rect.contains(Position::new(x, y)).then_some((pane, rect))
    })
}

fn click(state: &mut State, pane: Pane, x: u16, y: u16, ops: &mut Vec<Op>) {
    state.screen.approvals.leave();
    let open_diff = state.screen.changes.open.is_some();
    if open_diff && pane == Pane::Conversation {
        // An open diff belongs to the changes pane, so focus that pane.
        state.screen.focus = Pane::Changes;
        return;
    }
    if state.screen.focus != pane {
        panes::to_pane(state, pane);
    }
    let row = usize::from(y);
    match pane {
        Pane::Prompt => state.screen.prompt.buffer.click(x.saturating_sub(SIGN), y),
        Pane::Conversation => {
            // The first click selects the block, and the second opens the file position.
            let again = state.screen.conversation.is_selected(y);
            state.screen.conversation.click(y);
            if let Some(spot) = state.screen.conversation.spot_at(x, y).filter(|_| again) {
                lists::open_spot(state, spot, ops);
            }
        }
        Pane::Files => {
            let again = state.screen.files.cursor.at == state.screen.files.cursor.top + row;
            state.screen.files.cursor.at = state.screen.files.cursor.top + row;
            if state.screen.files.is_narrowed() {
                if again {
                    lists::filter(state, PickerAction::Take, ops);
                }
            } else if again || state.screen.files.current().is_some_and(|row| row.path.is_empty()) {
                lists::files(state, FilesAction::Preview, ops);
            }
        }
        Pane::Changes => {
            if points(state, pane, |state| &mut state.screen.changes.cursor, row) {
                lists::changes(state, ChangesAction::Open, ops);
            }
        }
        Pane::Todo => {
            if points(state, pane, |state| &mut state.screen.todo.cursor, row) {
                lists::todo(state, TodoAction::Edit, ops);
            }
        }
        Pane::Context => {
            if points(state, pane, |state| &mut state.screen.context.cursor, row) {
                lists::context(state, ContextAction::Open, ops);
            }
        }
    }
}

fn points(state: &mut State, pane: Pane, cursor: fn(&mut State) -> &mut Cursor, row: usize) -> bool {
    let cursor = cursor(state);
    cursor.at = cursor.top + row;
    let place = cursor.at;
    clicks::again(state, ClickedList::Pane(pane), place)
}

fn wheel(state: &mut State, by: isize, x: u16, y: u16) {
    let at = Position::new(x, y);
    let over = |rect: Option<Rect>| rect.is_some_and(|rect| rect.contains(at));
    state.dirty = true;
    state.pointer.last_click = None;
    if state.screen.dialog.is_some() {
        match state.screen.dialog.as_mut() {
            Some(Dialog::Palette(palette)) => palette.step(by),
            Some(Dialog::Picker(picker)) => picker.step(by),
            Some(Dialog::Help(help)) => help.scroll(by),
            Some(Dialog::Viewer(viewer)) => viewer.scroll(by),
            Some(Dialog::Sheet(sheet)) => sheet.scroll(by),
            Some(Dialog::Compaction(shown)) => shown.scroll(by),
            Some(Dialog::Jobs(shown)) => shown.scroll(by),
            Some(Dialog::Setup(form)) => form.step(by.signum()),
            None => {}
        }
        return;
    }
    if over(state.layout.approval) {
        match state.screen.approvals.front_mut().map(|waiting| &mut waiting.view) {
            Some(RequestView::Files(view)) => view.scroll(by),
            Some(RequestView::Rows { top, seen }) => *top = seen.led(*top, by),
            Some(RequestView::Question(_) | RequestView::Unseen) | None => {}
        }
        return;
    }
    match pane_at(state, x, y) {
        Some((Pane::Conversation, _)) => match state.screen.changes.open.as_mut() {
            Some(open) => open.view.scroll(by),
            None => state.screen.conversation.scroll(by),
        },
        Some((Pane::Files, _)) => state.screen.files.step(by),
        Some((Pane::Todo, _)) => state.screen.todo.step(by),
        Some((Pane::Changes, _)) => state.screen.changes.step(by),
        Some((Pane::Context, _)) => state.screen.context.step(by),
        Some((Pane::Prompt, _)) | None => {}
    }
}
