//! Checks the imports of every file against the tables.

use super::rooms::{HOMES, ROOMS};
use super::source::Source;

/// Parts of ratatui that write to a terminal, or serve only this purpose.
const NO_BACKEND: [&str; 6] = [
    "Terminal",
    "Frame",
    "DefaultTerminal",
    "backend",
    "prelude",
    "crossterm",
];

/// Describes every forbidden import of a file. Manifests contain the rules for whole crates, and the tables those
/// within a crate.
pub fn violations(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let room = source.room();
    if let Some(row) = ROOMS
        .iter()
        .find(|row| row.part.contains('/') && is_below(&source.path, row.part))
    {
        let wrong = imported_rooms(source)
            .into_iter()
            .filter(|other| !row.may.contains(&other.as_str()));
        found.extend(wrong.map(|other| format!("{}: `{}` may not import `{other}`", source.path, row.part)));
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

/// Whether `part` covers `path`: `app` covers `app.rs` and `app/…`.
fn is_below(path: &str, part: &str) -> bool {
    let Some(rest) = path.strip_prefix(part) else {
        return false;
    };
    rest.starts_with('/') || rest == ".rs"
}

/// Returns the crates of the workspace that a file imports, without their prefix.
fn imported_rooms(source: &Source) -> Vec<String> {
    let mut rooms: Vec<String> = source.code.split("benchdog_").skip(1).map(identifier).collect();
    rooms.sort();
    rooms.dedup();
    rooms
}

/// Describes every dependency in a crate's manifest that the crate's row does not allow.
pub fn forbidden_dependencies(room: &str, manifest: &str) -> Vec<String> {
    let Some(row) = ROOMS.iter().find(|row| row.part == room) else {
        return vec![format!("src/{room}: in no row of the import table")];
    };
    let section = manifest
        .split("\n[")
        .find(|section| section.starts_with("dependencies]"));
    let lines = section.unwrap_or_default().lines().skip(1);
    lines
        .filter(|line| !line.contains("optional = true"))
        .map(identifier_of_dependency)
        .filter_map(|name| name.strip_prefix("benchdog-").map(str::to_owned))
        .filter(|other| !row.may.contains(&other.as_str()))
        .map(|other| format!("src/{room}/Cargo.toml: `{room}` may not depend on `{other}`"))
        .collect()
}

fn identifier_of_dependency(line: &str) -> String {
    line.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '-')
        .collect()
}

/// Returns the names after `prefix`, also in one pair of braces.
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

/// Returns the items of a brace group, with nested groups unchanged.
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
