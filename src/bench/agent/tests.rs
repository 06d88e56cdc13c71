use serde_json::json;

use super::{permission_outcome, tokens};

#[test]
fn a_request_is_allowed_once_rather_than_always_and_cancelled_if_it_cannot_be_allowed() {
    let option = |kind: &str| json!({"optionId": format!("id-{kind}"), "kind": kind, "name": kind});
    let options = |kinds: &[&str]| json!({"options": kinds.iter().map(|kind| option(kind)).collect::<Vec<_>>()});
    let chosen = permission_outcome(&options(&["reject_once", "allow_always", "allow_once"]));
    assert_eq!(chosen, json!({"outcome": "selected", "optionId": "id-allow_once"}));
    let chosen = permission_outcome(&options(&["reject_once", "allow_always"]));
    assert_eq!(chosen["optionId"], "id-allow_always");
    assert_eq!(
        permission_outcome(&options(&["reject_once"])),
        json!({"outcome": "cancelled"})
    );
    assert_eq!(permission_outcome(&json!(null)), json!({"outcome": "cancelled"}));
}

#[test]
fn tokens_are_only_known_if_both_sides_are_reported() {
    let total = |usage| tokens(&usage).map(|tokens| tokens.total);
    assert_eq!(total(json!({"inputTokens": 5, "outputTokens": 2})), Some(7));
    assert_eq!(
        total(json!({"inputTokens": 5, "outputTokens": 2, "totalTokens": 9})),
        Some(9)
    );
    assert_eq!(total(json!({"inputTokens": 5})), None);
}
