//! Implements `policy explain`: the decision about a command and its reasons, as JSON.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Grants, Policy};
use benchdog_domain::command::CommandLine;
use benchdog_domain::permission::{Because, Subject, ToolRules};

/// Returns the decision and its reasons as JSON. `words` turns a reason into text.
pub fn explain(
    policy: &Policy,
    grants: &Grants,
    tool: &ToolRules,
    line: &Arc<CommandLine>,
    words: fn(&Because) -> String,
) -> Value {
    let subject = Subject::Command(Arc::clone(line));
    let verdict = policy.judge(grants, tool, &[subject]);
    json!({
        "command": line.command,
        "class": verdict.class,
        "runs_project_code": line.analysis.runs_project_code,
        "verdict": verdict.action,
        "because": words(&verdict.because),
        "parts": line.analysis.parts,
    })
}
