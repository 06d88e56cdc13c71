//! The empty screen of a new session: prompts to begin with, and the keys that matter first.

use crate::app::layout::Pane;
use crate::app::state::State;
use crate::keys::Action;
use crate::keys::action::{GlobalAction, PromptAction};
use crate::lang::{Word, word};

pub(crate) const EXAMPLES: [Word; 3] = [Word::ExampleExplain, Word::ExampleFix, Word::ExampleTest];

/// Whether the examples are on screen: the session is new.
pub(crate) fn is_shown(state: &State) -> bool {
    state.session.id.is_some() && state.watched.is_none() && state.conversation.is_unspoken()
}

/// The next example for the prompt: the first one for an empty prompt, else the one after the example in it. `None` where the prompt holds other
/// text or the focus is elsewhere.
pub(crate) fn next_example(state: &State) -> Option<&'static str> {
    if !is_shown(state) || state.focus != Pane::Prompt {
        return None;
    }
    let written = state.prompt.buffer.expanded();
    if written.is_empty() {
        return EXAMPLES.first().copied().map(word);
    }
    let at = EXAMPLES.iter().position(|example| word(*example) == written)?;
    EXAMPLES.get((at + 1) % EXAMPLES.len()).copied().map(word)
}

/// The keys that matter first, each with its use. An unbound action has no row.
pub(crate) fn keys(state: &State) -> Vec<(String, &'static str)> {
    let key = |action| state.keymap.hint(action);
    let keys = [
        (key(Action::Prompt(PromptAction::Send)), Word::FirstSend),
        ("@".to_owned(), Word::FirstFile),
        ("/".to_owned(), Word::FirstCommand),
        (key(Action::Global(GlobalAction::Approvals)), Word::FirstReview),
        (key(Action::Global(GlobalAction::Help)), Word::FirstHelp),
    ];
    let bound = keys.into_iter().filter(|(key, _)| !key.is_empty());
    bound.map(|(key, what)| (key, word(what))).collect()
}
