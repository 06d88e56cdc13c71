//! Keys of another program that become nothing here. Each is told, with the key of ours that says the like where there is one.

use serde_json::{Map, Value};

use super::{Plan, Why};

/// What several programs call so, and what is to be written here in its place.
const ALIKE: [(&str, &str); 8] = [
    ("editorMode", "ui.vim"),
    ("hooks", "hooks"),
    ("language", "ui.language"),
    ("model", "model"),
    ("sandbox", "sandbox"),
    ("sandbox_mode", "sandbox.level"),
    ("theme", "ui.theme"),
    ("vimMode", "ui.vim"),
];

/// Where one program keeps what is said for one folder alone.
const FOLDERS: &str = "projects";

/// So many names stand in one row.
const MOST_NAMED: usize = 60;

/// In a file that holds its notes, what is not known is told in one row.
pub(super) fn left(plan: &mut Plan, file: &str, rest: &[(&str, &Value)], holds_notes: bool) {
    let mut notes: Vec<&str> = Vec::new();
    for (key, value) in rest {
        let alike = ALIKE.iter().find(|(theirs, _)| theirs == key);
        match (alike, value) {
            (Some((_, ours)), _) => plan.leave(format!("{file}: {key}"), Why::Otherwise((*ours).to_owned())),
            (None, Value::Object(named)) if holds_notes && *key == FOLDERS => folders(plan, file, named),
            (None, _) if holds_notes => notes.push(key),
            (None, _) => plan.leave(format!("{file}: {key}"), Why::Nothing),
        }
    }
    if !notes.is_empty() {
        let more = if notes.len() > MOST_NAMED { ", …" } else { "" };
        notes.truncate(MOST_NAMED);
        plan.leave(format!("{file}: {}{more}", notes.join(", ")), Why::Nothing);
    }
}

/// Servers that it starts in one folder alone.
fn folders(plan: &mut Plan, file: &str, named: &Map<String, Value>) {
    let has_servers = |of: &Value| of["mcpServers"].as_object().is_some_and(|servers| !servers.is_empty());
    for (folder, _) in named.iter().filter(|(_, of)| has_servers(of)) {
        plan.leave(format!("{file}: {FOLDERS}.{folder}.mcpServers"), Why::OfFolder);
    }
}
