//! What a key press means where the keyboard is, by the keymap.

use crate::app::focus::scope;
use crate::app::state::State;
use crate::keys::keymap::Found;
use crate::keys::{Action, Key};

pub(super) enum Meaning {
    Action(Action),
    /// The second of two strokes ended on it: whatever key it was, it types nothing.
    Chord(Action),
    /// The first of two strokes.
    Half,
    /// Nothing is bound to it here; it may be a letter.
    Nothing,
}

/// What a stroke means where the keyboard is, counting a first stroke that waits for it.
pub(super) fn meaning(state: &mut State, key: Key) -> Meaning {
    let scope = scope(state);
    if let Some(first) = state.stroke.take()
        && let Found::Action(action) = state.keymap.find(scope, Some(first), key)
    {
        return Meaning::Chord(action);
    }
    // A second stroke that fits nothing is a stroke of its own; the first one did nothing.
    match state.keymap.find(scope, None, key) {
        Found::Action(action) => Meaning::Action(action),
        Found::Prefix => {
            state.stroke = Some(key);
            Meaning::Half
        }
        Found::Nothing => Meaning::Nothing,
    }
}

/// The letter of a press that means nothing else. `Esc` and a letter read together look like Alt and that letter where
/// the terminal did not confirm better; nobody binds to what was not bound, so the letter was typed.
pub(super) fn typed(state: &State, key: Key) -> Option<char> {
    let alt = key.alt && state.terminal.kitty;
    Key { alt, ..key }.printable()
}
