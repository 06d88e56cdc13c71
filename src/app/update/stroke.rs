//! Finds the meaning of a key press in the keymap.

use crate::focus::{scope, takes_text};
use crate::state::State;
use benchdog_keys::action::GlobalAction;
use benchdog_keys::keymap::{Chord, Found};
use benchdog_keys::{Action, Key, KeyCode};
use benchdog_lang as lang;

pub(super) enum Meaning {
    Action(Action),
    /// The second key of a two-key binding.
    Chord(Action),
    /// The first key of a two-key binding, or an unbound second key. The key types no text.
    Taken,
    /// The key is not bound. The key may type a character.
    Nothing,
}

/// Returns the meaning of a key, which may be the second key of a two-key binding. After a first key, `Esc` cancels,
/// and an unbound key has no effect. While a turn runs, the key that stops the turn keeps its meaning.
pub(super) fn meaning(state: &mut State, key: Key) -> Meaning {
    let scope = scope(state);
    let first = state.stroke.take();
    let key = bound(state, first, key);
    match (state.keymap.find(scope, first, key), first) {
        (Found::Action(action), Some(first)) => {
            let second = Some(key);
            state.screen.approvals.struck = Some(Chord { first, second });
            Meaning::Chord(action)
        }
        (Found::Action(action), None) => {
            let (first, second) = (key, None);
            state.screen.approvals.struck = Some(Chord { first, second });
            Meaning::Action(action)
        }
        (Found::Prefix | Found::Nothing, Some(first)) => {
            let stop = Action::Global(GlobalAction::Clear);
            if state.screen.turn.busy() && state.keymap.find(scope, None, key) == Found::Action(stop) {
                return Meaning::Chord(stop);
            }
            if key != Key::plain(KeyCode::Esc) {
                let second = Some(key);
                state.offer(lang::message::toast_not_bound(&Chord { first, second }.shown()), false);
            }
            Meaning::Taken
        }
        (Found::Prefix, None) => {
            state.stroke = Some(key);
            // Remove the notification. Otherwise it would appear again after the hint about the second keys.
            state.screen.toast = None;
            Meaning::Taken
        }
        (Found::Nothing, None) => Meaning::Nothing,
    }
}

/// Maps a full-width character to the corresponding half-width key, unless the user is typing text.
fn bound(state: &State, first: Option<Key>, key: Key) -> Key {
    let half = key.half_width();
    if half == key || takes_text(state) {
        return key;
    }
    let scope = scope(state);
    let means = |key| state.keymap.find(scope, first, key) != Found::Nothing;
    if !means(key) && means(half) { half } else { key }
}

/// Returns the character that an unbound key types. Without the kitty protocol, `Esc` followed by a letter arrives as
/// Alt with that letter. In this case, the letter is typed.
pub(super) fn typed(state: &State, key: Key) -> Option<char> {
    let alt = key.alt && state.terminal.kitty;
    Key { alt, ..key }.printable()
}
