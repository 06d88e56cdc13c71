//! `mcp_call`: calls an MCP tool that requests do not declare. The policy, display and log see a call of that tool.

use std::sync::Arc;

use serde_json::json;

use super::{all, another_of, row as row_of};
use crate::arguments::Args;
use crate::row::{Another, Declares, Row, Serves};
use crate::{Refusal, ToolContext};
use benchdog_base::spelling::nearest;
use benchdog_domain::message::Arguments;
use benchdog_domain::tool::{EffectClass, ToolFacts};

const DESCRIPTION: &str =
    "Call a tool that `mcp_find` has found: `tool` is its name, `arguments` is an object of its arguments.";

pub(super) fn row() -> Row {
    Row {
        facts: ToolFacts::of("mcp_call", EffectClass::Network),
        aliases: &["call_tool", "use_mcp_tool"],
        description: DESCRIPTION.into(),
        declares: Declares::Whole,
        parameters: json!({
            "type": "object",
            "properties": {"tool": {"type": "string"}, "arguments": {"type": "object"}},
            "required": ["tool"]
        }),
        arguments: &[
            ("tool", &["name", "tool_name"]),
            ("arguments", &["args", "input", "parameters", "params"]),
        ],
        more: "",
        serves: Some(Serves::Another(another)),
        // The registry replaces the call by the call in its arguments.
        prepare: Box::new(|args, cx| another(args, cx).map(|another| another.draft)),
    }
}

fn another(args: &Args<'_>, cx: &ToolContext) -> Result<Another, Refusal> {
    let wanted = args.filled_text("tool")?.trim().to_owned();
    let given = args.object("arguments")?.unwrap_or_default();
    let listed = cx.outside.as_ref().map(|outside| outside.listed()).unwrap_or_default();
    let found = all(&listed).find(|(name, _, tool)| *name == wanted || tool.name == wanted);
    let Some((_, server, tool)) = found else {
        let names: Vec<String> = all(&listed).map(|(name, _, _)| name).collect();
        let near = nearest(&wanted, names.iter().map(String::as_str));
        let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        return Err(Refusal::new(
            "unknown_tool",
            format!("No server offers `{wanted}`.{near} Find one with `mcp_find`."),
        ));
    };
    let row = Arc::new(row_of(server, tool));
    another_of(row, &Arguments::Object(given), cx)
}
