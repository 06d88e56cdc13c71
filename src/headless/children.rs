//! Converts events of subagents to lines of `stream-json`. Each line names its subagent.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use benchdog_base::id::SeatId;
use benchdog_protocol::{ApprovalRequest, ChildLive, Event, Live};
use benchdog_transcript::script::{Script, ScriptLine};

#[derive(Default)]
pub(super) struct Children(BTreeMap<SeatId, Child>);

struct Child {
    /// The subagent as JSON, which each of its lines contains: `{"id": …, "agent": …, "call": …}`.
    name: Value,
    script: Script,
}

impl Children {
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

    fn asks(&self, request: &ApprovalRequest) -> Option<(Value, ScriptLine)> {
        let asking = request.child.as_ref()?;
        let name = self.0.get(&asking.seat).map(|child| child.name.clone());
        Some((name.unwrap_or_default(), ScriptLine::asked(request, &asking.call)))
    }

    pub(super) fn lines(&mut self, seat: SeatId, event: &Event) -> Option<(Value, Vec<ScriptLine>)> {
        let child = self.0.get_mut(&seat)?;
        Some((child.name.clone(), child.script.lines(event)))
    }
}
