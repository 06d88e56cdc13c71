//! Parses answers with invalid parts, which the SDK would reject as a whole. Invalid tools and content blocks become
//! placeholders with the reason. Other invalid items are dropped.

use std::fmt;
use std::marker::PhantomData;

use rmcp::RoleClient;
use rmcp::model::{ContentBlock, JsonRpcMessage, MetaObject, Prompt, Resource, ResourceTemplate, ServerResult, Tool};
use rmcp::service::RxJsonRpcMessage;
use serde::de::{DeserializeOwned, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::limits::MOST_TOOLS;
use benchdog_base::text::truncate;
use benchdog_domain::server::WhyLeftOut;

/// Metadata key of placeholders. A server that sets it affects only its own items.
const MARK: &str = "benchdog/unread";
const NO_OBJECT: &str = "object";
const NO_NAME: &str = "name";
const NO_SCHEMA: &str = "schema";

const MOST_KIND: usize = 40;

/// Maximum number of parsed tools. The value exceeds `MOST_TOOLS`, so that an overlong list is detected.
const MOST_LISTED: usize = 2 * MOST_TOOLS + 1;

/// Maximum number of parsed content parts. A part may need a hundred times the memory of its text.
const MOST_PARTS: usize = 10_000;

#[derive(Deserialize)]
struct Answer<'m> {
    id: Value,
    #[serde(borrow)]
    result: Parts<'m>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parts<'m> {
    #[serde(borrow, default)]
    tools: Option<LimitedList<'m, MOST_LISTED>>,
    #[serde(borrow, default)]
    prompts: Option<LimitedList<'m, MOST_PARTS>>,
    #[serde(borrow, default)]
    resources: Option<LimitedList<'m, MOST_PARTS>>,
    #[serde(borrow, default)]
    resource_templates: Option<LimitedList<'m, MOST_PARTS>>,
    #[serde(borrow, default)]
    content: Option<LimitedList<'m, MOST_PARTS>>,
    #[serde(borrow, default)]
    messages: Option<LimitedList<'m, MOST_PARTS>>,
    #[serde(borrow, default)]
    next_cursor: Option<&'m RawValue>,
    #[serde(borrow, default)]
    structured_content: Option<&'m RawValue>,
    #[serde(borrow, default)]
    is_error: Option<&'m RawValue>,
    #[serde(borrow, default)]
    description: Option<&'m RawValue>,
}

struct LimitedList<'m, const MOST: usize> {
    parts: Vec<&'m RawValue>,
    is_truncated: bool,
}

impl<'de: 'm, 'm, const MOST: usize> Deserialize<'de> for LimitedList<'m, MOST> {
    fn deserialize<D: Deserializer<'de>>(text: D) -> Result<Self, D::Error> {
        text.deserialize_seq(ListVisitor::<'m, MOST>(PhantomData))
    }
}

struct ListVisitor<'m, const MOST: usize>(PhantomData<&'m RawValue>);

impl<'de: 'm, 'm, const MOST: usize> Visitor<'de> for ListVisitor<'m, MOST> {
    type Value = LimitedList<'m, MOST>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut parts: Vec<&'m RawValue> = Vec::new();
        while parts.len() < MOST {
            let Some(part) = list.next_element()? else {
                return Ok(LimitedList {
                    parts,
                    is_truncated: false,
                });
            };
            parts.push(part);
        }
        let mut is_truncated = false;
        while list.next_element::<IgnoredAny>()?.is_some() {
            is_truncated = true;
        }
        Ok(LimitedList { parts, is_truncated })
    }
}

impl<const MOST: usize> LimitedList<'_, MOST> {
    fn convert(self, one: impl Fn(&RawValue) -> Option<Value>) -> Vec<Value> {
        self.parts.into_iter().filter_map(one).collect()
    }
}

pub(super) fn needs_lenient_parse(message: &RxJsonRpcMessage<RoleClient>) -> bool {
    matches!(message, JsonRpcMessage::Response(answer) if matches!(answer.result, ServerResult::CustomResult(_) | ServerResult::TaskAckResult(_)))
}

/// Parses an answer. `None` if the answer has no list of a known kind.
pub(super) fn parse_leniently(line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
    let Answer { id, result } = serde_json::from_slice(line).ok()?;
    let result = Value::Object(result.parse_leniently()?);
    serde_json::from_value(object([("jsonrpc", "2.0".into()), ("id", id), ("result", result)])).ok()
}

fn object<const COUNT: usize>(fields: [(&str, Value); COUNT]) -> Value {
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.collect())
}

