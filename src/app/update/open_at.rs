//! Opens a session at an entry that a search found.

use super::{panes, seats};
use crate::layout::Pane;
use crate::op::Op;
use crate::state::{AfterOpen, State};
use benchdog_base::id::{EntryId, SessionId};

pub(super) fn open(state: &mut State, session: SessionId, entry: EntryId, ops: &mut Vec<Op>) {
    let is_here = state.screen.session.id.as_ref() == Some(&session);
    state.after_open = Some(AfterOpen::Entry(session.clone(), entry));
    if is_here {
        panes::to_pane(state, Pane::Prompt);
        return go_to(state);
    }
    seats::open(state, session, ops);
}

pub(super) fn go_to(state: &mut State) {
    let Some(AfterOpen::Entry(session, entry)) = state.after_open.clone() else {
        return;
    };
    if state.screen.session.id.as_ref() != Some(&session) {
        return;
    }
    if state.screen.conversation.go_to(entry) {
        state.after_open = None;
    }
}
