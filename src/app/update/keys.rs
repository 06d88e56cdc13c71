//! A key press: what it means where the keyboard is, and whether that counts already.
//!
//! Inside a request that took the keyboard along, a letter that does not count yet is typing, and typing goes to the prompt, the
//! keyboard with it. Where the person moved the keyboard there, it stays; where the keyboard was kept, one that decides waits until it was alone for
//! half a second. Another letter beside it makes typing of both.

use super::deed::{Counts, Deed, Outcome};
use super::stroke::{Meaning, acts, bound, meaning, typed};
use super::{perform, request, typing};
use crate::app::dialogs::approval::{Alone, Pressed, Step};
use crate::app::focus::{Holder, keyboard};
use crate::app::op::Op;
use crate::app::state::State;
use crate::base::clock::Time;
use crate::keys::action::{ApprovalAction, ConfirmAction, GlobalAction, ProposalAction, QuestionAction};
use crate::keys::keymap::Chord;
use crate::keys::{Action, Key, KeyCode};
use crate::lang::{self, Word, word};

/// What grants "always".
const GRANT: Action = Action::Confirm(ConfirmAction::Grant);

pub(super) fn key(state: &mut State, key: Key, at: Time, ops: &mut Vec<Op>) {
    late(state, at);
    // What is pressed in a dialog is meant for that.
    if keyboard(state) != Holder::Dialog && state.approvals.take_for_gone(key, at) {
        return;
    }
    // First of all: whether a letter would have counted. This press itself ends the moment of quiet that decides it.
    let lit = if moves_in_question(state, key) {
        state.approvals.option_key(at)
    } else {
        state.approvals.key(at)
    };
    let was_open = is_open(state);
    match keyboard(state) {
        Holder::Approval | Holder::Question if !beside(state, key, ops) => {}
        Holder::Approval | Holder::Question if state.approvals.has_keyboard() => in_request(state, key, lit, ops),
        Holder::Approval | Holder::Question => plain(state, key, ops),
        Holder::Dialog | Holder::Find | Holder::Filter | Holder::Pane(_) => plain(state, key, ops),
    }
    let came_back = was_open && key.code == KeyCode::Esc && !is_open(state);
    state.approvals.note_way_back(came_back);
}

/// Whether something is open in the request: what `Esc` leads back from.
fn is_open(state: &State) -> bool {
    let front = state.approvals.front();
    front.is_some_and(|front| !matches!(front.step, Step::Deciding))
}

/// What was typed for a form that was gone already is shown once the person has paused.
pub(super) fn late(state: &mut State, at: Time) {
    if let Some(typed) = state.approvals.typed_late(at) {
        state.conversation.remark(&lang::form_typed_late(&typed));
        state.dirty = true;
    }
}

/// Whether the key moves among the options of the question that has the keyboard.
fn moves_in_question(state: &State, key: Key) -> bool {
    keyboard(state) == Holder::Question && state.approvals.has_keyboard() && is_arrow(key)
}

/// Keys that move and that nobody types with.
fn is_arrow(key: Key) -> bool {
    matches!(
        key.code,
        KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right | KeyCode::PageUp | KeyCode::PageDown
    )
}

/// Signs that move. A prompt hardly begins with one, so they are no typing.
fn is_move_sign(key: Key) -> bool {
    matches!(key.half_width().printable(), Some('[' | ']' | '{' | '}' | '<' | '>'))
}

fn plain(state: &mut State, key: Key, ops: &mut Vec<Op>) {
    match meaning(state, key) {
        Meaning::Action(action) | Meaning::Chord(action) => perform::act(state, action, ops),
        Meaning::Taken => {}
        Meaning::Nothing => typing::key(state, key, ops),
    }
}

/// A letter that stayed alone counts now, unless something came over its request.
pub(super) fn alone(state: &mut State, at: Time, ops: &mut Vec<Op>) {
    let Some(pressed) = state.approvals.alone(at) else {
        return;
    };
    state.dirty = true;
    if matches!(keyboard(state), Holder::Approval | Holder::Question) {
        counts(state, pressed, ops);
    } else {
        // It is in the prompt, and what came over the request stays.
        let over = state.dialog.take();
        typing::waited(state, pressed, ops);
        state.dialog = over;
    }
}

