//! The keyboard focus, computed from the state.

use super::dialogs::Dialog;
use super::dialogs::approval::{Step, Waiting};
use super::dialogs::editor::Editor;
use super::diff_view::DiffView;
use super::layout::Pane;
use super::state::State;
use benchdog_keys::Scope;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    Dialog,
    Approval,
    Question,
    Find,
    Filter,
    Pane(Pane),
}

pub fn keyboard(state: &State) -> Holder {
    if state.screen.dialog.is_some() {
        return Holder::Dialog;
    }
    if edited(state).is_some_and(|editor| editor.find.is_some())
        || searched(state).is_some_and(|diff| diff.find.is_some())
    {
        return Holder::Find;
    }
    if state.screen.approvals.has_focus() {
        return if state.screen.approvals.front_is_question() {
            Holder::Question
        } else {
            Holder::Approval
        };
    }
    if state.screen.conversation.find.as_ref().is_some_and(|find| find.typing) {
        return Holder::Find;
    }
    if state.screen.focus == Pane::Files && state.screen.files.filter.is_some() {
        return Holder::Filter;
    }
    Holder::Pane(state.screen.focus)
}

pub(crate) fn takes_text(state: &State) -> bool {
    match keyboard(state) {
        Holder::Dialog => matches!(
            state.screen.dialog,
            Some(Dialog::Palette(_) | Dialog::Picker(_) | Dialog::Help(_) | Dialog::Setup(_))
        ),
        Holder::Find | Holder::Filter | Holder::Pane(Pane::Prompt) => true,
        Holder::Approval | Holder::Question => state.screen.approvals.front().is_some_and(Waiting::takes_text),
        Holder::Pane(_) => false,
    }
}

fn edited(state: &State) -> Option<&Editor> {
    match &state
        .screen
        .approvals
        .front()
        .filter(|_| state.screen.approvals.has_focus())?
        .step
    {
        Step::Edit(editor) => Some(editor),
        Step::Deciding | Step::ConfirmAlways(_) | Step::Reason(_) | Step::Why | Step::Comment { .. } => None,
    }
}

fn searched(state: &State) -> Option<&DiffView> {
    if state.screen.approvals.has_focus() {
        return state.screen.approvals.front()?.diff();
    }
    let open = state.screen.changes.open.as_ref()?;
    (state.screen.focus == Pane::Changes).then_some(&open.view)
}

pub fn scope(state: &State) -> Scope {
    match keyboard(state) {
        Holder::Dialog => state
            .screen
            .dialog
            .as_ref()
            .map_or(Scope::Dialog, |dialog| dialog.scope()),
        Holder::Approval | Holder::Question => state.screen.approvals.front().map_or(Scope::Approval, Waiting::scope),
        Holder::Find => Scope::Find,
        Holder::Filter => Scope::Picker,
        Holder::Pane(Pane::Prompt) if state.screen.prompt.completion.is_some() => Scope::Completion,
        Holder::Pane(Pane::Prompt) => Scope::Prompt,
        Holder::Pane(Pane::Files) => Scope::Files,
        Holder::Pane(Pane::Conversation) => Scope::Conversation,
        Holder::Pane(Pane::Changes) if state.screen.changes.open.is_some() => Scope::Change,
        Holder::Pane(Pane::Changes) => Scope::Changes,
        Holder::Pane(Pane::Todo) => Scope::Todo,
        Holder::Pane(Pane::Context) => Scope::Context,
    }
}
