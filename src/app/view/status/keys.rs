//! The key hints of the status line for the current focus.

use super::Hint;
use crate::dialogs::Dialog;
use crate::dialogs::approval::Step;
use crate::focus::{Holder, keyboard};
use crate::layout::Pane;
use crate::state::State;
use benchdog_keys::action::{
    ApprovalAction, ChangeAction, ContextAction, ConversationAction, DialogAction, DiffAction, FindAction,
    GlobalAction, ListAction, PaneAction, PickerAction, PromptAction, ServersAction,
};
use benchdog_keys::{Action, Scope};
use benchdog_lang::{Word, word};
use benchdog_protocol::TurnState;

impl Hint {
    fn of(state: &State, action: Action, what: Word) -> Self {
        Self {
            action: Some(action),
            key: state.keymap.hint(action),
            text: word(what),
        }
    }
}

pub(super) fn keys(state: &State) -> Vec<Hint> {
    let key = |action: Action, what: Word| Hint::of(state, action, what);
    let holder = keyboard(state);
    let mut keys = match holder {
        Holder::Dialog => of_dialog(state),
        Holder::Approval | Holder::Question => {
            let front = state.screen.approvals.front().map(|waiting| {
                let deciding = matches!(waiting.step, Step::Deciding);
                key(waiting.back(), if deciding { Word::KeyPrompt } else { Word::KeyBack })
            });
            let leaves = || key(Action::Approval(ApprovalAction::Leave), Word::KeyPrompt);
            vec![front.unwrap_or_else(leaves)]
        }
        Holder::Find => vec![
            key(Action::Find(FindAction::Go), Word::KeyFind),
            key(Action::Find(FindAction::Close), Word::KeyClose),
        ],
        Holder::Filter => vec![
            key(Action::Picker(PickerAction::Take), Word::Choose),
            key(Action::Picker(PickerAction::Close), Word::KeyClose),
        ],
        Holder::Pane(pane) => of_pane(state, pane),
    };
    keys.push(key(Action::Global(GlobalAction::Help), Word::KeyKeys));
    keys.retain(|hint| !hint.key.is_empty());
    keys.truncate(match holder {
        Holder::Pane(Pane::Changes) if state.screen.changes.open.is_some() => 8,
        Holder::Pane(Pane::Context) => 4,
        _ => 3,
    });
    keys
}

fn of_dialog(state: &State) -> Vec<Hint> {
    let key = |action: Action, what: Word| Hint::of(state, action, what);
    let Some(dialog) = &state.screen.dialog else {
        return Vec::new();
    };
    let mut keys = Vec::new();
    if matches!(dialog, Dialog::Viewer(viewer) if viewer.wanted.is_some()) {
        keys.push(key(Action::Dialog(DialogAction::NextSpot), Word::KeyNextSpot));
    }
    if dialog.scope() == Scope::Servers {
        keys.push(key(Action::Servers(ServersAction::Tools), Word::KeyTools));
    }
    keys.push(key(dialog.close(), Word::KeyClose));
    keys
}