/// A letter waits to count, and another key comes. Two letters are typing, but for the same one twice that only moves; a key
/// that only moves leaves the first one waiting, but for one that is about the row under the cursor; `Esc` takes it back. Returns
/// whether the key still means something.
fn beside(state: &mut State, key: Key, ops: &mut Vec<Op>) -> bool {
    if state.approvals.pressed().is_some_and(|pressed| pressed.action == GRANT) {
        return beside_grant(state, key, ops);
    }
    if is_arrow(key) {
        before_it_moves(state, ops);
        return true;
    }
    let Some(pressed) = state.approvals.take_pressed() else {
        return true;
    };
    if key.code == KeyCode::Esc {
        return false;
    }
    if is_same_wish(state, pressed, key) {
        return false;
    }
    let deed = Deed::of(pressed.action);
    if deed == Deed::Moves && (pressed.key == key || is_move_sign(key)) {
        state.approvals.settle();
        perform::act(state, pressed.action, ops);
        return true;
    }
    // Nothing is sent by what was meant for a hunk.
    if deed == Deed::Drops && key.code == KeyCode::Enter && state.approvals.came_by_key() {
        state.approvals.press(pressed.key, pressed.action, state.now);
        state.approvals.press_behind(pressed.first());
        return false;
    }
    if goes_on_among_hunks(state, pressed, key) {
        state.approvals.settle();
        return counts(state, pressed, ops);
    }
    if waits_behind(state, pressed, key) {
        return false;
    }
    if let Some(first) = pressed.first().filter(|_| is_chord(state, key)) {
        let done = counts(state, first, ops);
        if done {
            say_taken_back(state);
        }
        return done;
    }
    both_are_typing(state, pressed, ops);
    // It was meant for the request, and must not send what is written.
    key.code != KeyCode::Enter
}

/// Whether the key is the one that waits, pressed again or held down, or an Enter behind one that came too early: nothing else becomes
/// of it.
fn is_same_wish(state: &mut State, pressed: Pressed, key: Key) -> bool {
    let again = pressed.key == key;
    if again && Deed::is_verdict(pressed.action) && state.approvals.press_again(pressed, state.now) {
        return true;
    }
    let (is_haste, is_nothing) = (state.approvals.was_haste(pressed), pressed.alone != Alone::Counts);
    if again && is_haste || is_nothing && (again || key.code == KeyCode::Enter) {
        let times = pressed.times().saturating_add(u8::from(again));
        too_early(state, pressed.key, pressed.action, times);
        state.approvals.press_behind(pressed.first());
        return true;
    }
    false
}

/// A key that does something and types nothing: who presses it does not type, and what was dropped before it is dropped when it decides.
fn is_chord(state: &State, key: Key) -> bool {
    key.code != KeyCode::Enter && typed(state, key).is_none() && acts(state, key).is_some()
}

/// A letter waits to count, and the mouse does something in its request: what is under the cursor may be another row by then, so it is
/// taken back.
pub(super) fn beside_mouse(state: &mut State) {
    if state.approvals.take_pressed().is_some() {
        say_taken_back(state);
    }
}

/// The letter that waited does nothing any more: it is told as one that came too early is.
pub(super) fn say_taken_back(state: &mut State) {
    state.dirty = true;
    state.say(word(Word::TooEarly), true);
}

/// Whether a hunk was dropped or kept a moment ago and the key goes on from it; one that decides still waits its own time. Where the
/// keyboard was kept, a blank or an `f` and a letter, or the same one twice, may be the middle of what somebody types.
fn goes_on_among_hunks(state: &State, pressed: Pressed, key: Key) -> bool {
    if Deed::of(pressed.action) != Deed::Drops || pressed.alone != Alone::Counts {
        return false;
    }
    let (kept, blank) = (
        state.approvals.is_kept(),
        pressed.key.half_width().printable() == Some(' '),
    );
    if pressed.key == key {
        return !kept;
    }
    let begins_word = pressed.action != Action::Proposal(ProposalAction::KeepOrDropLine);
    let action = acts(state, key).filter(|_| !(kept && begins_word) || is_move_sign(key));
    action.is_some_and(|action| {
        Deed::of(action) == Deed::Moves || blank && (!action.decides() || !kept && state.approvals.was_lit())
    })
}

