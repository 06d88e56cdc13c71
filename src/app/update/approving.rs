//! Keys inside the approval and question dialogs, and what is sent when the person decided.
//!
//! A letter that does not count yet is typing, and typing goes to the prompt, the keyboard with it.

use super::keys::{self, meaning, type_char};
use super::perform;
use crate::app::dialogs::approval::{RequestView, Step};
use crate::app::layout::Pane;
use crate::app::msg::EditTicket;
use crate::app::op::Op;
use crate::app::panes::prompt::buffer::{Buffer, Move};
use crate::app::state::State;
use crate::base::id::CallId;
use crate::domain::permission::Decision;
use crate::keys::{Action, Key, KeyCode};
use crate::protocol::Command;

pub(super) fn key(state: &mut State, key: Key, lit: bool, ops: &mut Vec<Op>) {
    let Some(step) = state
        .approvals
        .front_mut()
        .map(|waiting| std::mem::replace(&mut waiting.step, Step::Deciding))
    else {
        return;
    };
    match step {
        Step::Reason(buffer) => reason(state, buffer, key, ops),
        Step::ConfirmAlways(scope) => {
            let yes = key.printable() == Some('y') || key.code == KeyCode::Enter;
            if yes && lit {
                decide(state, ops, |kept| Decision::Always { scope, kept });
            } else if key.code == KeyCode::Enter {
                // Too early: the scope stays on screen.
                set_step(state, Step::ConfirmAlways(scope));
            } else if key.code != KeyCode::Esc {
                deciding(state, key, false, ops);
            }
        }
        // Any key closes the reason why; one that scrolls or decides does not do so as well.
        Step::Why => {
            if key.code != KeyCode::Esc && key.printable() != Some('?') {
                deciding(state, key, lit, ops);
            }
        }
        Step::Deciding if state.approvals.front_is_question() => question(state, key, lit, ops),
        Step::Deciding => deciding(state, key, lit, ops),
    }
}

fn set_step(state: &mut State, step: Step) {
    if let Some(waiting) = state.approvals.front_mut() {
        waiting.step = step;
    }
}

/// The letters of the dialog. `lit`: the ones that decide count.
fn deciding(state: &mut State, key: Key, lit: bool, ops: &mut Vec<Op>) {
    let typed = key.printable();
    let settled = state.approvals.settled();
    let Some(action) = meaning(state, key) else {
        return match keys::typed(state, key) {
            Some(c) if state.stroke.is_none() => back_to_prompt(state, c, ops),
            _ => {}
        };
    };
    if let Some(c) = typed {
        let counts = if decides(action) { lit } else { settled };
        if !counts || !is_own(action) {
            return back_to_prompt(state, c, ops);
        }
    }
    match action {
        Action::Once => decide(state, ops, |kept| Decision::Once { kept }),
        Action::Always => always(state),
        Action::Deny => decide(state, ops, |_| Decision::Deny { reason: None }),
        Action::DenyReason => set_step(state, Step::Reason(Buffer::default())),
        Action::Why => set_step(state, Step::Why),
        Action::EditProposal => edit(state, ops),
        Action::LeaveApproval | Action::CloseOrInterrupt | Action::ToPrompt => leave(state),
        // Enter means nothing here, whatever else it means elsewhere.
        Action::OpenThis | Action::Review => {}
        moving if move_in(state, moving) => {}
        other => perform::action(state, other, ops),
    }
}

/// Letters that change what will be done.
fn decides(action: Action) -> bool {
    matches!(
        action,
        Action::Once | Action::Always | Action::Deny | Action::DenyReason | Action::KeepOrDrop | Action::EditProposal
    )
}

/// Letters that mean something inside the dialog. What a list elsewhere makes of `y`, `n` or `i` does not count here.
fn is_own(action: Action) -> bool {
    decides(action)
        || matches!(
            action,
            Action::Why
                | Action::SideOrUnified
                | Action::Wrap
                | Action::HunkNext
                | Action::HunkPrevious
                | Action::RowUp
                | Action::RowDown
                | Action::RowLeft
                | Action::RowRight
                | Action::ListTop
                | Action::ListEnd
                | Action::AnswerToggle
        )
}

