use serde_json::json;

use super::*;
use benchdog_provider::replay::Pace;

fn compared(bodies: &[Value]) -> Vec<Value> {
    let takes = bodies.iter().enumerate();
    let takes = takes.map(|(at, body)| format!("\n{}", json!({"request": at + 1, "body": body})));
    let text = format!("{{\"recording\":1}}{}", takes.collect::<String>());
    compare_requests(&Replay::from_text(&text, "/w", Pace::Immediate).unwrap())
}

fn body(model: &str, tool: &str, messages: &[&str]) -> Value {
    json!({"model": model, "tools": [tool], "messages": messages})
}

#[test]
fn a_request_that_only_grew_shares_all_of_the_one_before_to_its_model() {
    let lines = compared(&[
        body("a", "read", &["hi]"]),
        body("b", "other", &["title"]),
        body("a", "read", &["hi]", "more"]),
    ]);
    assert_eq!(lines[0], json!({"request": 1, "model": "a", "bytes": 14}));
    assert_eq!(lines[1]["after"], Value::Null);
    let grown = json!({"request": 3, "model": "a", "bytes": 21, "after": 1, "shared": 14, "first_difference": null});
    assert_eq!(lines[2], grown);
}

#[test]
fn the_first_byte_that_differs_is_shown_with_what_stands_around_it() {
    let lines = compared(&[
        body("a", "read", &["日本語 one", "two"]),
        body("a", "read", &["日本語 ten", "two"]),
        body("a", "grep", &["日本語 ten", "two"]),
        body("a", "grep", &["日本語 ten"]),
    ]);
    let difference =
        json!({"in": "messages", "byte": 12, "was": "[\"日本語 one\",\"two\"", "is": "[\"日本語 ten\",\"two\""});
    assert_eq!(lines[1]["first_difference"], difference);
    assert_eq!(lines[1]["shared"], 20);
    assert_eq!(lines[2]["first_difference"]["in"], "tools");
    assert_eq!(lines[2]["shared"], 2);
    assert_eq!(lines[3]["first_difference"]["is"], "[\"日本語 ten\"");
}
