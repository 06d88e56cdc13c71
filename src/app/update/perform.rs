//! Passes each action to the handler of its group.

use super::{dialogs, global, jobs, lists, prompt, request, review, server_tools, text};
use crate::commands::Slash;
use crate::dialogs::palette::{Choice, LATELY};
use crate::focus::{Holder, keyboard};
use crate::op::Op;
use crate::state::State;
use benchdog_keys::Action;
use benchdog_keys::action::{ApprovalAction, DialogAction, GlobalAction, ServersAction};

pub(super) fn act(state: &mut State, action: Action, ops: &mut Vec<Op>) {
    if action != Action::Global(GlobalAction::Close) {
        state.screen.prompt.forget_escape();
    }
    match action {
        Action::Global(action) => global::act(state, action, ops),
        Action::Text(action) => text::act(state, action, ops),
        Action::Prompt(action) => prompt::act(state, action, ops),
        Action::Completion(action) => prompt::complete(state, action, ops),
        Action::Line(action) => dialogs::line(state, action, ops),
        Action::Pane(action) => lists::pane(state, action, ops),
        Action::List(action) => lists::list(state, action),
        Action::Fold(action) => lists::fold(state, action, ops),
        Action::Conversation(action) => lists::conversation(state, action, ops),
        Action::Files(action) => lists::files(state, action, ops),
        Action::Changes(action) => lists::changes(state, action, ops),
        Action::Change(action) => lists::change(state, action),
        Action::Todo(action) => lists::todo(state, action, ops),
        Action::Context(action) => lists::context(state, action, ops),
        Action::Diff(action) => lists::diff(state, action, ops),
        Action::Find(action) => dialogs::find(state, action),
        Action::Approval(action) => request::approval(state, action, ops),
        Action::Proposal(action) => review::proposal(state, action, ops),
        Action::Confirm(action) => request::confirm(state, action, ops),
        Action::Reason(action) => request::reason(state, action, ops),
        Action::Comment(action) => review::comment(state, action),
        Action::Editor(action) => review::editor(state, action, ops),
        Action::Question(action) => request::question(state, action, ops),
        Action::Options(action) => request::options(state, action),
        Action::Picker(action) if keyboard(state) == Holder::Filter => lists::filter(state, action, ops),
        Action::Picker(action) => {
            if let Some(chosen) = dialogs::picker(state, action, ops) {
                from_palette(state, chosen, ops);
            }
        }
        Action::Dialog(DialogAction::NextSpot) => lists::next_spot(state, ops),
        Action::Dialog(DialogAction::Copy) => lists::copy_read(state, ops),
        Action::Dialog(DialogAction::Close) => state.screen.dialog = None,
        Action::Compaction(action) => dialogs::compaction(state, action, ops),
        Action::Jobs(action) => jobs::act(state, action, ops),
        Action::Servers(ServersAction::Close) => state.screen.dialog = None,
        Action::Servers(ServersAction::Tools) => server_tools::open(state, None, ops),
    }
}

/// Runs a choice of the palette. An action that decides a request only moves the focus to the request.
fn from_palette(state: &mut State, chosen: Choice, ops: &mut Vec<Op>) {
    // Do not remember commands that grant permissions, so that they never become the first row.
    if !chosen.gives_leave() {
        state.lately.retain(|choice| *choice != chosen);
        state.lately.insert(0, chosen);
        state.lately.truncate(LATELY);
    }
    match chosen {
        _ if is_of_request(state, chosen) => request::enter(state),
        Choice::Action(action) => act(state, action, ops),
        Choice::Command(row) => prompt::choose(state, row, ops),
    }
}

fn is_of_request(state: &State, chosen: Choice) -> bool {
    match chosen {
        Choice::Action(action) => {
            action.decides()
                || matches!(
                    action,
                    Action::Global(GlobalAction::OnceNow | GlobalAction::DenyNow)
                        | Action::Approval(ApprovalAction::Always | ApprovalAction::DenyReason)
                        | Action::Proposal(_)
                        | Action::Reason(_)
                        | Action::Comment(_)
                        | Action::Editor(_)
                )
        }
        // While a request is pending, these commands would answer the request or change permissions.
        Choice::Command(row) => {
            matches!(row.command, Slash::Yes | Slash::No | Slash::Execute) && state.screen.approvals.asks()
        }
    }
}
