//! Answers that the SDK reads as a whole or not at all. Where one item of a list or one block of a text is none, only that one is lost:
//! what stands in its place says so, and whoever takes the answer finds it. Nothing is looked at of an answer that can be read.

use rmcp::RoleClient;
use rmcp::model::{ContentBlock, JsonRpcMessage, MetaObject, Prompt, Resource, ResourceTemplate, ServerResult, Tool};
use rmcp::service::RxJsonRpcMessage;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::base::text::truncate;
use crate::domain::server::WhyLeftOut;

/// Under which what stands in the place of something says why. A server that writes it itself takes only from what is its own.
const MARK: &str = "benchdog/unread";
const NO_OBJECT: &str = "object";
const NO_NAME: &str = "name";
const NO_SCHEMA: &str = "schema";

/// Columns of the type of a block that is not known.
const MOST_KIND: usize = 40;

/// An answer and the texts of its parts, none of which has been looked at: how deep they are does not matter.
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
    tools: Option<Vec<&'m RawValue>>,
    #[serde(borrow, default)]
    prompts: Option<Vec<&'m RawValue>>,
    #[serde(borrow, default)]
    resources: Option<Vec<&'m RawValue>>,
    #[serde(borrow, default)]
    resource_templates: Option<Vec<&'m RawValue>>,
    #[serde(borrow, default)]
    content: Option<Vec<&'m RawValue>>,
    #[serde(borrow, default)]
    messages: Option<Vec<&'m RawValue>>,
    #[serde(borrow, default)]
    next_cursor: Option<&'m RawValue>,
    #[serde(borrow, default)]
    structured_content: Option<&'m RawValue>,
    #[serde(borrow, default)]
    is_error: Option<&'m RawValue>,
    #[serde(borrow, default)]
    description: Option<&'m RawValue>,
}

/// Whether the SDK made of an answer what it makes of one that it does not understand.
pub(super) fn is_misread(message: &RxJsonRpcMessage<RoleClient>) -> bool {
    matches!(message, JsonRpcMessage::Response(answer) if matches!(answer.result, ServerResult::CustomResult(_) | ServerResult::TaskAckResult(_)))
}

/// The answer of a line without what cannot be read of it; `None`: it holds nothing that is made of parts.
pub(super) fn mended(line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
    let Answer { id, result } = serde_json::from_slice(line).ok()?;
    let result = result.mended()?;
    serde_json::from_value(json!({"jsonrpc": "2.0", "id": id, "result": result})).ok()
}

impl Parts<'_> {
    fn mended(self) -> Option<Map<String, Value>> {
        let lists = [
            ("tools", self.tools.map(|all| all.into_iter().map(tool).collect())),
            ("prompts", self.prompts.map(readable::<Prompt>)),
            ("resources", self.resources.map(readable::<Resource>)),
            (
                "resourceTemplates",
                self.resource_templates.map(readable::<ResourceTemplate>),
            ),
            ("content", self.content.map(|all| all.into_iter().map(block).collect())),
            (
                "messages",
                self.messages.map(|all| all.into_iter().filter_map(message).collect()),
            ),
        ];
        let mut whole = Map::new();
        for (name, list) in lists {
            whole.extend(list.map(|list: Vec<Value>| (name.to_owned(), Value::Array(list))));
        }
        if whole.is_empty() {
            return None;
        }
        let beside = [
            ("nextCursor", read::<String>(self.next_cursor).map(Value::String)),
            ("structuredContent", read::<Value>(self.structured_content)),
            ("isError", read::<bool>(self.is_error).map(Value::Bool)),
            ("description", read::<String>(self.description).map(Value::String)),
        ];
        for (name, value) in beside {
            whole.extend(value.map(|value| (name.to_owned(), value)));
        }
        Some(whole)
    }
}

fn read<T: DeserializeOwned>(text: Option<&RawValue>) -> Option<T> {
    text.and_then(|text| serde_json::from_str(text.get()).ok())
}

/// Those that can be read.
fn readable<T: DeserializeOwned>(all: Vec<&RawValue>) -> Vec<Value> {
    let read = all
        .into_iter()
        .filter(|text| serde_json::from_str::<T>(text.get()).is_ok());
    read.filter_map(|text| serde_json::from_str(text.get()).ok()).collect()
}

