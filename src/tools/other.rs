//! `other_tool`: calls a tool that requests do not declare, because the model's context window is small. The policy,
//! display and log see a call of that tool.

use serde_json::json;

use super::Refusal;
use super::arguments::Args;
use super::row::{Declares, Row, Serves};
use benchdog_base::id::CallId;
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::tool::{EffectClass, ToolFacts};

const OPENING: &str = "Call one of these tools by its name:";

/// `lines` describes the tools that `other_tool` can call.
pub(super) fn row(lines: &[String]) -> Row {
    Row {
        facts: ToolFacts::of("other_tool", EffectClass::Notes),
        aliases: &[],
        description: format!("{OPENING}\n{}", lines.join("\n")).into(),
        declares: Declares::Whole,
        parameters: json!({
            "type": "object",
            "properties": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
            "required": ["tool", "arguments"]
        }),
        arguments: &[
            ("tool", &["name", "tool_name"]),
            ("arguments", &["args", "input", "parameters", "params"]),
        ],
        more: "",
        serves: Some(Serves::Other),
        // Not used, because the registry replaces the call by the call in its arguments.
        prepare: Box::new(|_, _| Err(Refusal::new("unknown_tool", "Name another tool.".to_owned()))),
    }
}

pub(super) fn meant(id: &CallId, args: &Args<'_>) -> Result<ToolCall, Refusal> {
    Ok(ToolCall {
        id: id.clone(),
        name: args.filled_text("tool")?.trim().to_owned(),
        arguments: Arguments::Object(args.object("arguments")?.unwrap_or_default()),
    })
}
