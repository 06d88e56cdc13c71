//! What a model is asked to show that it answers and calls tools. Nothing of a session is in it.

use serde_json::json;

use crate::domain::message::{Aliases, ToolDeclaration};

pub(crate) const ANSWER: &str = "Reply with the one word: ready";
pub(crate) const CALL: &str = "Call the tool `probe` with the word `ready`. Answer with nothing else.";
pub(crate) const TOOL: &str = "probe";

/// A tool without effect.
pub(crate) fn tool() -> ToolDeclaration {
    ToolDeclaration {
        name: TOOL.to_owned(),
        description: "Shows that tools can be called. It does nothing.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "word": { "type": "string" } },
            "required": ["word"],
        }),
        aliases: Aliases::default(),
    }
}
