//! `todowrite`: replaces the todo list or changes one item. The engine stores the list.

use serde_json::{Map, Value, json};

use super::arguments::Args;
use super::row::{Declares, Draft, Row, Work};
use super::{Refusal, ToolContext, todoread};
use benchdog_base::text::one_line;
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::review::Review;
use benchdog_domain::todo::{TodoDraft, TodoEdit, TodoList, TodoStatus};
use benchdog_domain::tool::{EffectClass, Outcome, Success, ToolFacts};

const DESCRIPTION: &str =
    "Keep a todo list for work of several steps. `items` replaces it. Without arguments: show it.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts {
            defaults: vec![("*".into(), Action::Allow)],
            success: Success::ListKept,
            ..ToolFacts::of("todowrite", EffectClass::Notes)
        },
        aliases: &[
            "todo_write",
            "update_todos",
            "write_todos",
            "todo",
            "update_plan",
            "todo_list",
            "update_todo_list",
            "manage_todo_list",
            "taskcreate",
            "taskupdate",
        ],
        description: DESCRIPTION.into(),
        declares: Declares::Brief("todowrite {items?: [{id?, text, status}]}: keep a todo list"),
        parameters: parameters(),
        arguments: &[
            ("items", &["todos", "list", "tasks", "plan"]),
            ("set", &["update", "item"]),
            ("taskId", &["task_id", "id"]),
            ("subject", &["text"]),
            ("status", &[]),
        ],
        more: "",
        serves: None,
        prepare: Box::new(prepare),
    }
}

const MOST: usize = 200;

struct TodoPlan {
    after: TodoList,
}

fn parameters() -> Value {
    let status = json!({"type": "string", "enum": ["pending", "in_progress", "completed", "cancelled"]});
    json!({
        "type": "object",
        "properties": {
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"id": {"type": "integer"}, "text": {"type": "string"}, "status": status},
                    "required": ["text", "status"]
                }
            },
            "set": {
                "undeclared": true,
                "type": "object",
                "properties": {"id": {"type": "integer"}, "status": {"type": "string"}, "text": {"type": "string"}},
                "required": ["id"]
            },
            "taskId": {"undeclared": true},
            "subject": {"undeclared": true, "type": "string"},
            "status": {"undeclared": true, "type": "string"}
        }
    })
}

fn prepare(args: &Args<'_>, cx: &ToolContext) -> Result<Draft, Refusal> {
    let edit = match (args.list("items")?, args.object("set")?) {
        (Some(items), None) => TodoEdit::Replace(drafts(args, &items)?),
        (None, Some(set)) => change(args, &set)?,
        (Some(_), Some(_)) => return Err(args.refuse("Give either `items` or `set`, not both")),
        (None, None) => match one_item(args)? {
            Some(edit) => edit,
            None => return todoread::prepare(args, cx),
        },
    };
    let after = cx.todo.edited(&edit).map_err(|error| {
        Refusal::new(
            "unknown_item",
            format!("{error}.\nThe list:\n{}", todoread::lines(&cx.todo)),
        )
    })?;
    let title = match &edit {
        TodoEdit::Replace(items) => super::size::count(items.len(), "item", "items"),
        TodoEdit::Add { .. } => super::size::count(1, "item", "items"),
        TodoEdit::Set { id, .. } | TodoEdit::Move { id, .. } | TodoEdit::Remove { id } => format!("item {id}"),
    };
    Ok(Draft {
        title,
        subjects: vec![Subject::Tool],
        review: Review::Fields(vec![("list".to_owned(), after.lines())]),
        work: Work::of(TodoPlan { after }, |plan, _| Box::pin(async move { run(plan) })),
    })
}

fn run(plan: TodoPlan) -> Outcome {
    let summary = todoread::summary(&plan.after);
    let output = todoread::lines(&plan.after);
    Outcome {
        todo: Some(plan.after),
        ..Outcome::ok(summary, output)
    }
}

