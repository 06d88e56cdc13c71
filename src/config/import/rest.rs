//! Reports keys that are not imported, with similar keys of Benchdog.

use serde_json::{Map, Value};

use super::{Plan, Why};

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

const FOLDERS: &str = "projects";

const MOST_NAMED: usize = 60;

/// Reports the remaining keys. A file that contains internal state gets only one row.
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

fn folders(plan: &mut Plan, file: &str, named: &Map<String, Value>) {
    let has_servers = |of: &Value| of["mcpServers"].as_object().is_some_and(|servers| !servers.is_empty());
    for (folder, _) in named.iter().filter(|(_, of)| has_servers(of)) {
        plan.leave(format!("{file}: {FOLDERS}.{folder}.mcpServers"), Why::OfFolder);
    }
}
