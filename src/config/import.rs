//! Turns the configuration of another program into a plan for its import. Writes nothing and copies no secrets. Allow
//! rules are listed separately for confirmation.

mod agents;
mod aider;
mod harmless;
mod providers;
mod rest;
mod rules;
mod servers;
mod toml;
mod vibe_coder;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::schema::Kind;
use benchdog_base::document::{self, Form};
use benchdog_base::problem::Problem;
pub use benchdog_domain::importing::Why;

const FORM: Form = Form {
    name: "configuration",
    most_kb: 16_000,
};

/// Supported programs. `--from` accepts these names.
pub const NEIGHBOURS: [&str; 8] = [
    "aider",
    "claude",
    "codex",
    "crush",
    "gemini",
    "opencode",
    "vibe",
    "vibe-coder",
];

#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    pub read: Vec<PathBuf>,
    pub keys: Vec<Key>,
    pub allows: Vec<Key>,
    pub commands: Vec<Command>,
    pub left: Vec<Left>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub path: Vec<String>,
    pub value: Value,
    pub theirs: String,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    pub name: String,
    pub text: String,
    pub theirs: String,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Left {
    pub theirs: String,
    pub why: Why,
}

impl Plan {
    fn leave(&mut self, theirs: impl Into<String>, why: Why) {
        self.left.push(Left {
            theirs: theirs.into(),
            why,
        });
    }

    fn set(&mut self, path: &[&str], value: Value, theirs: impl Into<String>) {
        self.keys.push(Key {
            path: path.iter().map(|name| (*name).to_owned()).collect(),
            value,
            theirs: theirs.into(),
        });
    }
}

struct Layout {
    /// Configuration files, relative to the home folder.
    files: &'static [&'static str],
    commands: &'static [&'static str],
    skills: &'static [&'static str],
    agents: &'static [&'static str],
    understood: &'static [&'static str],
    commands_of_servers: Written,
    /// A configuration file that also contains internal state of the program.
    notes: Option<&'static str>,
}

/// Meaning of a server's command that is a single text: a program name or a whole command line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Program,
    Line,
}

fn layout(neighbour: &str) -> Layout {
    match neighbour {
        "claude" => Layout {
            files: &[".claude.json", ".claude/settings.json"],
            commands: &[".claude/commands"],
            skills: &[".claude/skills"],
            agents: &[".claude/agents"],
            understood: &["$schema", "mcpServers", "permissions"],
            commands_of_servers: Written::Program,
            notes: Some(".claude.json"),
        },
        "codex" => Layout {
            files: &[".codex/config.toml"],
            commands: &[".codex/prompts"],
            skills: &[".codex/skills"],
            agents: &[],
            understood: &["mcp_servers", "model_providers"],
            commands_of_servers: Written::Program,
            notes: None,
        },
        "crush" => Layout {
            files: &[".config/crush/crush.json"],
            commands: &[".config/crush/commands"],
            skills: &[".config/crush/skills"],
            agents: &[],
            understood: &["$schema", "mcp", "providers", "permissions"],
            commands_of_servers: Written::Program,
            notes: None,
        },
        "gemini" => Layout {
            files: &[".gemini/settings.json"],
            commands: &[],
            skills: &[".gemini/skills"],
            agents: &[".gemini/agents"],
            understood: &["$schema", "mcpServers"],
            commands_of_servers: Written::Program,
            notes: None,
        },
        "opencode" => Layout {
            files: &[".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"],
            commands: &[".config/opencode/command", ".config/opencode/commands"],
            skills: &[".config/opencode/skill", ".config/opencode/skills"],
            agents: &[".config/opencode/agent", ".config/opencode/agents"],
            understood: &["$schema", "mcp", "provider", "permission", "command", "agent"],
            commands_of_servers: Written::Program,
            notes: None,
        },
        _ => Layout {
            files: &[".vibe/config.toml"],
            commands: &[],
            skills: &[".vibe/skills"],
            agents: &[".vibe/agents"],
            understood: &["mcp_servers", "providers", "tools"],
            commands_of_servers: Written::Line,
            notes: None,
        },
    }
}

pub fn plan(neighbour: &str, home: &Path) -> Result<Plan, Vec<Problem>> {
    match neighbour {
        "aider" => return aider::plan(home),
        "vibe-coder" => return vibe_coder::plan(home),
        _ => {}
    }
    let layout = layout(neighbour);
    let mut plan = Plan::default();
    for name in layout.files {
        let path = home.join(name);
        if let Some(root) = file(&path)? {
            plan.read.push(path);
            values(&mut plan, &layout, name, &root);
        }
    }
    for folder in layout.commands {
        commands(&mut plan, &home.join(folder));
    }
    for folder in layout.agents {
        agents::folder(&mut plan, &home.join(folder));
    }
    for folder in layout.skills.iter().filter(|folder| home.join(folder).is_dir()) {
        let path = format!("~/{folder}");
        plan.read.push(home.join(folder));
        plan.set(&["skills", "paths"], json!([path]), path.clone());
    }
    Ok(plan)
}

