//! The bottom row as data: who works on what, what happens now, and the three keys that matter.

use super::focus::{Holder, keyboard};
use super::layout::Pane;
use super::state::State;
use crate::keys::Action;
use crate::protocol::TurnState;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Status {
    /// `build · qwen3-coder-30b@vllm`
    pub(crate) left: String,
    /// `writing 38 tok/s 0:12`, or a sentence that was said.
    pub(crate) middle: String,
    /// The sentence in the middle is about something that failed.
    pub(crate) middle_is_error: bool,
    /// `~41 % · 2/4`, where the panes that say it are folded.
    pub(crate) folded: String,
    /// Key and what it does, the most important first.
    pub(crate) keys: Vec<(String, &'static str)>,
}

pub(crate) fn status(state: &State) -> Status {
    let toast = state.toast.as_ref();
    Status {
        left: left(state),
        middle: toast.map_or_else(|| stage(state), |toast| toast.text.clone()),
        middle_is_error: toast.is_some_and(|toast| toast.error),
        folded: folded(state),
        keys: keys(state),
    }
}

fn left(state: &State) -> String {
    let session = &state.session;
    match &session.model {
        Some(model) => format!("{} · {}@{}", session.agent.0, model.id, model.provider),
        None => format!("{} · no model", session.agent.0),
    }
}

fn stage(state: &State) -> String {
    let turn = &state.turn;
    if let Some(retry) = turn.retry.as_ref().filter(|_| turn.busy()) {
        let left = retry.at.since(state.now).div_ceil(1_000);
        return format!("{}: attempt {} in {left} s", retry.reason, retry.attempt + 1);
    }
    let word = match turn.state {
        TurnState::Idle | TurnState::Done | TurnState::Error | TurnState::Interrupted | TurnState::Limit => {
            return String::new();
        }
        TurnState::Planning => "reading",
        TurnState::Generating if turn.first_delta.is_none() => "reading",
        TurnState::Generating => "writing",
        TurnState::AwaitingPermission => "waiting for you",
        TurnState::ToolRunning => "running",
        TurnState::Validating => "checking",
    };
    let mut text = word.to_owned();
    if let (TurnState::Generating, Some(rate)) = (turn.state, turn.tokens_per_second()) {
        text.push_str(&format!(" ~{rate} tok/s"));
    }
    if let Some(ms) = turn.elapsed(state.now) {
        let seconds = ms / 1_000;
        text.push_str(&format!(" {}:{:02}", seconds / 60, seconds % 60));
    }
    text
}

/// What the folded panes would have said.
fn folded(state: &State) -> String {
    let mut parts = Vec::new();
    if state.layout.context.is_none() {
        parts.extend(state.context.percent());
    }
    if state.layout.todo.is_none() && !state.todo.items.is_empty() {
        let (done, total) = state.todo.items.progress();
        parts.push(format!("{done}/{total}"));
    }
    parts.join(" · ")
}

fn keys(state: &State) -> Vec<(String, &'static str)> {
    let key = |action: Action, what: &'static str| (state.keymap.hint(action), what);
    let mut keys = Vec::new();
    match keyboard(state) {
        Holder::Dialog => keys.push(("Esc".to_owned(), "close")),
        Holder::Approval | Holder::Question => keys.push(("Esc".to_owned(), "back to the prompt")),
        Holder::Find => keys.extend([("Enter".to_owned(), "find"), ("Esc".to_owned(), "close")]),
        Holder::Pane(pane) => {
            if !state.approvals.waiting.is_empty() {
                keys.push(key(Action::Review, "review"));
            }
            if !state.conversation.follows() {
                keys.push((
                    if pane == Pane::Conversation { "G" } else { "PgDn" }.to_owned(),
                    "newest",
                ));
            }
            if state.turn.busy() {
                keys.push(key(Action::CloseOrInterrupt, "stop"));
            } else if pane != Pane::Prompt {
                keys.push(key(Action::ToPrompt, "prompt"));
            } else {
                keys.push(key(Action::Palette, "actions"));
            }
        }
    }
    keys.push(key(Action::Help, "keys"));
    keys.retain(|(key, _)| !key.is_empty());
    keys.truncate(3);
    keys
}