impl Parts<'_> {
    fn parse_leniently(self) -> Option<Map<String, Value>> {
        let lists = [
            ("tools", self.tools.map(|all| all.convert(|text| Some(tool(text))))),
            ("prompts", self.prompts.map(|all| all.convert(keep_valid::<Prompt>))),
            (
                "resources",
                self.resources.map(|all| all.convert(keep_valid::<Resource>)),
            ),
            (
                "resourceTemplates",
                self.resource_templates
                    .map(|all| all.convert(keep_valid::<ResourceTemplate>)),
            ),
            ("content", self.content.map(blocks)),
            ("messages", self.messages.map(|all| all.convert(message))),
        ];
        let mut whole = Map::new();
        for (name, list) in lists {
            whole.extend(list.map(|list| (name.to_owned(), Value::Array(list))));
        }
        if whole.is_empty() {
            return None;
        }
        let other_fields = [
            ("nextCursor", read::<String>(self.next_cursor).map(Value::String)),
            ("structuredContent", read::<Value>(self.structured_content)),
            ("isError", read::<bool>(self.is_error).map(Value::Bool)),
            ("description", read::<String>(self.description).map(Value::String)),
        ];
        for (name, value) in other_fields {
            whole.extend(value.map(|value| (name.to_owned(), value)));
        }
        Some(whole)
    }
}

fn read<T: DeserializeOwned>(text: Option<&RawValue>) -> Option<T> {
    text.and_then(|text| serde_json::from_str(text.get()).ok())
}

fn keep_valid<T: DeserializeOwned>(text: &RawValue) -> Option<Value> {
    let is_one = serde_json::from_str::<T>(text.get()).is_ok();
    is_one.then(|| serde_json::from_str(text.get()).ok()).flatten()
}

fn tool(text: &RawValue) -> Value {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Parts<'m> {
        #[serde(borrow, default)]
        name: Option<&'m RawValue>,
        #[serde(borrow, default)]
        description: Option<&'m RawValue>,
        #[serde(borrow, default)]
        input_schema: Option<&'m RawValue>,
    }
    let Ok(parts) = serde_json::from_str::<Parts<'_>>(text.get()) else {
        return placeholder("", NO_OBJECT);
    };
    let Some(name) = read::<String>(parts.name) else {
        return placeholder("", NO_NAME);
    };
    let Some(schema) = read::<Map<String, Value>>(parts.input_schema) else {
        return placeholder(&name, NO_SCHEMA);
    };
    let description = read::<String>(parts.description).unwrap_or_default();
    object([
        ("name", name.into()),
        ("description", description.into()),
        ("inputSchema", Value::Object(schema)),
    ])
}

fn placeholder(name: &str, why: &str) -> Value {
    json!({"name": name, "inputSchema": {}, "_meta": {MARK: why}})
}

pub(super) fn why_unread(tool: &Tool) -> Option<WhyLeftOut> {
    match mark(tool.meta.as_ref())? {
        NO_OBJECT => Some(WhyLeftOut::NoTool),
        NO_NAME => Some(WhyLeftOut::Misnamed),
        _ => Some(WhyLeftOut::Schema),
    }
}

/// Replaces each invalid block by a placeholder, and all blocks beyond the limit by one placeholder without a type.
fn blocks(all: LimitedList<'_, MOST_PARTS>) -> Vec<Value> {
    let is_truncated = all.is_truncated;
    let mut blocks = all.convert(|text| Some(block(text)));
    blocks.extend(is_truncated.then(|| placeholder_block("")));
    blocks
}

fn block(text: &RawValue) -> Value {
    #[derive(Deserialize)]
    struct Kind {
        r#type: String,
    }
    if serde_json::from_str::<ContentBlock>(text.get()).is_ok()
        && let Ok(block) = serde_json::from_str(text.get())
    {
        return block;
    }
    let kind = serde_json::from_str::<Kind>(text.get()).map(|kind| truncate(&kind.r#type, MOST_KIND).into_owned());
    placeholder_block(&kind.unwrap_or_default())
}

fn placeholder_block(kind: &str) -> Value {
    json!({"type": "text", "text": "", "_meta": {MARK: kind}})
}

pub(super) fn unread_kind(meta: Option<&MetaObject>) -> Option<&str> {
    mark(meta)
}

fn message(text: &RawValue) -> Option<Value> {
    #[derive(Deserialize)]
    struct Message<'m> {
        role: Value,
        #[serde(borrow)]
        content: &'m RawValue,
    }
    let Message { role, content } = serde_json::from_str(text.get()).ok()?;
    let is_known = matches!(role.as_str(), Some("user" | "assistant"));
    is_known.then(|| object([("role", role), ("content", block(content))]))
}

fn mark(meta: Option<&MetaObject>) -> Option<&str> {
    meta?.get(MARK)?.as_str()
}

#[cfg(test)]
mod tests;