/// Returns the edit if the arguments themselves describe one item, as in the tools `TaskCreate` and `TaskUpdate`.
/// `None` if the arguments describe no item.
fn one_item(args: &Args<'_>) -> Result<Option<TodoEdit>, Refusal> {
    let map = args.all();
    if id_of(map).is_some() {
        return change(args, map).map(Some);
    }
    let Some(text) = text_of(map) else { return Ok(None) };
    match status_of(args, map)? {
        None | Some(TodoStatus::Pending) => Ok(Some(TodoEdit::Add { text })),
        Some(_) => Err(args.refuse("A new item is `pending`; change its `status` afterwards, with its `id`")),
    }
}

fn drafts(args: &Args<'_>, items: &[Value]) -> Result<Vec<TodoDraft>, Refusal> {
    if items.len() > MOST {
        return Err(args.refuse(&format!("The list has {} items; at most {MOST} are kept", items.len())));
    }
    items
        .iter()
        .map(|item| match item {
            // A text instead of an object is a pending item.
            Value::String(text) => Ok(TodoDraft {
                id: None,
                text: one_line(text),
                status: TodoStatus::Pending,
            }),
            Value::Object(map) => {
                let text = text_of(map).ok_or_else(|| args.refuse("An item of `items` has no `text`"))?;
                let status = status_of(args, map)?.unwrap_or(TodoStatus::Pending);
                Ok(TodoDraft {
                    id: id_of(map),
                    text,
                    status,
                })
            }
            _ => Err(args.refuse("`items` must be a list of `{text, status}`")),
        })
        .collect()
}

fn change(args: &Args<'_>, set: &Map<String, Value>) -> Result<TodoEdit, Refusal> {
    let id = id_of(set).ok_or_else(|| args.refuse("`set` needs the `id` of an item, a number"))?;
    let (status, text) = (status_of(args, set)?, text_of(set));
    if status.is_none() && text.is_none() {
        return Err(args.refuse("`set` needs a new `status` or a new `text`"));
    }
    Ok(TodoEdit::Set { id, status, text })
}

fn id_of(map: &Map<String, Value>) -> Option<u32> {
    let value = map.get("id").or_else(|| map.get("taskId"))?;
    match value {
        Value::Number(number) => u32::try_from(number.as_u64()?).ok(),
        Value::String(text) => text.trim().trim_start_matches('#').parse().ok(),
        _ => None,
    }
}

fn text_of(map: &Map<String, Value>) -> Option<String> {
    let names = ["text", "content", "title", "task", "subject", "description", "step"];
    let text = names.iter().find_map(|name| map.get(*name).and_then(Value::as_str))?;
    Some(one_line(text)).filter(|text| !text.is_empty())
}

fn status_of(args: &Args<'_>, map: &Map<String, Value>) -> Result<Option<TodoStatus>, Refusal> {
    let Some(value) = map
        .get("status")
        .or_else(|| map.get("state"))
        .filter(|value| !value.is_null())
    else {
        return Ok(None);
    };
    let word = value
        .as_str()
        .unwrap_or("")
        .trim()
        .to_lowercase()
        .replace(['-', ' '], "_");
    let status = match word.as_str() {
        "pending" | "todo" | "open" | "not_started" | "new" | "[ ]" | "" => TodoStatus::Pending,
        "in_progress" | "inprogress" | "active" | "doing" | "started" | "current" | "[~]" => TodoStatus::InProgress,
        "completed" | "complete" | "done" | "finished" | "closed" | "[x]" => TodoStatus::Completed,
        "cancelled" | "canceled" | "skipped" | "dropped" | "deleted" | "removed" | "[_]" => TodoStatus::Cancelled,
        _ => {
            return Err(args.refuse(&format!(
                "`{word}` is not a status; use `pending`, `in_progress`, `completed` or `cancelled`"
            )));
        }
    };
    Ok(Some(status))
}

#[cfg(test)]
mod tests;
