//! Configured hooks by event. The hooks of all layers apply. Project hooks run first.

use serde_json::Value;

use benchdog_base::document::{Data, Node};
use benchdog_base::problem::Problem;
use benchdog_base::spelling::nearest;
use benchdog_domain::hook::{Hook, HookEvent};
use benchdog_domain::permission::Layer;

const FIELDS: [&str; 5] = ["name", "match", "command", "timeout_ms", "strict"];

const MOST: usize = 32;

pub(super) fn check(path: &[String], list: &[Node], problems: &mut Vec<Problem>) {
    let Some(event) = path.last().and_then(|name| HookEvent::of(name)) else {
        return;
    };
    for item in list {
        if let Err(problem) = read(event, Layer::User, item) {
            problems.push(problem);
        }
    }
    if let Some(item) = list.get(MOST) {
        let text = format!("`{}` has more than {MOST} hooks", path.join("."));
        problems.push(Problem::new(item.place.clone(), text));
    }
}

pub(super) fn of(layer: Layer, root: &Node) -> Vec<Hook> {
    let lists = root.property("hooks").map(|hooks| &hooks.value.data);
    let Some(Data::Object(lists)) = lists else {
        return Vec::new();
    };
    let mut hooks = Vec::new();
    for (list, event) in lists.iter().filter_map(|list| Some((list, HookEvent::of(&list.name)?))) {
        if let Data::List(items) = &list.value.data {
            hooks.extend(items.iter().filter_map(|item| read(event, layer, item).ok()));
        }
    }
    hooks
}

/// Sorts hooks in execution order: the project's first, then by position in the document.
pub(super) fn in_order(mut hooks: Vec<Hook>) -> Vec<Hook> {
    let rank = |hook: &Hook| if hook.layer == Layer::Project { 0 } else { 1 };
    hooks.sort_by_key(|hook| (hook.event, rank(hook)));
    hooks
}

fn read(event: HookEvent, layer: Layer, item: &Node) -> Result<Hook, Problem> {
    let wrong = |node: &Node, text: String| Problem::new(node.place.clone(), text);
    let Data::Object(fields) = &item.data else {
        return Err(wrong(item, format!("a hook is an object, not {}", item.kind())).with(Some(EXAMPLE.to_owned())));
    };
    if let Some(field) = fields.iter().find(|field| !FIELDS.contains(&field.name.as_str())) {
        let near = nearest(&field.name, FIELDS).map(|near| format!("did you mean `{near}`?"));
        let text = format!("a hook has no `{}`; it has {}", field.name, FIELDS.join(", "));
        return Err(Problem::new(field.place.clone(), text).with(near));
    }
    let field = |name: &str| fields.iter().find(|field| field.name == name).map(|field| &field.value);
    let command = match field("command") {
        Some(node) => words(node).ok_or_else(|| wrong(node, COMMAND.to_owned()))?,
        None => return Err(wrong(item, COMMAND.to_owned()).with(Some(EXAMPLE.to_owned()))),
    };
    let name = match field("name") {
        None => command.first().cloned().unwrap_or_default(),
        Some(node) => name(node).ok_or_else(|| {
            wrong(
                node,
                "the `name` of a hook must be a text of up to 64 characters".to_owned(),
            )
        })?,
    };
    let tools = match field("match") {
        None => Vec::new(),
        Some(node) if !event.is_of_a_tool() => {
            return Err(wrong(
                node,
                format!("`match` has no effect: `{}` concerns no tool", event.name()),
            ));
        }
        Some(node) => patterns(node)?,
    };
    let most = event.most_ms();
    let timeout_ms = match field("timeout_ms") {
        None => event.default_ms(),
        Some(node) => number(node, most).ok_or_else(|| {
            wrong(
                node,
                format!(
                    "`timeout_ms` of `{}` must be a whole number from 1 to {most}",
                    event.name()
                ),
            )
        })?,
    };
    let strict = match field("strict").map(|node| (node, &node.data)) {
        None => false,
        Some((_, Data::Scalar(Value::Bool(strict)))) if event.may_deny() || !strict => *strict,
        Some((node, Data::Scalar(Value::Bool(_)))) => {
            return Err(wrong(
                node,
                format!("`strict` has no effect: `{}` cannot deny anything", event.name()),
            ));
        }
        Some((node, _)) => return Err(wrong(node, "`strict` must be true or false".to_owned())),
    };
    Ok(Hook {
        event,
        name,
        tools,
        command,
        timeout_ms,
        strict,
        layer,
        origin: item.place.short(),
        file: item.place.file.clone(),
        pinned: Vec::new(),
    })
}

const COMMAND: &str = "the `command` of a hook is a list: the program, and each of its arguments";
const EXAMPLE: &str = "for example `{ \"name\": \"guard\", \"match\": \"bash\", \"command\": [\"./guard\"] }`";

fn words(node: &Node) -> Option<Vec<String>> {
    let Data::List(items) = &node.data else { return None };
    let words: Option<Vec<String>> = items.iter().map(text).collect();
    words.filter(|words| words.first().is_some_and(|program| !program.trim().is_empty()))
}

fn text(node: &Node) -> Option<String> {
    match &node.data {
        Data::Scalar(Value::String(text)) if !text.contains('\0') => Some(text.clone()),
        _ => None,
    }
}

fn name(node: &Node) -> Option<String> {
    text(node).filter(|name| !name.trim().is_empty() && name.chars().count() <= 64)
}

fn number(node: &Node, most: u64) -> Option<u64> {
    match &node.data {
        Data::Scalar(value) => value.as_u64().filter(|number| (1..=most).contains(number)),
        Data::List(_) | Data::Object(_) => None,
    }
}

fn patterns(node: &Node) -> Result<Vec<String>, Problem> {
    let wrong = |text: &str| Problem::new(node.place.clone(), text.to_owned());
    let text = text(node)
        .ok_or_else(|| wrong("`match` is a text: names of tools with `*` and `?`, several with `|` between them"))?;
    if text.starts_with("re:") {
        return Err(wrong("`match` takes no regular expression").with(Some(
            "write names of tools with `*` and `?`, several with `|` between them".to_owned(),
        )));
    }
    let patterns: Vec<String> = text.split('|').map(|pattern| pattern.trim().to_owned()).collect();
    if patterns.iter().any(String::is_empty) {
        return Err(wrong("`match` names no tool"));
    }
    Ok(patterns)
}