/// What is taken of a tool, or, where that is none, the tool in its place that says why.
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
        return unread("", NO_OBJECT);
    };
    let Some(name) = read::<String>(parts.name) else {
        return unread("", NO_NAME);
    };
    let Some(schema) = read::<Map<String, Value>>(parts.input_schema) else {
        return unread(&name, NO_SCHEMA);
    };
    let description = read::<String>(parts.description).unwrap_or_default();
    json!({"name": name, "description": description, "inputSchema": schema})
}

fn unread(name: &str, why: &str) -> Value {
    json!({"name": name, "inputSchema": {}, "_meta": {MARK: why}})
}

/// Why this stands in the place of a tool that could not be read.
pub(super) fn why_unread(tool: &Tool) -> Option<WhyLeftOut> {
    match mark(tool.meta.as_ref())? {
        NO_OBJECT => Some(WhyLeftOut::NoTool),
        NO_NAME => Some(WhyLeftOut::Misnamed),
        _ => Some(WhyLeftOut::Schema),
    }
}

/// The block, or one in its place that names its type.
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
    json!({"type": "text", "text": "", "_meta": {MARK: kind.unwrap_or_default()}})
}

/// The type of a block that stands in the place of one that could not be read.
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
    is_known.then(|| json!({"role": role, "content": block(content)}))
}

fn mark(meta: Option<&MetaObject>) -> Option<&str> {
    meta?.get(MARK)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::server::Part;
    use crate::mcp::answered::answered;
    use crate::mcp::cleaned::Taken;

    fn result(answer: &str) -> ServerResult {
        let line = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{answer}}}"#);
        match mended(line.as_bytes()) {
            Some(JsonRpcMessage::Response(answer)) => answer.result,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_tool_that_is_none_costs_only_itself_and_says_why() {
        let deep = format!("{}{{}}{}", r#"{"a":"#.repeat(130), "}".repeat(130));
        let tools = [
            r#"{"name":"ok","inputSchema":{"type":"object"},"annotations":7,"title":3}"#.to_owned(),
            r#"{"name":5,"inputSchema":{}}"#.to_owned(),
            r#"{"name":"bare"}"#.to_owned(),
            "null".to_owned(),
            format!(r#"{{"name":"deep","inputSchema":{deep}}}"#),
            r#"{"name":"well","description":["odd"],"inputSchema":{}}"#.to_owned(),
        ];
        let ServerResult::ListToolsResult(list) =
            result(&format!(r#"{{"tools":[{}],"nextCursor":"2"}}"#, tools.join(",")))
        else {
            panic!("a list")
        };
        assert_eq!(list.next_cursor.as_deref(), Some("2"));
        let mut taken = Taken::default();
        taken.add(list.tools);
        let names: Vec<&str> = taken.offered.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["ok", "well"]);
        let left: Vec<_> = taken.left_out.iter().map(|one| (one.tool.as_str(), one.why)).collect();
        assert_eq!(
            left,
            [
                ("#2", WhyLeftOut::Misnamed),
                ("bare", WhyLeftOut::Schema),
                ("#4", WhyLeftOut::NoTool),
                ("deep", WhyLeftOut::Schema),
            ]
        );
    }

    #[test]
    fn a_block_of_a_kind_that_is_not_known_is_named_and_the_text_around_it_stays() {
        let answer = r#"{"content":[{"type":"text","text":"one"},{"type":"hologram","data":[1]},7,{"type":"text","text":"two"}],"isError":"no"}"#;
        let whole = answered(result(answer)).unwrap();
        let unknown = |kind: &str| Part::Unknown { kind: kind.to_owned() };
        let text = |text: &str| Part::Text(text.to_owned());
        assert_eq!(
            whole.parts,
            [text("one"), unknown("hologram"), unknown(""), text("two")]
        );
        assert!(!whole.failed);
    }

    #[test]
    fn an_answer_without_parts_is_left_as_it_is() {
        assert!(mended(br#"{"jsonrpc":"2.0","id":7,"result":{"odd":1}}"#).is_none());
        assert!(mended(br#"{"jsonrpc":"2.0","id":7,"result":{"tools":5}}"#).is_none());
    }

    #[test]
    fn prompts_that_are_none_cost_no_other() {
        let ServerResult::ListPromptsResult(list) = result(r#"{"prompts":[{"name":"a"},{"name":4},null]}"#) else {
            panic!("a list")
        };
        assert_eq!(list.prompts.len(), 1);
    }
}
