//! What children tell, as lines of `stream-json`: those of any seat, each with whose it is.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::base::id::SeatId;
use crate::lang;
use crate::protocol::{ApprovalRequest, ChildLive, Event, Live};
use crate::transcript::script::{Script, ScriptLine};

/// The children of this run, by their seats.
#[derive(Default)]
pub(super) struct Children(BTreeMap<SeatId, Child>);

struct Child {
    /// `{"id": …, "agent": …, "call": …}`, as each of its lines has it.
    name: Value,
    script: Script,
}

impl Children {
    /// What is told of children at the seat of their parent.
    pub(super) fn at_parent(&mut self, event: &Event) -> Option<(Value, ScriptLine)> {
        match event {
            Event::Live(Live::Child(child)) => {
                self.know(child);
                None
            }
            Event::Live(Live::ApprovalRequested(request)) => self.asks(request),
            _ => None,
        }
    }

    fn know(&mut self, child: &ChildLive) {
        let Some(session) = &child.session else { return };
        self.0.entry(child.seat).or_insert_with(|| Child {
            name: json!({"id": session, "agent": child.agent, "call": child.call}),
            script: Script::default(),
        });
    }

    /// A request has the name of its call that the other lines of the child have.
    fn asks(&self, request: &ApprovalRequest) -> Option<(Value, ScriptLine)> {
        let asking = request.child.as_ref()?;
        let name = self.0.get(&asking.seat).map(|child| child.name.clone());
        let said = ScriptLine::ApprovalRequested {
            call: asking.call.clone(),
            tool: request.tool.clone(),
            because: lang::because(&request.verdict.because),
            class: request.verdict.class,
        };
        Some((name.unwrap_or_default(), said))
    }

    /// The lines of a child's own event.
    pub(super) fn lines(&mut self, seat: SeatId, event: &Event) -> Option<(Value, Vec<ScriptLine>)> {
        let child = self.0.get_mut(&seat)?;
        Some((child.name.clone(), child.script.lines(event)))
    }
}
