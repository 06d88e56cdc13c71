//! Looks up the meaning of a key press in the keymap.

use crate::app::focus::{scope, takes_text};
use crate::app::state::State;
use crate::keys::action::GlobalAction;
use crate::keys::keymap::{Chord, Found};
use crate::keys::{Action, Key, KeyCode};
use crate::lang;

pub(super) enum Meaning {
    Action(Action),
    /// The second key of a two-key binding. It types nothing.
    Chord(Action),
    /// The first key of a two-key binding, or a second key without a binding.
    Taken,
    /// Not bound, possibly a character to type.
    Nothing,
}

/// Returns the meaning of a key, including a pending first key.
///
/// After a first key, `Esc` cancels and unbound keys do nothing, as in other programs. Only the key that stops the turn keeps its meaning.
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
            // The previous message would return otherwise.
            state.toast = None;
            Meaning::Taken
        }
        (Found::Nothing, None) => Meaning::Nothing,
    }
}

/// Maps a full-width character to its half-width key, unless text is being typed.
fn bound(state: &State, first: Option<Key>, key: Key) -> Key {
    let half = key.half_width();
    if half == key || takes_text(state) {
        return key;
    }
    let scope = scope(state);
    let means = |key| state.keymap.find(scope, first, key) != Found::Nothing;
    if !means(key) && means(half) { half } else { key }
}

/// Returns the character of an unbound key. Without the kitty protocol, `Esc` followed by a letter looks like Alt with the letter, so the
/// letter is typed.
pub(super) fn typed(state: &State, key: Key) -> Option<char> {
    let alt = key.alt && state.terminal.kitty;
    Key { alt, ..key }.printable()
}
