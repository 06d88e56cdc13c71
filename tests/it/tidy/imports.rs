//! Who imports whom: the reader that holds every file to the tables.

use super::rooms::{HOMES, ROOMS, TOP};
use super::source::Source;

/// The parts of ratatui that write to a terminal, or exist only for those that do.
const NO_BACKEND: [&str; 6] = [
    "Terminal",
    "Frame",
    "DefaultTerminal",
    "backend",
    "prelude",
    "crossterm",
];

/// Every import of `source` that the tables do not allow, as a sentence.
pub fn violations(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let room = source.room();
    let row = ROOMS.iter().find(|row| is_below(&source.path, row.part));
    match row {
        None if TOP.contains(&room) => {}
        None => found.push(format!(
            "{}: room `{room}` is in no row of the import table",
            source.path
        )),
        Some(row) => {
            let rooms = imported_rooms(source);
            let wrong = rooms
                .iter()
                .filter(|other| *other != room && !row.may.contains(&other.as_str()));
            found.extend(wrong.map(|other| format!("{}: `{}` may not import `{other}`", source.path, row.part)));
        }
    }
    for (name, homes) in HOMES {
        if uses_crate(&source.code, name) && !homes.iter().any(|home| is_below(&source.path, home)) {
            found.push(format!("{}: `{name}` belongs to {homes:?} only", source.path));
        }
    }
    let machinery = after(&source.code, "ratatui::")
        .into_iter()
        .filter(|part| NO_BACKEND.contains(&part.as_str()));
    found.extend(machinery.map(|part| {
        format!(
            "{}: a frame is a `Buffer`, written by `terminal/paint`, not by ratatui's `{part}`",
            source.path
        )
    }));
    if room == "app" {
        let parts = after(&source.code, "ratatui::")
            .into_iter()
            .filter(|part| part != "layout");
        found.extend(parts.map(|part| {
            format!(
                "{}: of ratatui the app may use `layout` only, not `{part}`",
                source.path
            )
        }));
    }
    found
}

/// Whether `path` is the file or lies in the folder that `part` names: `app` covers `app.rs` and `app/…`. A part that ends
/// inside a name covers every name that begins so: `tools/web` covers `tools/webfetch.rs`.
fn is_below(path: &str, part: &str) -> bool {
    let Some(rest) = path.strip_prefix(part) else {
        return false;
    };
    rest.starts_with('/') || rest == ".rs" || (part.contains('/') && rest.ends_with(".rs"))
}

/// The rooms named behind `crate::`, or reached by enough `super::`.
fn imported_rooms(source: &Source) -> Vec<String> {
    let mut rooms = after(&source.code, "crate::");
    let depth = source.module().len();
    let ups = "super::".repeat(depth.max(1));
    if depth > 0 {
        rooms.extend(after(&source.code, &ups).into_iter().filter(|name| name != "super"));
    }
    rooms.sort();
    rooms.dedup();
    rooms
}

/// The names that follow `prefix`, also inside one pair of braces.
fn after(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (start, _) in code.match_indices(prefix) {
        let (before, rest) = code.split_at(start + prefix.len());
        let before = before.strip_suffix(prefix).unwrap_or_default();
        if before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        match rest.strip_prefix('{') {
            None => names.push(identifier(rest)),
            Some(group) => names.extend(first_level(group).into_iter().map(identifier)),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The items of a brace group, each from its start, nested groups left whole.
fn first_level(group: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut depth = 0_i32;
    let mut start = 0;
    for (index, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.extend(group.get(start..index));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.extend(group.get(start..index));
                start = index + 1;
            }
            _ => {}
        }
    }
    items
}

fn identifier(text: &str) -> String {
    text.trim_start()
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

fn uses_crate(code: &str, name: &str) -> bool {
    let path = format!("{name}::");
    let imported = format!("use {name};");
    let renamed = format!("use {name} as");
    !after(code, &path).is_empty() || code.contains(&imported) || code.contains(&renamed)
}
