//! JSON Schemas of the lines that a run writes and reads, derived from their types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, schema_for};
use serde_json::Value;

use super::input::Message;
use benchdog_base::id::{CallId, SessionId};
use benchdog_domain::agent::AgentName;
use benchdog_transcript::script::ScriptLine;

/// A line of `--output stream-json`.
#[derive(JsonSchema)]
#[schemars(title = "A line of `benchdog run --output stream-json`")]
#[expect(
    dead_code,
    reason = "only its schema is used; `Printer` writes the fields in a fixed order"
)]
struct EventLine {
    /// Null if the run failed before it had a session.
    session: Option<SessionId>,
    /// The number of the line, from 1.
    seq: u64,
    /// RFC 3339, in UTC.
    time: String,
    /// The subagent of the line.
    #[schemars(skip_serializing_if = "Option::is_none")]
    child: Option<ChildName>,
    #[serde(flatten)]
    line: ScriptLine,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct ChildName {
    id: SessionId,
    agent: AgentName,
    call: CallId,
}

pub fn events() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<EventLine>().to_value()
}

pub fn input() -> Value {
    schema_for!(Message).to_value()
}