fn file(path: &Path) -> Result<Option<Map<String, Value>>, Vec<Problem>> {
    let shown = path.display().to_string();
    let Some(bytes) = document::read(path, FORM).map_err(|problem| vec![problem])? else {
        return Ok(None);
    };
    let text = document::text(&shown, bytes).map_err(|problem| vec![problem])?;
    let value = if path.extension().is_some_and(|ending| ending == "toml") {
        toml::value(&shown, &text).map_err(|problem| vec![problem])?
    } else {
        document::parse(&shown, &text)?.map_or(Value::Null, |root| root.to_value())
    };
    match value {
        Value::Object(fields) => Ok(Some(fields)),
        Value::Null => Ok(None),
        _ => Err(vec![Problem::new(
            benchdog_base::problem::Location::file(&shown),
            format!("a configuration must be {}", Kind::Table.expected()),
        )]),
    }
}

fn values(plan: &mut Plan, layout: &Layout, file: &str, root: &Map<String, Value>) {
    let mut rest = Vec::new();
    for (key, value) in root {
        match key.as_str() {
            "mcp" | "mcpServers" | "mcp_servers" if layout.understood.contains(&key.as_str()) => {
                servers::all(plan, key, value, layout.commands_of_servers);
            }
            "provider" | "providers" | "model_providers" if layout.understood.contains(&key.as_str()) => {
                providers::all(plan, key, value);
            }
            "permission" | "permissions" | "tools" if layout.understood.contains(&key.as_str()) => {
                rules::all(plan, key, value);
            }
            "command" if layout.understood.contains(&"command") => templates(plan, value),
            "agent" if layout.understood.contains(&"agent") => agents::all(plan, key, value),
            other if layout.understood.contains(&other) => {}
            other => rest.push((other, value)),
        }
    }
    rest::left(plan, file, &rest, layout.notes == Some(file));
}

fn templates(plan: &mut Plan, value: &Value) {
    for (name, of) in value.as_object().into_iter().flatten() {
        let theirs = format!("command.{name}");
        match (of.get("template").and_then(Value::as_str), is_file_name(name)) {
            (Some(template), true) => {
                let about = of.get("description").and_then(Value::as_str);
                let front = about.map(|about| format!("---\ndescription: {}\n---\n", json!(about)));
                plan.commands.push(Command {
                    name: format!("{name}.md"),
                    text: format!("{}{template}\n", front.unwrap_or_default()),
                    theirs,
                });
            }
            _ => plan.leave(theirs, Why::Form),
        }
    }
}

fn is_file_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 64 && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

fn commands(plan: &mut Plan, folder: &Path) {
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    let mut paths: Vec<PathBuf> = entries
        .unwrap_or_default()
        .into_iter()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
    {
        let theirs = path.display().to_string();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if !std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
            plan.leave(theirs, Why::Link);
            continue;
        }
        let read = document::read(path, FORM).and_then(|bytes| document::text(&theirs, bytes.unwrap_or_default()));
        match read {
            Ok(text) if is_file_name(&stem) => {
                let text = with_our_fields(plan, &theirs, &text);
                let name = format!("{stem}.md");
                plan.commands.push(Command { name, text, theirs });
            }
            Ok(_) => plan.leave(theirs, Why::Form),
            Err(problem) => plan.leave(theirs, Why::Refused(problem.text)),
        }
    }
}

fn with_our_fields(plan: &mut Plan, theirs: &str, text: &str) -> String {
    let end = text.strip_prefix("---\n").and_then(|rest| rest.find("\n---"));
    let Some((head, body)) = end.and_then(|end| text.split_at_checked("---\n".len() + end)) else {
        return text.to_owned();
    };
    let (mut kept, mut is_ours) = (String::new(), true);
    for line in head.lines() {
        let field = line
            .split_once(':')
            .filter(|_| !line.starts_with([' ', '\t', '-', '#']));
        if let Some((name, _)) = field {
            is_ours = ["description", "argument-hint"].contains(&name);
            if !is_ours {
                plan.leave(format!("{theirs}: {name}"), Why::Nothing);
            }
        }
        if is_ours {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept + body.trim_start_matches('\n')
}

fn each_named(plan: &mut Plan, key: &str, value: &Value, one: impl Fn(&mut Plan, &str, &str, &Value)) {
    match value {
        Value::Object(named) => named.iter().for_each(|(name, of)| one(plan, key, name, of)),
        Value::Array(named) => {
            for of in named {
                match of.get("name").and_then(Value::as_str) {
                    Some(name) => one(plan, key, name, of),
                    None => plan.leave(key, Why::Form),
                }
            }
        }
        _ => plan.leave(key, Why::Form),
    }
}

fn with_variables(text: &str) -> String {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if let Some(name) = text.strip_prefix('$').filter(|name| is_name(name)) {
        return format!("${{{name}}}");
    }
    match text.split_once("{env:") {
        Some((before, rest)) => match rest.split_once('}') {
            Some((name, after)) if is_name(name) => format!("{before}${{{name}}}{}", with_variables(after)),
            _ => text.to_owned(),
        },
        None => text.to_owned(),
    }
}

fn variable(text: &str) -> Option<String> {
    let ours = with_variables(text);
    let name = ours.strip_prefix("${")?.strip_suffix('}')?;
    (!name.contains(['$', '{', '}', ':'])).then(|| name.to_owned())
}

#[cfg(test)]
mod tests;
