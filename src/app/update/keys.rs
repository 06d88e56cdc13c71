//! Handles key presses in the focused part. In a review, keys act at once. The exception are keys that decide the
//! request: they have no effect until the request was visible long enough.

use super::stroke::{Meaning, meaning, typed};
use super::{perform, request, typing};
use crate::dialogs::approval::{Armed, Step};
use crate::focus::{Holder, keyboard};
use crate::op::Op;
use crate::state::State;
use benchdog_keys::action::{ApprovalAction, GlobalAction};
use benchdog_keys::{Action, Key};
use benchdog_lang as lang;

pub(super) fn key(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    state.screen.approvals.note_input();
    // An early key press that would decide a request is remembered. Any further key press discards it.
    let early = state.screen.approvals.take_early();
    match keyboard(state) {
        Holder::Approval | Holder::Question if state.screen.approvals.front().is_none() => {
            in_empty_review(state, key, ops)
        }
        Holder::Approval | Holder::Question => in_review(state, key, early, ops),
        Holder::Dialog | Holder::Find | Holder::Filter | Holder::Pane(_) => plain(state, key, ops),
    }
}

fn plain(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    match meaning(state, key) {
        Meaning::Action(action) | Meaning::Chord(action) => perform::act(state, action, ops),
        Meaning::Taken => {}
        Meaning::Nothing => typing::key(state, key, ops),
    }
}

/// Handles a key in a review. If a step is open, its keys take precedence. A step without text input is closed by a key
/// without meaning in the step. The key then acts on the request.
fn in_review(state: &mut State, key: Key, early: Option<Action>, ops: &mut Vec<Op>) {
    let step = state.screen.approvals.front().map(|waiting| &waiting.step);
    let explains = matches!(step, Some(Step::Why));
    let has_keys = explains || matches!(step, Some(Step::ConfirmAlways(_)));
    let mut meant = meaning(state, key);
    let stays = match meant {
        Meaning::Action(Action::Confirm(_) | Action::Global(_)) | Meaning::Chord(_) | Meaning::Taken => true,
        Meaning::Nothing => !explains && typed(state, key).is_none(),
        Meaning::Action(_) => false,
    };
    if has_keys && !stays {
        request::leave_step(state);
        match meant {
            Meaning::Action(Action::Approval(ApprovalAction::Why | ApprovalAction::Leave)) if explains => return,
            Meaning::Nothing => meant = meaning(state, key),
            _ => {}
        }
    }
    match meant {
        Meaning::Taken => {}
        // A two-key binding must not decide a request.
        Meaning::Chord(action) if action.decides() => {}
        Meaning::Action(action) if action.decides() => decide(state, action, early, ops),
        Meaning::Action(action) | Meaning::Chord(action) => perform::act(state, action, ops),
        Meaning::Nothing => typing::key(state, key, ops),
    }
}

/// Handles a key in a review without a pending request. For a moment after a decision, `y` and `n` have no effect.
/// `Esc` and global keys act as usual. Other keys go to the prompt.
fn in_empty_review(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    match meaning(state, key) {
        Meaning::Taken => {}
        Meaning::Action(Action::Approval(ApprovalAction::Once | ApprovalAction::Deny))
            if state.screen.approvals.rests(state.now) => {}
        Meaning::Action(action @ (Action::Global(_) | Action::Approval(ApprovalAction::Leave)))
        | Meaning::Chord(action) => perform::act(state, action, ops),
        Meaning::Action(_) | Meaning::Nothing => {
            request::to_prompt(state);
            plain(state, key, ops);
        }
    }
}

fn decide(state: &mut State, action: Action, early: Option<Action>, ops: &mut Vec<Op>) {
    if request::only_looks(state) {
        return;
    }
    match state.screen.approvals.armed(action, state.now) {
        Armed::Now => perform::act(state, action, ops),
        Armed::Soon if early == Some(action) || matches!(action, Action::Approval(_)) => {
            state.screen.approvals.keep_early(action);
        }
        Armed::Soon => {}
        Armed::NotEntered => {
            let enter = state.keymap.hint(Action::Global(GlobalAction::Approvals));
            state.offer(lang::message::toast_enter_first(&enter), true);
        }
        // Tell the user if the request must first be read to its end.
        Armed::Later => {
            request::asks_to_read(state);
        }
    }
}

pub(super) fn apply_early(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(action) = state.screen.approvals.take_due(state.now) {
        state.dirty = true;
        perform::act(state, action, ops);
    }
}
