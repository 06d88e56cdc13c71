//! Parses the arguments of an edit, in all forms that models use.

use serde_json::{Map, Value};

use super::super::Refusal;
use super::super::arguments::Args;
use super::{Edit, blocks};

/// Accepted aliases of `old`, not declared in the schema.
pub(super) const OLD: &[&str] = &[
    "old",
    "old_string",
    "old_str",
    "old_text",
    "search",
    "find",
    "oldText",
    "original",
    "target",
];
pub(super) const NEW: &[&str] = &[
    "new",
    "new_string",
    "new_str",
    "new_text",
    "replace",
    "replacement",
    "newText",
    "updated",
];
pub(super) const ALL: &[&str] = &["all", "replace_all", "replaceAll", "global"];

/// Parses the edits from the `edits` list, from `old` and `new` at the top level, or from SEARCH/REPLACE blocks.
pub(super) fn edits(args: &Args<'_>) -> Result<Vec<Edit>, Refusal> {
    let listed = match args.value("edits") {
        // Some models put the blocks into the list argument.
        Some(Value::String(text)) if blocks::looks_like(text) => {
            blocks::parse(text).map_err(|error| args.refuse(&error))?
        }
        _ => match args.list("edits")? {
            Some(items) => items.iter().map(|item| one(args, item)).collect::<Result<_, _>>()?,
            None => Vec::new(),
        },
    };
    if !listed.is_empty() {
        return Ok(listed);
    }
    if let Some(new) = args.text("new")? {
        let old = args.text("old")?.unwrap_or_default();
        return Ok(vec![Edit {
            old,
            new,
            all: args.flag("all")?,
        }]);
    }
    if let Some(text) = args.text("blocks")? {
        return blocks::parse(&text).map_err(|error| args.refuse(&error));
    }
    Err(args.refuse("`edit` needs `edits` with at least one `{old, new}`"))
}

fn one(args: &Args<'_>, item: &Value) -> Result<Edit, Refusal> {
    let Value::Object(map) = item else {
        return Err(args.refuse("each of `edits` must be an object `{old, new}`"));
    };
    let text = |names: &[&str]| find(map, names).and_then(Value::as_str).map(str::to_owned);
    let Some(new) = text(NEW) else {
        return Err(args.refuse("an edit lacks `new`"));
    };
    let Some(old) = text(OLD) else {
        return Err(args.refuse("an edit lacks `old`"));
    };
    let all = match find(map, ALL) {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
        _ => false,
    };
    Ok(Edit { old, new, all })
}

fn find<'a>(map: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| map.get(*name))
}
