//! Table of the commands, with the common flags that have an effect on each.

use clap::{Arg, Command, CommandFactory};

use super::{AgentCommand, BenchCommand, Cli, ConfigCommand, SessionsCommand, Subcommands};

const SERVER: &[&str] = &[
    "--cwd",
    "--model",
    "--config",
    "--trust",
    "--temperature",
    "--context-window",
    "--base-url",
    "--ollama-host",
];

/// Common flags by command. A command without an entry has the flags of its parent command. If the parent has no entry
/// either, all flags have an effect.
const TAKEN: &[(&str, &[&str])] = &[
    // The editor determines the folder, the session and the MCP servers.
    (
        "acp",
        &[
            "--cwd",
            "--model",
            "--agent",
            "--config",
            "--mcp",
            "--add-dir",
            "--trust",
            "--temperature",
            "--context-window",
            "--base-url",
            "--ollama-host",
            "--debug",
            "--log-level",
        ],
    ),
    ("agent", &["--cwd", "--config", "--trust"]),
    // Both commands change the person's own files, so the project's configuration has no effect.
    ("agent add", &["--cwd", "--config"]),
    ("agent remove", &[]),
    ("agents", &[]),
    ("attach", &[]),
    ("auth", &["--config"]),
    (
        "bench",
        &[
            "--model",
            "--agent",
            "--config",
            "--temperature",
            "--context-window",
            "--base-url",
            "--ollama-host",
        ],
    ),
    ("bench report", &[]),
    ("completions", &[]),
    (
        "config",
        &[
            "--cwd",
            "--model",
            "--config",
            "--trust",
            "--base-url",
            "--ollama-host",
            "--mcp",
            "--debug",
            "--log-level",
        ],
    ),
    ("config schema", &[]),
    // The demo has its own folder, model and session.
    ("demo", &["--config", "--add-dir", "--record", "--debug", "--log-level"]),
    ("docs", &[]),
    ("doctor", SERVER),
    ("doctor compare-requests", &[]),
    ("doctor parse-calls", &[]),
    ("doctor parse-stream", &[]),
    ("exec-child", &[]),
    ("keep", &[]),
    ("man", &[]),
    ("mcp", &["--cwd", "--config", "--trust", "--mcp"]),
    ("models", SERVER),
    (
        "policy",
        &["--agent", "--yes", "--cwd", "--config", "--add-dir", "--trust"],
    ),
    // The command chooses its agent and session itself.
    (
        "review",
        &[
            "--cwd",
            "--model",
            "--config",
            "--add-dir",
            "--record",
            "--replay",
            "--trust",
            "--temperature",
            "--context-window",
            "--base-url",
            "--ollama-host",
            "--debug",
            "--log-level",
        ],
    ),
    ("schema", &[]),
    ("sessions", &[]),
    // The export redacts the keys in the configuration, so these flags have an effect.
    ("sessions export", &["--cwd", "--config", "--trust", "--mcp"]),
];

/// Whether a common flag has an effect on a command. `command` includes its parent commands: `sessions export`.
pub(crate) fn has_effect(flag: &str, command: &str) -> bool {
    let row = |name: &str| TAKEN.iter().find(|(command, _)| *command == name);
    let above = command.rsplit_once(' ').map_or("", |(above, _)| above);
    row(command)
        .or_else(|| row(above))
        .is_none_or(|(_, taken)| taken.contains(&flag))
}

impl Subcommands {
    pub(crate) fn path(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Review(_) => "review",
            Self::Acp => "acp",
            Self::Bench(BenchCommand::Report { .. }) => "bench report",
            Self::Bench(_) => "bench",
            Self::Agent(AgentCommand::List) => "agent",
            Self::Agent(AgentCommand::Add { .. }) => "agent add",
            Self::Agent(AgentCommand::Remove { .. }) => "agent remove",
            Self::Agents { .. } => "agents",
            Self::Attach(_) => "attach",
            Self::Demo(_) => "demo",
            Self::Config(ConfigCommand::Schema) => "config schema",
            Self::Config(_) => "config",
            Self::Models { .. } => "models",
            Self::Auth(_) => "auth",
            Self::Mcp(_) => "mcp",
            Self::Policy(_) => "policy",
            Self::Doctor { command: None, .. } => "doctor",
            Self::Doctor { .. } => "doctor parse-calls",
            Self::Sessions(SessionsCommand::Export(_)) => "sessions export",
            Self::Sessions(_) => "sessions",
            Self::Docs { .. } => "docs",
            Self::Schema { .. } => "schema",
            Self::Completions { .. } => "completions",
            Self::Man { .. } => "man",
            Self::ExecChild { .. } => "exec-child",
            Self::Keep { .. } => "keep",
        }
    }
}

/// Returns the arguments for help, completions and manual pages, without flags that have no effect.
pub(super) fn shown() -> Command {
    let all = Cli::command();
    let common: Vec<Arg> = all.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    below(all, &common, "")
}

fn below(command: Command, common: &[Arg], path: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}");
        let path = path.trim_start();
        command.mut_subcommand(name, |sub| {
            // A command may replace a common flag with its own definition.
            let is_own = |arg: &&Arg| sub.get_arguments().any(|own| own.get_id() == arg.get_id());
            let flags = common.iter().filter(|arg| !is_own(arg)).map(|arg| {
                let long = arg.get_long().unwrap_or_default();
                arg.clone().hide(!has_effect(&format!("--{long}"), path))
            });
            let flags: Vec<Arg> = flags.collect();
            below(sub.args(flags), common, path)
        })
    })
}

#[cfg(test)]
mod tests;
