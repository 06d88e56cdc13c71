//! Who may import whom: one table, and the reader that holds every file to it.

use super::source::Source;

/// A part of the house and what it may take from the rest of it. The first row whose path begins a file's path counts.
pub struct Row {
    pub part: &'static str,
    pub may: &'static [&'static str],
}

/// Design §3, downward only. A room may always use itself.
pub const ROOMS: &[Row] = &[
    // The floor.
    Row { part: "base", may: &[] },
    Row {
        part: "domain",
        may: &["base"],
    },
    Row {
        part: "diff",
        may: &["base"],
    },
    // Plain data and tables.
    Row {
        part: "theme",
        may: &["base", "domain", "diff"],
    },
    Row {
        part: "keys",
        may: &["base", "domain", "diff"],
    },
    Row {
        part: "config",
        may: &["base", "domain", "diff"],
    },
    Row {
        part: "protocol",
        may: &["base", "domain", "diff"],
    },
    // What touches the world, each its own part of it.
    Row {
        part: "storage",
        may: SERVICES,
    },
    Row {
        part: "provider",
        may: SERVICES,
    },
    Row {
        part: "security",
        may: SERVICES,
    },
    Row {
        part: "context",
        may: SERVICES,
    },
    Row {
        part: "files",
        may: SERVICES,
    },
    Row {
        part: "children",
        may: SERVICES,
    },
    Row {
        part: "tools",
        may: TOOLS,
    },
    Row {
        part: "agent",
        may: TOOLS,
    },
    Row {
        part: "mcp",
        may: TOOLS,
    },
    // The agent: a pure machine first, then engine and seats, which may use everything below.
    Row {
        part: "orchestrator/machine",
        may: PURE,
    },
    Row {
        part: "orchestrator/input",
        may: PURE,
    },
    Row {
        part: "orchestrator/effect",
        may: PURE,
    },
    Row {
        part: "orchestrator",
        may: &[
            "base", "domain", "diff", "theme", "keys", "config", "protocol", "storage", "provider", "security",
            "context", "files", "children", "tools", "agent", "mcp",
        ],
    },
    // What a person sees.
    Row {
        part: "app",
        may: &["base", "domain", "diff", "protocol", "keys", "config"],
    },
    Row {
        part: "ui",
        may: &["base", "domain", "diff", "protocol", "keys", "config", "app", "theme"],
    },
    Row {
        part: "terminal",
        may: &["base", "domain", "protocol", "keys", "config", "app", "theme", "ui"],
    },
    Row {
        part: "headless",
        may: &["base", "domain", "diff", "protocol", "config"],
    },
    Row {
        part: "acp",
        may: &["base", "domain", "diff", "protocol", "config"],
    },
];

const SERVICES: &[&str] = &["base", "domain", "diff", "theme", "keys", "config", "protocol"];
const TOOLS: &[&str] = &[
    "base", "domain", "diff", "theme", "keys", "config", "protocol", "storage", "provider", "security", "context",
    "files", "children",
];
const PURE: &[&str] = &["base", "domain", "diff", "protocol"];

/// The top level, which may import everything and which nobody else imports.
pub const TOP: &[&str] = &[
    "main", "lib", "run", "cli", "error", "demo", "doctor", "sessions", "bench",
];

/// External crates that have one home, by the names code uses.
pub const HOMES: &[(&str, &[&str])] = &[
    ("redb", &["storage"]),
    ("reqwest", &["provider", "tools/web"]),
    ("cap_std", &["security"]),
    ("tree_sitter", &["security"]),
    ("tree_sitter_bash", &["security"]),
    ("ignore", &["files"]),
    ("nucleo", &["files"]),
    ("notify", &["files"]),
    ("grep_searcher", &["files", "tools"]),
    ("grep_regex", &["files", "tools"]),
    ("grep_matcher", &["files", "tools"]),
    ("similar", &["diff"]),
    // Themes are JSONC too, but no layers of settings: what `config` knows of them is their name.
    ("jsonc_parser", &["config", "theme/load"]),
    ("directories", &["base"]),
    ("clap", &["cli"]),
    ("crossterm", &["terminal"]),
    ("syntect", &["ui/highlight"]),
    ("two_face", &["ui/highlight"]),
    ("ratatui", &["app", "ui", "terminal", "theme"]),
    ("pulldown_cmark", &["app", "ui"]),
    ("mimalloc", &["main"]),
    ("rmcp", &["mcp"]),
    ("agent_client_protocol", &["acp"]),
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