fn back_to_prompt(state: &mut State, c: char, ops: &mut Vec<Op>) {
    leave(state);
    type_char(state, c, ops);
}

fn leave(state: &mut State) {
    state.approvals.leave();
    state.focus = Pane::Prompt;
}

/// Scrolling and the view's own switches. `false`: the action is none of these.
fn move_in(state: &mut State, action: Action) -> bool {
    let page = state.layout.approval_body.map_or(1, |body| body.height.max(1));
    let Some(waiting) = state.approvals.front_mut() else {
        return false;
    };
    match &mut waiting.view {
        RequestView::Files(view) => move_diff(view, action),
        RequestView::Rows { top } => {
            *top = match action {
                Action::RowUp => top.saturating_sub(1),
                Action::RowDown => *top + 1,
                Action::PageUp => top.saturating_sub(usize::from(page)),
                Action::PageDown => *top + usize::from(page),
                Action::ListTop => 0,
                _ => return false,
            };
            true
        }
        RequestView::Question(_) | RequestView::Unseen => false,
    }
}

/// What the keys of a diff do to a view; the changes pane uses it too.
pub(super) fn move_diff(view: &mut crate::app::diff_view::DiffView, action: Action) -> bool {
    match action {
        Action::RowUp => view.scroll(-1),
        Action::RowDown => view.scroll(1),
        Action::RowLeft => view.sideways(-8),
        Action::RowRight => view.sideways(8),
        Action::PageUp => view.page(-1),
        Action::PageDown => view.page(1),
        Action::ListTop => view.jump_top(),
        Action::ListEnd => view.jump_end(),
        Action::HunkNext => view.step_hunk(1),
        Action::HunkPrevious => view.step_hunk(-1),
        Action::SideOrUnified => view.toggle_layout(),
        Action::Wrap => view.toggle_wrap(),
        Action::KeepOrDrop => view.toggle_hunk(),
        _ => return false,
    }
    true
}

fn always(state: &mut State) {
    match state.approvals.front().map(|waiting| waiting.scope().cloned()) {
        Some(Some(scope)) => set_step(state, Step::ConfirmAlways(scope)),
        _ => state.say("this can only be accepted once", true),
    }
}

/// Sends the decision on the request in front, and on no other.
fn decide(state: &mut State, ops: &mut Vec<Op>, decision: impl FnOnce(crate::domain::permission::Kept) -> Decision) {
    let Some(waiting) = state.approvals.front() else { return };
    let call = waiting.request.call.clone();
    let kept = waiting.kept();
    let decision = decision(kept.clone().unwrap_or_default());
    if kept.is_none() && !matches!(decision, Decision::Deny { .. }) {
        state.say("no hunk is kept: n refuses", true);
        return;
    }
    settle(state, &call);
    ops.push(Op::Send(Command::Decide { call, decision }));
}

/// The request is answered and leaves the screen.
pub(super) fn settle(state: &mut State, call: &CallId) {
    let now = state.now;
    state.approvals.remove(call, now);
    state.conversation.tool_decided(call);
}

fn reason(state: &mut State, mut buffer: Buffer, key: Key, ops: &mut Vec<Op>) {
    match key.code {
        KeyCode::Enter => {
            let reason = buffer.expanded();
            let reason = Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty());
            return decide(state, ops, |_| Decision::Deny { reason });
        }
        KeyCode::Esc => return,
        _ => edit_buffer(&mut buffer, keys::typed(state, key).map_or(key, Key::char)),
    }
    set_step(state, Step::Reason(buffer));
}

/// The keys of a one-line text.
fn edit_buffer(buffer: &mut Buffer, key: Key) {
    match key.code {
        KeyCode::Left => buffer.go(Move::Left),
        KeyCode::Right => buffer.go(Move::Right),
        KeyCode::Home => buffer.go(Move::LineStart),
        KeyCode::End => buffer.go(Move::LineEnd),
        KeyCode::Backspace => buffer.delete(Move::Left),
        KeyCode::Delete => buffer.delete(Move::Right),
        _ => {
            if let Some(c) = key.printable() {
                buffer.insert(c.encode_utf8(&mut [0; 4]));
            }
        }
    }
}

