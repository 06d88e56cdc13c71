//! `todoread`: returns the todo list.

use serde_json::{Value, json};

use super::arguments::Args;
use super::row::{Declares, Draft, Row, Work};
use super::{Refusal, ToolContext};
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::{EffectClass, Outcome, ToolFacts};

const DESCRIPTION: &str = "Show the todo list of this session.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            ..ToolFacts::of("todoread", EffectClass::Notes)
        },
        aliases: &[
            "todo_read",
            "read_todos",
            "todos",
            "tasklist",
            "task_list",
            "read_todo_list",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Nothing,
        parameters: parameters(),
        arguments: &[],
        more: "",
        serves: None,
        prepare: Box::new(prepare),
    }
}

fn parameters() -> Value {
    json!({"type": "object", "properties": {}})
}

pub(super) fn prepare(_: &Args<'_>, _: &ToolContext) -> Result<Draft, Refusal> {
    Ok(Draft {
        title: "todo list".to_owned(),
        subjects: vec![Subject::Tool],
        review: Review::Fields(Vec::new()),
        work: Work::of((), |(), it| Box::pin(async move { run(it.cx) })),
    })
}

fn run(cx: &ToolContext) -> Outcome {
    Outcome::ok(summary(&cx.todo), lines(&cx.todo))
}

pub(super) fn summary(list: &TodoList) -> Summary {
    let (done, total) = list.progress();
    if list.is_empty() {
        Summary::Empty
    } else {
        Summary::Todo {
            done: done as u64,
            total: total as u64,
        }
    }
}

pub(super) fn lines(list: &TodoList) -> String {
    if list.is_empty() {
        "The list is empty.".to_owned()
    } else {
        list.lines()
    }
}
