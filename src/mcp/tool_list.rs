//! Removes control characters from a server's tools, and limits sizes. Tools that cannot be repaired are skipped and
//! reported.

use rmcp::model::Tool;
use serde_json::Value;

use super::lenient_parser::why_unread;
use super::limits::{Completeness, DEEPEST_SCHEMA, MOST_DESCRIPTION, MOST_SCHEMA, MOST_TOOLS, PageResult};
use super::schema_repair::repair;
use benchdog_base::text::clean;
use benchdog_domain::server::{LeftOut, Offered, WhyLeftOut};

const MOST_NAME: usize = 256;

const REPAIRED: &str = "\n[Parts of the schema of its arguments were no JSON Schema and were left out.]";

#[derive(Default)]
pub(super) struct ToolList {
    pub(super) offered: Vec<Offered>,
    pub(super) left_out: Vec<LeftOut>,
}

impl ToolList {
    pub(super) fn add(&mut self, page: Vec<Tool>) -> PageResult {
        for tool in page {
            if self.left_out.len() >= MOST_TOOLS {
                return PageResult::Exceeded;
            }
            let place = self.offered.len() + self.left_out.len() + 1;
            let label: String = clean(&tool.name).chars().take(MOST_NAME).collect();
            let label = if label.trim().is_empty() {
                format!("#{place}")
            } else {
                label
            };
            if let Err(why) = self.push(tool) {
                self.left_out.push(LeftOut { tool: label, why });
            }
        }
        if self.offered.len() + self.left_out.len() > MOST_TOOLS {
            PageResult::Full
        } else {
            PageResult::Continue
        }
    }

    fn push(&mut self, tool: Tool) -> Result<(), WhyLeftOut> {
        if self.offered.len() >= MOST_TOOLS {
            return Err(WhyLeftOut::TooMany);
        }
        if let Some(why) = why_unread(&tool) {
            return Err(why);
        }
        let tool = sanitize_tool(tool)?;
        if self.offered.iter().any(|other| other.name == tool.name) {
            return Err(WhyLeftOut::NameTaken);
        }
        self.offered.push(tool);
        Ok(())
    }
}

/// Reports an incomplete list, unless an exceeded limit was already reported.
pub(super) fn report_incomplete(left_out: &mut Vec<LeftOut>, read: Completeness) {
    let is_reported = |one: &LeftOut| matches!(one.why, WhyLeftOut::Unlisted | WhyLeftOut::TooMany);
    if read == Completeness::Partial && !left_out.iter().any(is_reported) {
        left_out.push(LeftOut {
            tool: String::new(),
            why: WhyLeftOut::Unlisted,
        });
    }
}

fn sanitize_tool(tool: Tool) -> Result<Offered, WhyLeftOut> {
    let name = tool.name.into_owned();
    let is_name = !name.trim().is_empty() && name.len() <= MOST_NAME && !name.chars().any(char::is_control);
    if !is_name {
        return Err(WhyLeftOut::Misnamed);
    }
    let schema = Value::Object(std::sync::Arc::unwrap_or_clone(tool.input_schema));
    let is_object = matches!(schema.get("type"), None | Some(Value::String(_)))
        && schema.get("type").and_then(Value::as_str).unwrap_or("object") == "object";
    if !is_object || depth(&schema) > DEEPEST_SCHEMA || schema.to_string().len() > MOST_SCHEMA {
        return Err(WhyLeftOut::Schema);
    }
    let (schema, changed) = repair(sanitize(schema));
    let mut description = sanitize_description(&tool.description.unwrap_or_default());
    if changed {
        description.push_str(REPAIRED);
    }
    Ok(Offered {
        name,
        description: description.trim_start().to_owned(),
        schema: set_type(schema),
    })
}

fn sanitize_description(text: &str) -> String {
    let text = clean(text);
    let text = text.trim();
    match text.char_indices().nth(MOST_DESCRIPTION) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Removes control characters from all texts in a JSON value. Does not resolve references (`$ref`).
pub(super) fn sanitize(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text).into_owned()),
        Value::Array(items) => Value::Array(items.into_iter().map(sanitize).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (clean(&name).into_owned(), sanitize(value)))
                .collect(),
        ),
        other => other,
    }
}

/// Adds the type `object` to a schema without a type, because some APIs require one.
fn set_type(mut schema: Value) -> Value {
    if let Value::Object(fields) = &mut schema {
        fields.entry("type").or_insert_with(|| "object".into());
    }
    schema
}

#[cfg(test)]
mod tests;
