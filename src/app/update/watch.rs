//! The conversation of a subagent, shown in place of the parent's. The hidden conversation still gets its events.

use super::marking;
use crate::layout::Pane;
use crate::op::Op;
use crate::panes::conversation::{ChosenChild, Conversation};
use crate::state::State;
use crate::watched::Watched;
use benchdog_base::clock::Time;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_base::text::reveal;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::LetGo;
use benchdog_lang as lang;
use benchdog_protocol::{Answer, Command, Event, Live};

use std::sync::Arc;

pub(super) fn begin(state: &mut State, child: ChosenChild, session: SessionId, ops: &mut Vec<Op>) {
    end(state, ops);
    marking::end(state);
    let watched = Watched::begin(&mut state.screen.conversation, child, session.clone());
    state.screen.watched = Some(Box::new(watched));
    ops.push(Op::Send(Command::ShowChild { session }));
}

pub(super) fn end(state: &mut State, ops: &mut Vec<Op>) -> bool {
    let Some(watched) = state.screen.watched.take() else {
        return false;
    };
    marking::end(state);
    state.screen.conversation = watched.parents;
    ops.push(Op::Send(Command::LeaveChild));
    true
}

pub(super) fn end_elsewhere(state: &mut State, ops: &mut Vec<Op>) {
    if state.screen.focus != Pane::Conversation {
        end(state, ops);
    }
}

/// Applies an event to the parent's conversation. If the event changes the session, closes the subagent's conversation.
pub(super) fn aside(state: &mut State, ops: &mut Vec<Op>, told: impl FnOnce(&mut State, &mut Vec<Op>)) {
    let Some(mut watched) = state.screen.watched.take() else {
        return told(state, ops);
    };
    let session = (state.screen.seat, state.screen.session.id.clone());
    watched.swap(&mut state.screen.conversation);
    told(state, ops);
    if (state.screen.seat, state.screen.session.id.clone()) == session {
        watched.swap(&mut state.screen.conversation);
        state.screen.watched = Some(watched);
    } else {
        ops.push(Op::Send(Command::LeaveChild));
    }
}

pub(super) fn is_of(state: &State, seat: SeatId) -> bool {
    state
        .screen
        .watched
        .as_ref()
        .is_some_and(|watched| watched.seat == Some(seat))
}

/// Returns the operation that requests older entries. `None` for a finished subagent, which has no seat.
pub(super) fn earlier(state: &State, command: Command) -> Option<Op> {
    match &state.screen.watched {
        Some(watched) => watched.seat.map(|seat| Op::SendTo(seat, command)),
        None => Some(Op::Send(command)),
    }
}

pub(super) fn hear(state: &mut State, event: Event, at: Time) {
    state.dirty = true;
    let shown = &mut state.screen.conversation;
    match event {
        Event::Fact(entry) => {
            shown.entry(&entry);
            if let Body::Approval { call, .. } = &entry.body {
                shown.tool_decided(call);
            }
            marking::entry_came(state, &entry.body);
        }
        Event::Live(live) => hear_live(shown, live, at),
        Event::Answer(Answer::Opened(opened)) => shown.goes_on(&opened.entries, opened.gone),
        Event::Answer(Answer::Earlier(log)) => {
            marking::end(state);
            state.screen.conversation.read_again(&log);
        }
        Event::Answer(_) => {}
    }
}

fn hear_live(shown: &mut Conversation, live: Live, at: Time) {
    match live {
        Live::Text(text) => shown.text_delta(&text),
        Live::Reasoning(text) => shown.reasoning_delta(&text),
        Live::Retrying { reason, .. } => shown.retry(&lang::retry_reason(&reason)),
        Live::ToolStarted { call, tool, title } => shown.tool_started(&call, &tool, &title, at),
        Live::ToolOutput(chunk) => shown.tool_output(&chunk),
        Live::ApprovalRequested(request) => {
            shown.tool_waits(&request.call, &request.tool, &reveal(&request.title));
        }
        Live::ApprovalGone { call } => shown.tool_decided(&call),
        Live::Error(failure) => {
            let words = lang::failure(&failure);
            shown.error(&words.text, &words.hint);
        }
        // These events are about the whole session, or are shown in the row of the subagent.
        Live::State(_)
        | Live::Stage(_)
        | Live::Endpoint(_)
        | Live::Confinement(_)
        | Live::StatusLine(_)
        | Live::Context(_)
        | Live::Queued(_)
        | Live::Jobs(_)
        | Live::WaitBegan(_)
        | Live::WaitEnded(_)
        | Live::Child(_)
        | Live::Ahead(_)
        | Live::Notice(_) => {}
    }
}

pub(super) fn read(state: &mut State, session: &SessionId, log: Result<Vec<Arc<Entry>>, String>) {
    if state
        .screen
        .watched
        .as_ref()
        .is_none_or(|watched| watched.session != *session)
    {
        return;
    }
    match log {
        Ok(log) => state.screen.conversation.open(&log, LetGo::default()),
        Err(why) => state.screen.conversation.refuse(&why, ""),
    }
}
