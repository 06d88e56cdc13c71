//! Approval requests of subagents. The parent's seat shows them under unique call ids.

use std::sync::Arc;

use super::{Engine, Seats};
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::entry::Body;
use benchdog_domain::permission::Decision;
use benchdog_protocol::{ApprovalRequest, AskingChild, Event, Live};

impl Seats {
    pub(super) async fn on_request_of_child(&mut self, engine: &Engine, id: SeatId, event: &Event) {
        match event {
            Event::Live(Live::ApprovalRequested(request)) => self.ask_at_parent(engine, id, request).await,
            Event::Fact(entry) => match &entry.body {
                Body::Approval { call, .. } | Body::ToolResult { call, .. } => {
                    self.request_gone(engine, id, call).await;
                }
                _ => {}
            },
            Event::Live(_) | Event::Answer(_) => {}
        }
    }

    async fn ask_at_parent(&mut self, engine: &Engine, id: SeatId, request: &ApprovalRequest) {
        let Some(child) = self.children.open.get_mut(&id) else {
            return;
        };
        // Include the subagent's seat id to make the call id unique.
        let there = CallId(format!("{}/{}/{}", child.call.0, id.0, request.call.0));
        child.asks.insert(request.call.clone(), there.clone());
        let asked = ApprovalRequest {
            call: there,
            child: Some(AskingChild {
                seat: id,
                call: request.call.clone(),
                agent: child.agent.clone(),
                task: child.task.clone(),
            }),
            ..request.clone()
        };
        let parent = child.parent;
        self.tell_parent(engine, parent, Live::ApprovalRequested(Arc::new(asked)))
            .await;
    }

    async fn request_gone(&mut self, engine: &Engine, id: SeatId, call: &CallId) {
        let Some(child) = self.children.open.get_mut(&id) else {
            return;
        };
        if let Some(call) = child.asks.remove(call) {
            let parent = child.parent;
            self.tell_parent(engine, parent, Live::ApprovalGone { call }).await;
        }
    }

    fn asks_under(&self, parent: SeatId, call: &CallId) -> Option<(SeatId, CallId)> {
        let own = self.children.open.iter().filter(|(_, child)| child.parent == parent);
        let mut asks = own.flat_map(|(id, child)| child.asks.iter().map(move |asks| (*id, asks)));
        asks.find_map(|(id, (raw, there))| (there == call).then(|| (id, raw.clone())))
    }

    pub(in crate::engine) fn asks_for_child(&self, parent: SeatId, call: &CallId) -> bool {
        self.asks_under(parent, call).is_some()
    }

    pub(in crate::engine) async fn decide_for_child(
        &mut self,
        engine: &mut Engine,
        (parent, call): (SeatId, &CallId),
        edition: u32,
        decision: Decision,
    ) {
        let Some((id, raw)) = self.asks_under(parent, call) else {
            return;
        };
        self.obeys(id);
        if let Some(child) = self.get(id) {
            child.decide(engine, raw, edition, decision).await;
        }
    }

    pub(in crate::engine) async fn expire_for_child(&mut self, engine: &mut Engine, (parent, call): (SeatId, &CallId)) {
        let Some((id, raw)) = self.asks_under(parent, call) else {
            return;
        };
        self.obeys(id);
        if let Some(child) = self.get(id) {
            child.expire(engine, raw).await;
        }
    }
}
