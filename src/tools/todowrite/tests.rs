use serde_json::json;

use crate::bench::Bench;
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};

fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.cx.todo = TodoList(vec![
        TodoItem {
            id: 1,
            text: "look".to_owned(),
            status: TodoStatus::InProgress,
        },
        TodoItem {
            id: 2,
            text: "fix".to_owned(),
            status: TodoStatus::Pending,
        },
    ]);
    bench
}

#[tokio::test]
async fn the_whole_list_or_one_item() {
    let bench = bench();
    let items = json!([{"id": "1", "content": "look", "status": "done"}, {"text": "test it", "status": "in-progress"}, "write it down"]);
    let outcome = bench.call("todowrite", json!({"todos": items})).await;
    assert_eq!(outcome.output, "1 [x] look\n2 [~] test it\n3 [ ] write it down\n");
    assert_eq!(
        (&*outcome.summary.to_string(), outcome.todo.unwrap().0.len()),
        ("1 of 3 done", 3)
    );
    let outcome = bench
        .call("todowrite", json!({"set": {"id": 2, "status": "Completed"}}))
        .await;
    assert_eq!(outcome.output, "1 [~] look\n2 [x] fix\n");
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_with_the_list_as_it_stands() {
    let bench = bench();
    let outcome = bench
        .call("todowrite", json!({"set": {"id": 9, "status": "done"}}))
        .await;
    assert_eq!(outcome.code.as_deref(), Some("unknown_item"));
    assert!(outcome.output.contains("2 [ ] fix"), "{}", outcome.output);
    assert_eq!(
        bench.call("todowrite", json!({})).await.output,
        "1 [~] look\n2 [ ] fix\n"
    );
    for arguments in [
        json!({"items": [], "set": {"id": 1}}),
        json!({"items": [{"status": "pending"}]}),
        json!({"items": [{"text": "x", "status": "perhaps"}]}),
        json!({"set": {"id": 1}}),
    ] {
        assert_eq!(
            bench.call("todowrite", arguments.clone()).await.code.as_deref(),
            Some("bad_arguments"),
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn one_item_is_added_or_changed_without_an_object_around_it() {
    let bench = bench();
    let created = json!({"subject": "test it", "description": "Run all tests.", "activeForm": "Testing"});
    let outcome = bench.call("TaskCreate", created).await;
    assert_eq!(outcome.output, "1 [~] look\n2 [ ] fix\n3 [ ] test it\n");
    let outcome = bench
        .call("TaskUpdate", json!({"taskId": "2", "status": "completed"}))
        .await;
    assert_eq!(outcome.output, "1 [~] look\n2 [x] fix\n");
    let outcome = bench
        .call("TaskCreate", json!({"subject": "x", "status": "completed"}))
        .await;
    assert_eq!(outcome.code.as_deref(), Some("bad_arguments"));
}

#[tokio::test]
async fn reading_changes_nothing() {
    let outcome = bench().call("todoread", json!({})).await;
    assert_eq!(outcome.output, "1 [~] look\n2 [ ] fix\n");
    assert!(outcome.todo.is_none());
    assert_eq!(
        Bench::new().call("todoread", json!({})).await.output,
        "The list is empty."
    );
}
