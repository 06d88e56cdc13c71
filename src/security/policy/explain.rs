//! `policy explain`: what would be decided about a command and why, as the JSON of design.md §7.

use serde_json::{Value, json};

use crate::security::shell::analyse;
use crate::security::workspace::Workspace;

use super::Policy;

/// Judges the command as the `bash` tool would run it in the workspace.
pub(crate) fn explain(policy: &Policy, workspace: &Workspace, command: &str) -> Value {
    let analysis = analyse(command, &workspace.world("."));
    let verdict = policy.judge_command("bash", command, &analysis, workspace);
    json!({
        "command": command,
        "class": verdict.class,
        "verdict": verdict.action,
        "because": verdict.because,
        "parts": analysis.parts,
    })
}
