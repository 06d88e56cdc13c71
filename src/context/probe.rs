//! Test requests for the health check. They contain no session data.

use serde_json::json;

use benchdog_domain::message::{Aliases, ToolDeclaration};

pub const ANSWER: &str = "Reply with the one word: ready";
pub const CALL: &str = "Call the tool `probe` with the word `ready`. Answer with nothing else.";
pub const TOOL: &str = "probe";
pub const SYSTEM: &str = "You do what you are asked to, and nothing beside it.";
pub const COUNT: &str = "Count from 1 to 20 in words.";
pub const COUNT_ON: &str = "Count from 21 to 40 in words.";

/// Returns a text of about twelve tokens per line, as a common prefix of two requests.
pub fn passage(lines: usize) -> String {
    let line = |number| format!("Line {number}: the bench holds the piece while somebody looks.\n");
    (1..=lines).map(line).collect()
}

pub fn tool() -> ToolDeclaration {
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
