//! What a key press means where the keyboard is, by the keymap.

use crate::app::focus::{scope, takes_text};
use crate::app::state::State;
use crate::keys::action::GlobalAction;
use crate::keys::keymap::{Chord, Found};
use crate::keys::{Action, Key, KeyCode};
use crate::lang;

pub(super) enum Meaning {
    Action(Action),
    /// The second of two strokes ended on it: whatever key it was, it types nothing.
    Chord(Action),
    /// It began two strokes, or ended them without an action. Nothing more happens.
    Taken,
    /// Nothing is bound to it here; it may be a letter.
    Nothing,
}

/// What a stroke means where the keyboard is, counting a first stroke that waits for it.
///
/// As in other programs with two-stroke keys, the stroke after the first one means nothing by itself: `Esc` ends the wait,
/// and a key that nothing is bound to is named and does nothing. Only the key that stops the turn stops it here, too.
pub(super) fn meaning(state: &mut State, key: Key) -> Meaning {
    let scope = scope(state);
    let first = state.stroke.take();
    let key = bound(state, first, key);
    match (state.keymap.find(scope, first, key), first) {
        (Found::Action(action), Some(first)) => {
            let second = Some(key);
            state.approvals.struck = Some(Chord { first, second });
            Meaning::Chord(action)
        }
        (Found::Action(action), None) => {
            let (first, second) = (key, None);
            state.approvals.struck = Some(Chord { first, second });
            Meaning::Action(action)
        }
        (Found::Prefix | Found::Nothing, Some(first)) => {
            let stop = Action::Global(GlobalAction::Clear);
            if state.turn.busy() && state.keymap.find(scope, None, key) == Found::Action(stop) {
                return Meaning::Chord(stop);
            }
            if key != Key::plain(KeyCode::Esc) {
                let second = Some(key);
                state.offer(lang::not_bound(&Chord { first, second }.shown()), false);
            }
            Meaning::Taken
        }
        (Found::Prefix, None) => {
            state.stroke = Some(key);
            // What was said before would come back when the wait is over.
            state.toast = None;
            Meaning::Taken
        }
        (Found::Nothing, None) => Meaning::Nothing,
    }
}

/// A letter of full width is the key that it stands for, where no text is written and that key has a meaning.
fn bound(state: &State, first: Option<Key>, key: Key) -> Key {
    let half = key.half_width();
    if half == key || takes_text(state) {
        return key;
    }
    let scope = scope(state);
    let means = |key| state.keymap.find(scope, first, key) != Found::Nothing;
    if !means(key) && means(half) { half } else { key }
}

/// The letter that a press without a binding types. Where the terminal did not confirm the kitty protocol, `Esc` and a letter
/// that arrive together look like Alt and that letter; as no action has that key, the letter was typed.
pub(super) fn typed(state: &State, key: Key) -> Option<char> {
    let alt = key.alt && state.terminal.kitty;
    Key { alt, ..key }.printable()
}
