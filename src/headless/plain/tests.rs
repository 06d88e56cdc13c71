use std::sync::Arc;

use super::{Plain, asked, decided};
use benchdog_base::id::CallId;
use benchdog_domain::call::Origin;
use benchdog_domain::permission::{Action, Because, DecidedBy, Layer, Verdict};
use benchdog_domain::review::{FileChange, FileOperation, Review};
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_protocol::ApprovalRequest;
use benchdog_transcript::script::DecisionName;

fn held_edit(before: &str, after: &str) -> ApprovalRequest {
    let call = CallId("c1".to_owned());
    let change = FileChange {
        path: "total.sh".to_owned(),
        operation: FileOperation::Update,
        before: Some(Arc::from(before.as_bytes())),
        after: Some(Arc::from(after.as_bytes())),
        mode_after: None,
        note: None,
    };
    ApprovalRequest {
        edition: 0,
        on_disk: benchdog_protocol::OnDisk::AsShown,
        child: None,
        call,
        origin: Origin::Model,
        tool: "edit".to_owned(),
        title: "total.sh".to_owned(),
        review: Review::Files(vec![change]),
        verdict: Verdict {
            action: Action::Ask,
            because: Because::Words("edit: ask".to_owned()),
            layer: Layer::Default,
            class: None,
            scopes: Vec::new(),
            only_once: None,
            network: false,
            needs_person: false,
            confinable: false,
        },
    }
}

#[test]
fn a_held_edit_is_shown_as_a_diff_with_two_lines_around_each_change() {
    let lines = asked(&held_edit(
        "1\n2\n3\n4\nold\n6\n7\n8\n9\n10\n11\nlast\n",
        "1\n2\n3\n4\nnew\nmore\n6\n7\n8\n9\n10\n11\n",
    ));
    assert_eq!(
        lines,
        [
            "◆ edit asked: edit: ask",
            "  total.sh  +2 -2",
            "  ┄",
            "    3",
            "    4",
            "  - old",
            "  + new",
            "  + more",
            "    6",
            "    7",
            "  ┄",
            "    10",
            "    11",
            "  - last",
        ]
    );
}

#[test]
fn changes_that_stand_close_together_share_their_context_once() {
    let lines = asked(&held_edit("a\nb\nc\n", "A\nb\nC\n"));
    assert_eq!(
        lines.get(2..).unwrap_or_default(),
        ["  - a", "  + A", "    b", "  - c", "  + C"]
    );
}

#[test]
fn the_prompt_opens_the_turn_and_a_decision_says_who_made_it() {
    let mut plain = Plain::new("fix it");
    assert_eq!(plain.prompt(), ["", "you", "  fix it", ""]);
    assert!(plain.prompt().is_empty(), "said once");
    assert_eq!(
        decided(DecisionName::Once, DecidedBy::Policy, None),
        "  allowed by the policy"
    );
    assert_eq!(
        decided(DecisionName::Deny, DecidedBy::Policy, Some("bash: \"rm *\": deny")),
        "  denied by the policy: bash: \"rm *\": deny"
    );
}

#[test]
fn the_todo_list_is_printed_when_it_changes_and_only_then() {
    let mut plain = Plain::new("fix it");
    let list = |status| {
        TodoList(vec![TodoItem {
            id: 1,
            text: "run the check".to_owned(),
            status,
        }])
    };
    assert_eq!(
        plain.todo(&list(TodoStatus::Pending)),
        ["todo 0/1", "  [ ] run the check"]
    );
    assert!(plain.todo(&list(TodoStatus::Pending)).is_empty());
    assert_eq!(
        plain.todo(&list(TodoStatus::Completed)),
        ["todo 1/1", "  [x] run the check"]
    );
}
