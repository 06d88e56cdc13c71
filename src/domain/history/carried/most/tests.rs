use std::sync::Arc;

use super::*;
use crate::history::carried::Log;
use crate::summary::Summary;
use crate::tool::CallStatus;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, TurnId};

/// Adds a prompt, or a result that cannot begin a turn.
fn take(carried: &mut Carried, id: u64, body: Body) {
    let entry = Entry {
        id: EntryId(id),
        turn: TurnId(1),
        time: Time(0),
        body,
    };
    let log = Log {
        entries: &[],
        todo: None,
    };
    carried.take(&Arc::new(entry), &log);
}

fn result() -> Body {
    Body::ToolResult {
        call: CallId("one".to_owned()),
        tool: "read".to_owned(),
        title: String::new(),
        status: CallStatus::Ok,
        summary: Summary::Words(String::new()),
        output: "x".repeat(1 << 10),
        truncated: false,
        notes: Vec::new(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    }
}

#[test]
fn a_log_without_a_beginning_is_not_looked_through_for_each_of_its_entries() {
    let entries = 40_000;
    let mut carried = Carried::default();
    let mut looked_at = 0;
    for id in 1..=entries {
        let before = carried.most.looked_at;
        take(&mut carried, id, result());
        if carried.most.looked_at != before {
            looked_at += carried.parts.len() as u64;
        }
    }
    assert_eq!(carried.parts.len() as u64, entries, "there is nothing to begin with");
    assert!(
        (1..4 * entries).contains(&looked_at),
        "{looked_at} parts were looked at"
    );
    let prompt = Body::User {
        text: "on".to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    };
    take(&mut carried, entries + 1, prompt);
    assert_eq!(
        carried.most.left_behind,
        EntryId(entries),
        "the list begins with it at once"
    );
    assert_eq!(carried.parts.len(), 1);
}
