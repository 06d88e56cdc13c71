//! A snapshot of unlogged work for a front end that attaches later, collected from the events sent so far.

use std::sync::Arc;

use super::calls::slot::CallSlots;
use benchdog_domain::agent::EndpointTrouble;
use benchdog_domain::call::SHELL;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::message::Delta;
use benchdog_protocol::{Ahead, Event, Live, TurnState};

#[derive(Default)]
pub(super) struct LiveSnapshot {
    state: Option<TurnState>,
    /// The parts of the streamed answer so far. Adjacent parts are merged.
    arrived: Vec<Delta>,
    ahead: Option<Arc<Ahead>>,
    endpoint: Option<EndpointTrouble>,
}

impl LiveSnapshot {
    pub(super) fn state(&self) -> TurnState {
        self.state.unwrap_or(TurnState::Idle)
    }

    pub(super) fn note(&mut self, event: &Event, calls: &mut CallSlots) {
        match event {
            Event::Live(live) => self.live(live, calls),
            Event::Fact(entry) => self.fact(entry, calls),
            Event::Answer(_) => {}
        }
    }

    fn live(&mut self, live: &Live, calls: &mut CallSlots) {
        match live {
            Live::State(state) => {
                if *state == TurnState::Generating && self.state != Some(TurnState::Generating) {
                    self.arrived.clear();
                }
                self.state = Some(*state);
            }
            Live::Text(text) => Delta::merge(&mut self.arrived, Delta::Text(text.clone())),
            Live::Reasoning(text) => Delta::merge(&mut self.arrived, Delta::Reasoning(text.clone())),
            Live::ToolStarted { call, tool, title } => calls.start(call, tool, title),
            Live::ApprovalRequested(request) => calls.ask(request),
            Live::Endpoint(trouble) => self.endpoint = *trouble,
            Live::Ahead(ahead) => self.ahead = Some(Arc::clone(ahead)),
            Live::ApprovalGone { call } => calls.end_request(call),
            Live::Child(child) => calls.set_child(child),
            // Ignore these events. The machine stores the queue, and the list of jobs stores the jobs.
            Live::Queued(_)
            | Live::Jobs(_)
            | Live::WaitBegan(_)
            | Live::WaitEnded(_)
            | Live::Stage(_)
            | Live::Retrying { .. }
            | Live::Confinement(_)
            | Live::StatusLine(_)
            | Live::Context(_)
            | Live::ToolOutput(_)
            | Live::Notice(_)
            | Live::Error(_) => {}
        }
    }

    fn fact(&mut self, entry: &Entry, calls: &mut CallSlots) {
        match &entry.body {
            Body::Assistant { .. } => self.arrived.clear(),
            Body::Approval { call, .. } => calls.end_request(call),
            Body::CallEnded { call, tool, .. } if tool == SHELL => calls.end_shell(call),
            Body::ToolResult { call, .. } => calls.end(call),
            Body::TurnEnded { .. } => {
                *self = Self::default();
                calls.end_turn();
            }
            _ => {}
        }
    }

    pub(super) fn lives(&self, calls: &CallSlots) -> Vec<Live> {
        let state = self.state.map(Live::State).into_iter();
        let arrived = self.arrived.iter().cloned().map(Live::from);
        let ahead = self.ahead.iter().filter(|ahead| calls.request(&ahead.of).is_some());
        let ahead = ahead.map(|ahead| Live::Ahead(Arc::clone(ahead)));
        let endpoint = self.endpoint.map(|trouble| Live::Endpoint(Some(trouble)));
        let state = state.chain(endpoint);
        state.chain(arrived).chain(calls.lives()).chain(ahead).collect()
    }
}
