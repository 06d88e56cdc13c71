//! Tests with an entry of each kind whose texts all contain control characters.

use super::shown::mark_of_end;
use super::*;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::tool::CallStatus;

const HOSTILE: &str = "a\u{1b}[2Jb\u{202e}c\u{200b}d\u{9b}31me\u{7}";

fn texts(body: &Body) -> String {
    format!("{:?}", shown(body).unwrap())
}

#[test]
fn no_part_of_an_entry_can_steer_a_terminal() {
    let t = || HOSTILE.to_owned();
    let bodies: Vec<Body> = [
        serde_json::json!({"kind": "user", "text": t()}),
        serde_json::json!({"kind": "assistant", "text": t(), "model": {"provider": t(), "id": t()}, "error": t()}),
        serde_json::json!({"kind": "tool_result", "call": "c", "tool": t(), "title": t(), "status": "ok", "summary": t(), "output": t()}),
        serde_json::json!({"kind": "validation", "call": "c", "command": t(), "passed": false, "summary": t(), "output": t(), "round": 2, "feedback": true}),
        serde_json::json!({"kind": "shell", "command": t(), "status": "error", "summary": t(), "output": t()}),
        serde_json::json!({"kind": "approval", "call": "c", "tool": t(), "decision": {"decision": "deny", "reason": t()}, "by": "user", "because": t()}),
        serde_json::json!({"kind": "change", "call": "c", "path": t(), "before": null, "after": null, "added": 1, "removed": 2}),
        serde_json::json!({"kind": "model", "model": {"provider": t(), "id": t()}}),
        serde_json::json!({"kind": "agent", "agent": t()}),
        serde_json::json!({"kind": "notice", "code": t(), "text": t()}),
        serde_json::json!({"kind": "todo", "items": [{"id": 1, "text": t(), "status": "pending"}]}),
        serde_json::json!({"kind": "notice", "code": "todo_open", "items": [t()]}),
    ]
    .into_iter()
    .map(|value| serde_json::from_value(value).unwrap())
    .collect();
    for body in bodies {
        let text = texts(&body);
        assert!(text.contains("abcd"), "{text}");
        for hostile in ["\\u{1b}", "\\u{202e}", "\\u{200b}", "\\u{9b}", "\\u{7}"] {
            assert!(!text.contains(hostile), "{hostile} in {text}");
        }
    }
}

#[test]
fn every_status_and_every_end_has_one_sign_of_one_column() {
    let all = [
        CallStatus::Ok,
        CallStatus::Error,
        CallStatus::Denied,
        CallStatus::Cancelled,
    ];
    let signs = all.map(|status| Mark::of(status).sign());
    assert_eq!(signs, ["✓", "✗", "⊘", "■"]);
    for sign in signs {
        assert_eq!(benchdog_base::text::width(sign), 1, "{sign}");
    }
    assert_eq!(mark_of_end(TurnOutcome::ValidationFailed), Mark::Failed);
    assert_eq!(mark_of_end(TurnOutcome::Interrupted), Mark::Stopped);
}

#[test]
fn a_title_is_one_line_and_says_where_there_was_more() {
    assert_eq!(one_line("cat a\ncat b"), "cat a …");
    assert_eq!(one_line("cat a"), "cat a");
    assert_eq!(one_line(""), "");
}

#[test]
fn a_turn_that_never_began_has_its_first_and_its_last_line() {
    let mut script = crate::script::Script::default();
    let answer = benchdog_protocol::Answer::NotBegun {
        prompt: "go".to_owned(),
        outcome: TurnOutcome::Interrupted,
    };
    let lines = script.lines(&benchdog_protocol::Event::Answer(answer));
    let lines = serde_json::to_value(&lines).unwrap();
    assert_eq!(lines[0]["type"], "turn_started");
    assert_eq!(lines[0]["prompt"], "go");
    assert_eq!(lines[1]["type"], "turn_finished");
    assert_eq!(lines[1]["outcome"], "interrupted");
    assert_eq!(lines.as_array().unwrap().len(), 2);
}