fn of_pane(state: &State, pane: Pane) -> Vec<Hint> {
    let key = |action: Action, what: Word| Hint::of(state, action, what);
    let mut keys = Vec::new();
    if state.screen.approvals.asks() {
        let question = state.screen.approvals.front_is_question();
        let what = if question { Word::KeyAnswer } else { Word::KeyReview };
        keys.push(key(Action::Global(GlobalAction::Approvals), what));
    }
    if !state.screen.conversation.follows() {
        keys.push(key(leads_to_newest(pane), Word::KeyNewest));
    }
    let summary_stops = state.screen.context.awaited && pane == Pane::Prompt;
    let child = state
        .screen
        .conversation
        .chosen_child()
        .filter(|_| pane == Pane::Conversation);
    if pane == Pane::Changes && state.screen.changes.open.is_some() {
        keys.extend(of_diff(state));
    } else if pane == Pane::Prompt && state.screen.prompt.is_lent() {
        keys.push(key(Action::Global(GlobalAction::Close), Word::KeyBack));
    } else if state.screen.watched.is_some() {
        keys.push(key(Action::Pane(PaneAction::Leave), Word::KeyBack));
    } else if let Some(child) = child.filter(|child| child.works) {
        let what = match child.asks() {
            Some(_) => Word::KeyAnswer,
            None => Word::KeyRead,
        };
        keys.push(key(Action::Conversation(ConversationAction::Toggle), what));
        keys.push(key(Action::Pane(PaneAction::Leave), Word::KeyStopChild));
    } else if state.screen.turn.can_be_stopped() || summary_stops {
        if pane != Pane::Prompt {
            // Insert after the key for a pending request.
            let asks = usize::from(state.screen.approvals.asks());
            let leave = key(Action::Pane(PaneAction::Leave), Word::KeyPrompt);
            keys.insert(asks.min(keys.len()), leave);
        }
        keys.push(stops(state, pane));
        if pane == Pane::Prompt
            && state.screen.turn.busy()
            && !state.screen.turn.stopping
            && !state.screen.approvals.asks()
        {
            keys.push(key(Action::Prompt(PromptAction::Steer), Word::KeySteer));
        }
    } else if pane != Pane::Prompt {
        if pane == Pane::Context {
            keys.extend(of_context(state));
        }
        keys.push(key(Action::Pane(PaneAction::Leave), Word::KeyPrompt));
    } else {
        keys.push(key(Action::Global(GlobalAction::Palette), Word::KeyCommands));
    }
    keys
}

/// Returns the hint for the key that stops the turn. Esc does so only in the prompt, without a completion list.
fn stops(state: &State, pane: Pane) -> Hint {
    let esc_stops = pane == Pane::Prompt && state.screen.prompt.completion.is_none();
    let stop = if esc_stops {
        GlobalAction::Close
    } else {
        GlobalAction::Clear
    };
    let skips = esc_stops && state.screen.turn.state == TurnState::Compacting && !state.screen.turn.stopping;
    let what = if skips { Word::KeySkip } else { Word::KeyStop };
    Hint::of(state, Action::Global(stop), what)
}

fn leads_to_newest(pane: Pane) -> Action {
    match pane {
        Pane::Conversation => Action::List(ListAction::End),
        Pane::Prompt => Action::Prompt(PromptAction::ScrollDown),
        Pane::Files | Pane::Changes | Pane::Todo | Pane::Context => Action::Global(GlobalAction::Follow),
    }
}

fn of_diff(state: &State) -> Vec<Hint> {
    let close = Action::Change(ChangeAction::Close);
    let moves = [
        (DiffAction::HunkNext, Word::KeyHunk),
        (DiffAction::Layout, Word::KeyLayout),
        (DiffAction::Wrap, Word::KeyWrap),
        (DiffAction::Fold, Word::KeyFold),
        (DiffAction::Find, Word::KeyFind),
    ];
    let moves = moves.map(|(action, what)| (Action::Diff(action), what));
    let all = std::iter::once((close, Word::KeyClose)).chain(moves);
    all.map(|(action, what)| Hint::of(state, action, what)).collect()
}

fn of_context(state: &State) -> Vec<Hint> {
    let key = |action, what| Hint::of(state, Action::Context(action), what);
    let pane = &state.screen.context;
    if let Some(kind) = pane.current_kind() {
        let what = if pane.is_opened(kind) {
            Word::KeyFold
        } else {
            Word::KeyOpen
        };
        return vec![key(ContextAction::Open, what)];
    }
    let Some((_, item)) = pane.entry() else {
        return Vec::new();
    };
    let pin = if item.pinned { Word::KeyUnpin } else { Word::KeyPin };
    vec![
        key(ContextAction::Open, Word::KeyRead),
        key(ContextAction::Pin, pin),
        key(ContextAction::Drop, Word::KeyLeaveOut),
    ]
}
