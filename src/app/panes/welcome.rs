//! The start screen of a new session: example prompts, and the most important keys.

use crate::layout::Pane;
use crate::state::State;
use benchdog_keys::Action;
use benchdog_keys::action::{GlobalAction, PromptAction};
use benchdog_lang::{Word, word};

pub const EXAMPLES: [Word; 3] = [Word::ExampleExplain, Word::ExampleFix, Word::ExampleTest];

pub fn is_shown(state: &State) -> bool {
    state.screen.session.id.is_some() && state.screen.watched.is_none() && state.screen.conversation.is_unspoken()
}

/// Returns the first example prompt if the input is empty. If the input contains an example, returns the next example.
/// `None` if the input has other text or no focus.
pub(crate) fn next_example(state: &State) -> Option<&'static str> {
    if !is_shown(state) || state.screen.focus != Pane::Prompt {
        return None;
    }
    let written = state.screen.prompt.buffer.expanded();
    if written.is_empty() {
        return EXAMPLES.first().copied().map(word);
    }
    let at = EXAMPLES.iter().position(|example| word(*example) == written)?;
    EXAMPLES.get((at + 1) % EXAMPLES.len()).copied().map(word)
}

pub fn keys(state: &State) -> Vec<(String, &'static str)> {
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
