//! `todoread`: the list as it stands.

use serde_json::{Value, json};

use super::{Draft, Plan, Spec, ToolContext};
use crate::domain::permission::Subject;
use crate::domain::review::Review;
use crate::domain::todo::TodoList;
use crate::domain::tool::{EffectClass, Outcome};

pub(super) const SPEC: Spec = Spec {
    name: "todoread",
    aliases: &["todo_read", "read_todos", "todos", "tasklist", "task_list"],
    description: "Show the todo list of this session: one line an item with its id, its mark ([ ] pending, [~] in progress, [x] completed, \
                  [-] cancelled) and its text.",
    effect: EffectClass::Notes,
    parameters,
    arguments: &[],
    more: "",
};

fn parameters() -> Value {
    json!({"type": "object", "properties": {}})
}

pub(super) fn prepare() -> Draft {
    Draft {
        title: "todo list".to_owned(),
        subjects: vec![Subject::Tool],
        review: Review::Fields(Vec::new()),
        plan: Plan::TodoRead,
    }
}

pub(super) fn run(cx: &ToolContext) -> Outcome {
    Outcome::ok(summary(&cx.todo), lines(&cx.todo))
}

/// `2 of 5 done`.
pub(super) fn summary(list: &TodoList) -> String {
    let (done, total) = list.progress();
    if list.is_empty() {
        "empty".to_owned()
    } else {
        format!("{done} of {total} done")
    }
}

pub(super) fn lines(list: &TodoList) -> String {
    if list.is_empty() {
        "The list is empty.".to_owned()
    } else {
        list.lines()
    }
}
