//! The searchable text of an entry.

use benchdog_domain::entry::Body;

/// Number of lines at the beginning of an output that are searchable. `BYTES` limits the bytes of these lines.
const LINES: usize = 8;
const BYTES: usize = 1_024;

/// Returns the kind and the searchable text of an entry. `None` for an entry without text for people.
pub(super) fn searchable(body: &Body) -> Option<(&'static str, String)> {
    Some(match body {
        Body::User { text, .. } => ("user", text.clone()),
        Body::Assistant { text, .. } => ("assistant", text.clone()),
        Body::ToolResult {
            tool, title, output, ..
        } => ("tool_result", format!("{tool} {title}\n{}", beginning(output))),
        Body::Shell { command, output, .. } => ("shell", format!("{command}\n{}", beginning(output))),
        Body::Validation { command, output, .. } => ("validation", format!("{command}\n{}", beginning(output))),
        Body::Change { path, .. } => ("change", path.clone()),
        Body::Plan(plan) => ("plan", plan.text.clone()),
        _ => return None,
    })
    .filter(|(_, text)| !text.trim().is_empty())
}

fn beginning(output: &str) -> &str {
    let cut = output.get(..output.floor_char_boundary(BYTES)).unwrap_or_default();
    let end = cut.match_indices('\n').nth(LINES - 1).map_or(cut.len(), |(at, _)| at);
    cut.get(..end).unwrap_or_default()
}
