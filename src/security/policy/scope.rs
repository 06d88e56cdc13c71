//! What "always" would cover, proposed small enough that a person can judge it: the program and its subcommand, never a
//! program that runs whatever it is given.

use crate::domain::command::PlainCommand;
use crate::domain::permission::{Action, Scope, ToolRules};

use super::matching::exactly;

/// Programs whose second word says what they do, and how many words do.
const WITH_SUBCOMMANDS: &[(&str, usize)] = &[
    ("npm run", 3),
    ("pnpm run", 3),
    ("yarn run", 3),
    ("bun run", 3),
    ("docker compose", 3),
    ("git stash", 3),
    ("git remote", 3),
    ("git worktree", 3),
    ("cargo", 2),
    ("git", 2),
    ("go", 2),
    ("npm", 2),
    ("pnpm", 2),
    ("yarn", 2),
    ("bun", 2),
    ("deno", 2),
    ("pip", 2),
    ("pip3", 2),
    ("uv", 2),
    ("poetry", 2),
    ("docker", 2),
    ("podman", 2),
    ("kubectl", 2),
    ("helm", 2),
    ("terraform", 2),
    ("make", 2),
    ("just", 2),
    ("dotnet", 2),
    ("gradle", 2),
    ("./gradlew", 2),
    ("mvn", 2),
    ("mix", 2),
    ("rustup", 2),
    ("brew", 2),
    ("apt", 2),
    ("apt-get", 2),
    ("systemctl", 2),
    ("gh", 3),
    ("aws", 3),
    ("gcloud", 3),
];

/// Programs that run what they are given: only the very same line again.
const RUNS_ANYTHING: &[&str] = &[
    "sudo", "doas", "env", "xargs", "nohup", "timeout", "time", "nice", "ionice", "sh", "bash", "zsh", "dash", "fish",
    "python", "python3", "perl", "ruby", "node", "php", "lua", "awk", "sed", "find", "fd", "ssh", "npx", "eval",
    "source", ".", "exec", "command", "builtin", "watch", "parallel", "flock", "setsid", "stdbuf", "strace", "chroot",
    "unshare", "busybox", "docker", "podman", "kubectl", "make", "gdb", "curl", "wget", "tar", "rsync", "git", "uv",
    "poetry",
];

/// Subcommands of the above that only look or build and may be covered with any arguments.
const FINE: &[&str] = &[
    "git status",
    "git log",
    "git diff",
    "git show",
    "git add",
    "git commit",
    "git fetch",
    "git branch",
    "git blame",
    "make test",
    "make check",
    "make build",
    "make all",
    "make lint",
];

pub(super) fn for_command(tool: &str, plain: &PlainCommand) -> Option<Scope> {
    let words = &plain.words;
    let program = words.first()?;
    let line = words.join(" ");
    let count = WITH_SUBCOMMANDS
        .iter()
        .find(|(start, _)| line == *start || line.strip_prefix(start).is_some_and(|rest| rest.starts_with(' ')))
        .map_or(1, |(_, count)| *count);
    let start: Vec<&str> = words.iter().take(count).map(String::as_str).collect();
    let is_name =
        |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_:.".contains(c));
    let named = start.len() == count && start.iter().skip(1).all(|word| is_name(word) && !word.starts_with('-'));
    let start = start.join(" ");
    let anything =
        RUNS_ANYTHING.contains(&program.rsplit('/').next().unwrap_or(program)) && !FINE.contains(&start.as_str());
    let pattern = if named && !anything {
        format!("{} *", exactly(&start))
    } else {
        exactly(&line)
    };
    Some(Scope {
        key: tool.to_owned(),
        pattern,
    })
}

/// For tools other than commands: all of that kind in the workspace. A group of tools is one kind.
pub(super) fn for_tool(tool: &ToolRules, action: Action) -> Option<Scope> {
    let key = tool.group.as_ref().unwrap_or(&tool.name);
    (action == Action::Ask).then(|| Scope {
        key: key.clone().into_owned(),
        pattern: "*".to_owned(),
    })
}
