use serde_json::json;

use super::{Tally, repair_count};

#[test]
fn lines_are_counted_and_those_of_subagents_do_not_end_the_turn() {
    let edit_tools = ["edit", "write"].map(str::to_owned);
    let mut tally = Tally::new(&edit_tools);
    for line in [
        json!({"type": "tool_finished", "tool": "edit", "status": "error"}),
        json!({"type": "tool_finished", "tool": "write", "status": "denied"}),
        json!({"type": "tool_finished", "tool": "edit", "status": "ok"}),
        json!({"type": "tool_finished", "tool": "bash", "status": "error"}),
        json!({"type": "notice", "code": "calls_read", "text": "The model wrote tool calls as text: 3 parsed, 2 repaired."}),
        json!({"type": "notice", "code": "calls_written", "text": "`m` gets no tools."}),
        json!({"type": "turn_finished", "child": {}, "outcome": "error", "usage": {}}),
        json!({"type": "turn_finished", "outcome": "done", "usage": {"prompt": 5, "completion": 2, "total": 7}}),
    ] {
        tally.count(&line);
    }
    let turn = tally.turn("").expect("a turn");
    assert_eq!((turn.edits_refused, turn.calls_denied, turn.calls_repaired), (2, 1, 2));
    assert_eq!(turn.tokens.map(|tokens| tokens.total), Some(7));
    assert_eq!(turn.outcome, "done");
    assert_eq!(turn.tools_notice.as_deref(), Some("`m` gets no tools."));
}

#[test]
fn an_error_of_the_server_is_no_result_of_the_model() {
    let mut tally = Tally::new(&[]);
    tally.count(&json!({"type": "error", "code": "x", "text": "unreachable", "hint": ""}));
    tally.count(&json!({"type": "turn_finished", "outcome": "error", "usage": {}}));
    let error = tally.turn("").expect_err("no result");
    assert!(error.to_string().contains("unreachable"), "{error}");
    let error = Tally::new(&[]).turn("panic\nat line 5\n").expect_err("no result");
    assert!(error.to_string().ends_with(": at line 5"), "{error}");
}

#[test]
fn a_notice_without_repairs_counts_nothing() {
    assert_eq!(repair_count("The model wrote tool calls as text: 3 parsed."), 0);
}