/// Before the letters were lit, one that decides comes behind a blank that drops a hunk: both wait, and of each comes what would come of it
/// alone. One more letter makes typing of all three. Where the keyboard was kept, a blank begins what somebody types.
fn waits_behind(state: &mut State, pressed: Pressed, key: Key) -> bool {
    let blank = pressed.key.half_width().printable() == Some(' ');
    let drops = Deed::of(pressed.action) == Deed::Drops && pressed.alone == Alone::Counts && pressed.first().is_none();
    let reviews = !state.approvals.is_kept() && !state.approvals.looks_ahead();
    let action = acts(state, key).filter(|action| blank && drops && reviews && action.decides());
    let Some(action) = action else { return false };
    match Outcome::of(&state.approvals, key, action, Counts::No) {
        Outcome::Waits => state.approvals.press(key, action, state.now),
        Outcome::TooEarly => too_early(state, key, action, 1),
        Outcome::WaitsEarly | Outcome::Acts | Outcome::OnlySaid | Outcome::Typing => return false,
    }
    state.approvals.press_behind(Some(pressed));
    true
}

/// What was chosen a moment ago is about the row the cursor was on; who goes on with an arrow does not type, and sends nothing yet.
fn before_it_moves(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(first) = state.approvals.take_first() {
        state.approvals.settle();
        counts(state, first, ops);
    }
    let pressed = state.approvals.pressed();
    let Some(pressed) = pressed.filter(|pressed| pressed.alone == Alone::Counts) else {
        return;
    };
    match pressed.action {
        Action::Proposal(ProposalAction::EditOutside) => {}
        Action::Options(_) | Action::Proposal(_) => {
            state.approvals.take_pressed();
            state.approvals.settle();
            counts(state, pressed, ops);
        }
        Action::Question(QuestionAction::Send) => {
            state.approvals.take_pressed();
        }
        _ => {}
    }
}

/// Whether it was done. Where it was not, the key behind it does nothing either: it may decide about what was meant to be dropped.
fn counts(state: &mut State, pressed: Pressed, ops: &mut Vec<Op>) -> bool {
    if pressed.first().is_some_and(|first| !counts(state, first, ops)) {
        return false;
    }
    if !state.approvals.is_still_meant(pressed) {
        say_taken_back(state);
        return false;
    }
    let is_hunk = pressed.action == Action::Proposal(ProposalAction::KeepOrDrop);
    let only_brings = is_hunk && request::diff(state).is_some_and(|view| !view.hunk_is_seen());
    let (first, second) = (bound(state, None, pressed.key), None);
    state.approvals.struck = Some(Chord { first, second });
    perform::act(state, pressed.action, ops);
    !only_brings
}

/// The same for the letter that grants what is on screen: pressed again, it waits again, and a key that changes what is granted
/// takes it back.
fn beside_grant(state: &mut State, key: Key, ops: &mut Vec<Op>) -> bool {
    let Some(pressed) = state.approvals.take_pressed() else {
        return true;
    };
    if pressed.key == key || key.code == KeyCode::Enter {
        state.approvals.press(pressed.key, GRANT, state.now);
        return false;
    }
    if key.printable().is_some() {
        both_are_typing(state, pressed, ops);
    }
    key.code != KeyCode::Esc
}

/// The letter that waited goes to the prompt, and the one that came beside it will follow.
fn both_are_typing(state: &mut State, waited: Pressed, ops: &mut Vec<Op>) {
    request::to_prompt(state);
    typing::waited(state, waited, ops);
}

/// A letter came before any could count, into a request to which the person moved the keyboard: it stays there and the dialog says so.
fn too_early(state: &mut State, key: Key, action: Action, times: u8) {
    if matches!(action, Action::Approval(_)) && action.decides() && request::only_looks(state) {
        return;
    }
    state.approvals.press_unarmed(key, action, times, state.now);
    state.say(word(Word::TooEarly), true);
}

