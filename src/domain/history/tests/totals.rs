//! Tests of totals computed from the log alone.

use super::*;
use crate::permission::{Because, DecidedBy, Decision, Kept};

fn answer(id: &str, tokens: u64) -> Body {
    Body::Assistant {
        text: "words".to_owned(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls: Vec::new(),
        model: model(id),
        usage: Some(usage(tokens)),
        error: None,
    }
}

fn result(id: &str, status: CallStatus) -> Body {
    Body::ToolResult {
        call: call(id),
        tool: "read".to_owned(),
        title: String::new(),
        status,
        summary: Summary::NotRun,
        output: String::new(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    }
}

fn decided(id: &str, decision: Decision) -> Body {
    Body::Approval {
        call: call(id),
        tool: "edit".to_owned(),
        decision,
        by: DecidedBy::User,
        because: Because::Words("edit: ask".to_owned()),
    }
}

fn ended() -> Body {
    Body::TurnEnded {
        outcome: TurnOutcome::Done,
        steps: 1,
        usage: Usage::default(),
    }
}

fn entries() -> Vec<Arc<Entry>> {
    let entries = log([
        user("one"),
        answer("a", 100),
        decided("x", Decision::Once { kept: Kept::All }),
        result("x", CallStatus::Ok),
        decided("y", Decision::Deny { reason: None }),
        result("y", CallStatus::Denied),
        result("z", CallStatus::Error),
        answer("b", 10),
        ended(),
        user("two"),
        answer("a", 200),
        result("w", CallStatus::Cancelled),
        user("steering"),
        answer("a", 300),
        ended(),
    ]);
    // The entries are one second apart. The third prompt steers the second turn.
    let entries = (0i64..).zip(entries).map(|(at, entry)| {
        let turn = TurnId(entry.turn.0.min(2));
        let time = Time(at * 1_000);
        Arc::new(Entry {
            turn,
            time,
            ..Entry::clone(&entry)
        })
    });
    entries.collect()
}

#[test]
fn totals_are_by_model_by_fate_and_by_turn() {
    let totals = History::of(entries()).totals().clone();
    let by_model: Vec<_> = totals
        .models
        .iter()
        .map(|of| (of.model.id.as_str(), of.answers, of.usage.prompt))
        .collect();
    assert_eq!(by_model, [("a", 3, 600), ("b", 1, 10)]);
    let calls = totals.calls;
    assert_eq!((calls.accepted, calls.refused), (1, 1));
    assert_eq!((calls.succeeded, calls.failed, calls.cancelled), (1, 1, 1));
    assert_eq!((totals.turns, totals.turn.prompt), (2, 500), "steering begins no turn");
    assert_eq!(totals.worked_ms, 8_000 + 5_000);
    assert_eq!(totals.usage().prompt, 610);
}

#[test]
fn a_session_that_grew_and_let_go_says_the_same_as_one_that_was_read() {
    let mut grown = History::default();
    entries().into_iter().for_each(|entry| grown.push_lean(entry));
    assert_eq!(grown.totals(), History::of(entries()).totals());
}