fn edit(state: &mut State, ops: &mut Vec<Op>) {
    let Some(waiting) = state.approvals.front() else { return };
    let RequestView::Files(view) = &waiting.view else {
        return;
    };
    let file = view.current.map_or(0, |(file, _)| file);
    let proposal = view
        .files
        .get(file)
        .and_then(|diff| Some((diff.name().to_owned(), diff.proposal()?)));
    let call = waiting.request.call.clone();
    match proposal {
        Some((name, text)) => ops.push(Op::OpenEditor {
            ticket: EditTicket::Proposal { call, file },
            name,
            text,
        }),
        None => state.say("this file is no text to edit", true),
    }
}

/// The edited proposal came back; it counts only for the request it was taken from.
pub(super) fn edited(state: &mut State, call: &CallId, file: usize, text: String) {
    let waiting = state
        .approvals
        .waiting
        .iter_mut()
        .find(|waiting| waiting.request.call == *call);
    match waiting.map(|waiting| &mut waiting.view) {
        Some(RequestView::Files(view)) => view.replace(file, text),
        _ => state.say("the proposal is decided already; the edit was not used", true),
    }
}

/// The `ask` tool's question. Enter answers only after the same quiet as any decision.
fn question(state: &mut State, key: Key, lit: bool, ops: &mut Vec<Op>) {
    let settled = state.approvals.settled();
    let Some(waiting) = state.approvals.front_mut() else {
        return;
    };
    let RequestView::Question(view) = &mut waiting.view else {
        return;
    };
    match key.code {
        KeyCode::Up => view.step(-1),
        KeyCode::Down => view.step(1),
        KeyCode::Esc => leave(state),
        KeyCode::Enter if lit => {
            let answers = view.answers();
            decide(state, ops, |_| Decision::Answer { answers });
        }
        KeyCode::Enter => {}
        _ if view.on_own() && (settled || key.printable().is_none()) => {
            if (key.ctrl || key.alt) && other(state, key, ops) {
                return;
            }
            let key = keys::typed(state, key).map_or(key, Key::char);
            if let Some(RequestView::Question(view)) = state.approvals.front_mut().map(|waiting| &mut waiting.view) {
                edit_buffer(&mut view.own, key);
            }
        }
        KeyCode::Char(' ') if settled => view.toggle(),
        _ => match key.printable() {
            Some(c) => back_to_prompt(state, c, ops),
            None if !other(state, key, ops) => {
                if let Some(c) = keys::typed(state, key) {
                    back_to_prompt(state, c, ops);
                }
            }
            None => {}
        },
    }
}

/// `false`: the key means nothing here.
fn other(state: &mut State, key: Key, ops: &mut Vec<Op>) -> bool {
    let action = meaning(state, key);
    if let Some(action) = action {
        perform::action(state, action, ops);
    }
    action.is_some() || state.stroke.is_some()
}

/// Text pasted into a reason or an answer in one's own words. `false`: there is no such text here.
pub(super) fn paste(state: &mut State, text: &str) -> bool {
    let Some(waiting) = state.approvals.front_mut() else {
        return false;
    };
    match (&mut waiting.step, &mut waiting.view) {
        (Step::Reason(buffer), _) => buffer.insert(text),
        (_, RequestView::Question(view)) if view.on_own() => view.own.insert(text),
        _ => return false,
    }
    true
}

/// `Alt+Y` and `Alt+N`: they decide where the terminal cannot mean anything else by them, else they move the keyboard.
pub(super) fn chord(state: &mut State, action: Action, ops: &mut Vec<Op>) {
    let now = state.now;
    let kitty = state.terminal.kitty && state.dialog.is_none();
    if kitty
        && state
            .approvals
            .front()
            .is_some_and(|waiting| waiting.chord_decides(now))
    {
        if action == Action::OnceNow {
            decide(state, ops, |kept| Decision::Once { kept });
        } else {
            decide(state, ops, |_| Decision::Deny { reason: None });
        }
    } else {
        enter(state);
    }
}

/// Moves the keyboard into the dialog.
pub(super) fn enter(state: &mut State) {
    let now = state.now;
    state.dialog = None;
    state.prompt.completion_close();
    if !state.approvals.enter(now) {
        state.say("nothing waits for you", false);
    }
}
