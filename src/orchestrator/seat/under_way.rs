//! Running work that is not logged yet, for a late front end. It is collected from the sent events.

use std::sync::Arc;

use benchdog_base::id::CallId;
use benchdog_domain::call::SHELL;
use benchdog_domain::entry::{Body, Entry};
use benchdog_protocol::{Ahead, ApprovalRequest, ChildLive, Event, Live, TurnState};

#[derive(Default)]
pub(super) struct UnderWay {
    state: Option<TurnState>,
    /// The answer so far. Adjacent pieces are merged.
    arrived: Vec<Live>,
    started: Vec<(CallId, String, String)>,
    asked: Vec<Arc<ApprovalRequest>>,
    ahead: Option<Arc<Ahead>>,
    children: Vec<Arc<ChildLive>>,
}

impl UnderWay {
    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::Live(live) => self.live(live),
            Event::Fact(entry) => self.fact(entry),
            Event::Answer(_) => {}
        }
    }

    fn live(&mut self, live: &Live) {
        match live {
            Live::State(state) => {
                if *state == TurnState::Generating && self.state != Some(TurnState::Generating) {
                    self.arrived.clear();
                }
                self.state = Some(*state);
            }
            Live::Text(_) | Live::Reasoning(_) => self.arrives(live),
            Live::ToolStarted { call, tool, title } => {
                self.started.push((call.clone(), tool.clone(), title.clone()));
            }
            Live::ApprovalRequested(request) => match self.asked.iter_mut().find(|asked| asked.call == request.call) {
                Some(asked) => *asked = Arc::clone(request),
                None => self.asked.push(Arc::clone(request)),
            },
            Live::Ahead(ahead) => self.ahead = Some(Arc::clone(ahead)),
            Live::ApprovalGone { call } => self.asked.retain(|request| request.call != *call),
            Live::Child(child) => {
                self.children.retain(|known| known.call != child.call);
                // The end of a stopped call may arrive after its result.
                if self.started.iter().any(|(call, ..)| *call == child.call) {
                    self.children.push(Arc::clone(child));
                }
            }
            // The machine keeps the queue, and the job list keeps the jobs.
            Live::Queued(_)
            | Live::Jobs(_)
            | Live::WaitBegan(_)
            | Live::WaitEnded(_)
            | Live::Stage(_)
            | Live::Retrying { .. }
            | Live::Confinement(_)
            | Live::Context(_)
            | Live::ToolOutput(_)
            | Live::Notice(_)
            | Live::Error(_) => {}
        }
    }

    fn arrives(&mut self, piece: &Live) {
        match (self.arrived.last_mut(), piece) {
            (Some(Live::Text(text)), Live::Text(more)) | (Some(Live::Reasoning(text)), Live::Reasoning(more)) => {
                text.push_str(more);
            }
            _ => self.arrived.push(piece.clone()),
        }
    }

    fn fact(&mut self, entry: &Entry) {
        match &entry.body {
            Body::Assistant { .. } => self.arrived.clear(),
            Body::Approval { call, .. } => self.asked.retain(|request| request.call != *call),
            Body::CallEnded { call, tool, .. } if tool == SHELL => self.started.retain(|(started, ..)| started != call),
            Body::ToolResult { call, .. } => {
                self.started.retain(|(started, ..)| started != call);
                self.children.retain(|child| child.call != *call);
            }
            Body::TurnEnded { .. } => *self = Self::default(),
            _ => {}
        }
    }

    pub(super) fn asks(&self, call: &CallId) -> bool {
        self.asked(call).is_some()
    }

    pub(super) fn asked(&self, call: &CallId) -> Option<&Arc<ApprovalRequest>> {
        self.asked.iter().find(|request| request.call == *call)
    }

    pub(super) fn lives(&self) -> Vec<Live> {
        let state = self.state.map(Live::State).into_iter();
        let started = self.started.iter().cloned();
        let started = started.map(|(call, tool, title)| Live::ToolStarted { call, tool, title });
        let asked = self
            .asked
            .iter()
            .map(|request| Live::ApprovalRequested(Arc::clone(request)));
        let lives = state.chain(self.arrived.iter().cloned()).chain(started);
        let children = self.children.iter().map(|child| Live::Child(Arc::clone(child)));
        let ahead = self.ahead.iter().filter(|ahead| self.asks(&ahead.of));
        let ahead = ahead.map(|ahead| Live::Ahead(Arc::clone(ahead)));
        lives.chain(children).chain(asked).chain(ahead).collect()
    }
}