fn in_request(state: &mut State, key: Key, lit: bool, ops: &mut Vec<Op>) {
    match state.approvals.front().map(|waiting| &waiting.step) {
        Some(Step::Reason(_) | Step::Comment { .. } | Step::Edit(_)) => plain(state, key, ops),
        Some(Step::ConfirmAlways(_)) => confirming(state, key, lit, ops),
        // Any key closes the reason why.
        Some(Step::Why) => {
            let meant = meaning(state, key);
            request::leave_step(state);
            match meant {
                Meaning::Action(Action::Approval(ApprovalAction::Why | ApprovalAction::Leave)) => {}
                meant => deciding(state, key, meant, Counts::of(&state.approvals, lit), ops),
            }
        }
        Some(Step::Deciding) | None => {
            let (meant, counts) = (meaning(state, key), Counts::of(&state.approvals, lit));
            deciding(state, key, meant, counts, ops);
        }
    }
}

/// What "always" would cover is on screen, and stays there. Its own keys answer it; a letter that grants and comes too early
/// waits for its moment. Any other key leads back and counts as a key of the request. Where the keyboard was only kept, no key that a
/// text consists of grants, however slowly it is typed: the person moves the keyboard in first.
fn confirming(state: &mut State, key: Key, lit: bool, ops: &mut Vec<Op>) {
    let counts = Counts::of(&state.approvals, lit);
    match meaning(state, key) {
        Meaning::Taken => {}
        Meaning::Action(GRANT) if state.approvals.is_kept() => match key.printable() {
            Some(_) => {
                request::to_prompt(state);
                typing::key(state, key, ops);
            }
            None => {
                let enter = state.keymap.hint(Action::Global(GlobalAction::Approvals));
                state.say(lang::enter_first(&enter), true);
            }
        },
        Meaning::Action(action @ Action::Global(GlobalAction::Approvals)) => perform::act(state, action, ops),
        Meaning::Action(GRANT) => match (lit, key.printable()) {
            (true, _) => perform::act(state, GRANT, ops),
            (false, Some(_)) => state.approvals.press(key, GRANT, state.now),
            (false, None) => say_too_early(state),
        },
        Meaning::Action(action @ Action::Confirm(_)) => perform::act(state, action, ops),
        // A key that means nothing and types nothing.
        Meaning::Nothing if typed(state, key).is_none() => {}
        meant @ (Meaning::Nothing | Meaning::Action(_) | Meaning::Chord(_)) => {
            request::leave_step(state);
            let meant = match meant {
                Meaning::Nothing => meaning(state, key),
                meant => meant,
            };
            deciding(state, key, meant, counts, ops);
        }
    }
}

/// It is said until it is past.
fn say_too_early(state: &mut State) {
    let [lights, ..] = state.approvals.wakes_at();
    state.say(word(Word::TooEarly), true);
    if let Some(lights) = lights {
        state.said_until(lights);
    }
}

fn deciding(state: &mut State, key: Key, meant: Meaning, decides: Counts, ops: &mut Vec<Op>) {
    match meant {
        Meaning::Taken => {}
        // Two strokes never decide: no row that does may have them.
        Meaning::Chord(action) if action.decides() => {}
        Meaning::Chord(action) => perform::act(state, action, ops),
        Meaning::Action(action) => {
            let deed = Deed::of(action);
            // Nobody types a sign that moves, and a find line opens once the letters were lit.
            if deed == Deed::Moves && is_move_sign(key) || deed == Deed::Finds && decides != Counts::No {
                state.approvals.settle();
            }
            match Outcome::of(&state.approvals, key, action, decides) {
                Outcome::Waits => state.approvals.press(key, action, state.now),
                Outcome::WaitsEarly => state.approvals.press_early(key, action, state.now),
                Outcome::Acts => perform::act(state, action, ops),
                Outcome::TooEarly => too_early(state, key, action, 1),
                Outcome::OnlySaid => say_too_early(state),
                Outcome::Typing => {
                    request::to_prompt(state);
                    typing::key(state, key, ops);
                }
            }
        }
        Meaning::Nothing => typing::key(state, key, ops),
    }
}
