//! Messages about commands that failed before or instead of their work.

use super::{Word, Words, advice, say, word};

/// The reason why a command cannot do its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle<'a> {
    // --- arguments ---
    /// A flag that has no effect on the command.
    NoEffect {
        flag: &'a str,
    },
    /// A command that is not implemented yet.
    NotBuilt {
        command: &'a str,
    },
    NoAgent {
        name: &'a str,
        nearest: Option<&'a str>,
        known: &'a str,
    },
    /// The agent can only be used as a subagent.
    Subagent {
        name: &'a str,
        known: &'a str,
    },
    InnerAgent {
        name: &'a str,
        known: &'a str,
    },
    /// An unknown name in `--tools`.
    NoTool {
        told: &'a str,
        instead: Option<&'a str>,
    },
    NoPrompt,
    Stopped,
    OutOfTime,
    NoSession {
        folder: &'a str,
    },

    // --- environment ---
    NoModel,
    /// The provider's server does not support pulling models.
    NoPull {
        provider: &'a str,
    },
    NoHome,
    NoFolder {
        folder: &'a str,
        error: &'a str,
    },
    NoTerminal,
    SetupNeedsTerminal {
        /// The file to which the configuration would be written.
        file: &'a str,
    },
    /// The terminal cannot position its cursor.
    NoCommandTool,
    NoPrice,
    NoProvider {
        name: &'a str,
        known: &'a str,
    },
    NoServer {
        base_url: &'a str,
    },
    /// The provider requires a key, but none is stored.
    KeyMissing {
        name: &'a str,
        /// The variables that may contain it, separated by `` `, ` ``.
        variables: &'a str,
    },
    NoKey,
    NoStoredKey {
        name: &'a str,
    },

    NoServerOfTools {
        name: &'a str,
        known: &'a str,
    },
    NotSignedIn {
        name: &'a str,
        told: &'a str,
    },
    /// The server was removed, but its tokens could not be deleted.
    TokensKept {
        name: &'a str,
        told: &'a str,
    },
    /// The given address contains a password or a key.
    SecretInAddress {
        url: &'a str,
    },
    BadServerName {
        name: &'a str,
    },
    ServerThere {
        name: &'a str,
    },
    /// The server is configured in a file that is not the person's own.
    ServerElsewhere {
        name: &'a str,
    },

    // --- failures ---
    Demo {
        folder: &'a str,
        error: &'a str,
    },
    File {
        file: &'a str,
        error: &'a str,
    },
    NotWritten {
        file: &'a str,
        error: &'a str,
    },
    Input {
        error: &'a str,
    },
    Output {
        error: &'a str,
    },
    Signals {
        error: &'a str,
    },
    Threads {
        error: &'a str,
    },
}

fn of_a_server(obstacle: Obstacle<'_>) -> (String, String) {
    match obstacle {
        Obstacle::NoServerOfTools { name, known: "" } => (
            say("trouble-no-server-of-tools", &[("name", name)]),
            word(Word::NoServers).to_owned(),
        ),
        Obstacle::NoServerOfTools { name, known } => (
            say("trouble-no-server-of-tools", &[("name", name)]),
            say("trouble-no-server-of-tools-hint", &[("known", known)]),
        ),
        Obstacle::NotSignedIn { name, told } => (
            say("trouble-not-signed-in", &[("name", name), ("told", told)]),
            say("trouble-not-signed-in-hint", &[("name", name)]),
        ),
        Obstacle::TokensKept { name, told } => (
            say("trouble-tokens-kept", &[("name", name), ("told", told)]),
            say("trouble-tokens-kept-hint", &[("name", name)]),
        ),
        Obstacle::SecretInAddress { url } => (
            say("trouble-secret-in-address", &[("url", url)]),
            say("trouble-secret-in-address-hint", &[]),
        ),
        Obstacle::BadServerName { name } => (
            say("trouble-bad-server-name", &[("name", name)]),
            say("trouble-bad-server-name-hint", &[]),
        ),
        Obstacle::ServerThere { name } => (
            say("trouble-server-there", &[("name", name)]),
            say("trouble-server-there-hint", &[("name", name)]),
        ),
        Obstacle::ServerElsewhere { name } => (
            say("trouble-server-elsewhere", &[("name", name)]),
            say("trouble-server-elsewhere-hint", &[("name", name)]),
        ),
        _ => (String::new(), String::new()),
    }
}

fn no_agent(name: &str, nearest: Option<&str>, known: &str) -> (String, String) {
    let hint = match nearest {
        Some(nearest) => say("trouble-no-agent-but", &[("nearest", nearest), ("known", known)]),
        None => say("trouble-no-agent-hint", &[("known", known)]),
    };
    (say("trouble-no-agent", &[("name", name)]), hint)
}

/// Returns the message, and the advice if there is any.
pub fn obstacle(obstacle: Obstacle<'_>) -> Words {
    let (text, hint) = match obstacle {
        Obstacle::NoEffect { flag } => (
            say("trouble-no-effect", &[("flag", flag)]),
            say("trouble-no-effect-hint", &[]),
        ),
        Obstacle::NotBuilt { command } => (
            say("trouble-not-built", &[("command", command)]),
            say("trouble-not-built-hint", &[]),
        ),
        Obstacle::NoAgent { name, nearest, known } => no_agent(name, nearest, known),
        Obstacle::Subagent { name, known } => (
            say("trouble-subagent", &[("name", name)]),
            say("trouble-no-agent-hint", &[("known", known)]),
        ),
        Obstacle::InnerAgent { name, known } => (
            say("trouble-inner-agent", &[("name", name)]),
            say("trouble-no-agent-hint", &[("known", known)]),
        ),
        Obstacle::NoTool { told, instead } => (
            say("trouble-no-tool", &[("told", told)]),
            instead.map_or_else(|| say("trouble-no-tool-hint", &[]), str::to_owned),
        ),
        Obstacle::NoPrompt => (say("trouble-no-prompt", &[]), say("trouble-no-prompt-hint", &[])),
        Obstacle::Stopped => (say("trouble-stopped", &[]), say("trouble-not-begun-hint", &[])),
        Obstacle::OutOfTime => (say("trouble-out-of-time", &[]), say("trouble-not-begun-hint", &[])),
        Obstacle::NoSession { folder } => (
            say("trouble-no-session", &[("folder", folder)]),
            advice("no_session").to_owned(),
        ),
        Obstacle::NoModel => (say("trouble-no-model", &[]), say("trouble-no-model-hint", &[])),
        Obstacle::NoPull { provider } => (
            say("trouble-no-pull", &[("provider", provider)]),
            say("trouble-no-pull-hint", &[]),
        ),
        Obstacle::NoHome => (say("trouble-no-home", &[]), say("trouble-no-home-hint", &[])),
        Obstacle::NoFolder { folder, error } => (
            say("trouble-no-folder", &[("folder", folder), ("error", error)]),
            say("trouble-no-folder-hint", &[]),
        ),
        Obstacle::SetupNeedsTerminal { file } => (
            say("trouble-setup-needs-terminal", &[]),
            say("trouble-setup-needs-terminal-hint", &[("file", file)]),
        ),
        Obstacle::NoTerminal => (say("trouble-no-terminal", &[]), say("trouble-no-terminal-hint", &[])),
        Obstacle::NoCommandTool => (say("trouble-no-command-tool", &[]), String::new()),
        Obstacle::NoPrice => (say("trouble-no-price", &[]), say("trouble-no-price-hint", &[])),
        Obstacle::NoProvider { name, known } => (
            say("trouble-no-provider", &[("name", name)]),
            say("trouble-no-provider-hint", &[("known", known)]),
        ),
        Obstacle::NoServer { base_url } => (say("trouble-no-server", &[("address", base_url)]), String::new()),
        Obstacle::KeyMissing { name, variables } => (
            say("trouble-key-missing", &[("name", name), ("variables", variables)]),
            say("trouble-key-missing-hint", &[("name", name)]),
        ),
        Obstacle::NoKey => (say("trouble-no-key", &[]), say("trouble-no-key-hint", &[])),
        Obstacle::NoStoredKey { name } => (
            say("trouble-no-stored-key", &[("name", name)]),
            say("trouble-no-stored-key-hint", &[]),
        ),
        Obstacle::NoServerOfTools { .. }
        | Obstacle::NotSignedIn { .. }
        | Obstacle::TokensKept { .. }
        | Obstacle::SecretInAddress { .. }
        | Obstacle::BadServerName { .. }
        | Obstacle::ServerThere { .. }
        | Obstacle::ServerElsewhere { .. } => of_a_server(obstacle),
        Obstacle::NotWritten { file, error } => (
            say("trouble-not-written", &[("file", file), ("error", error)]),
            say("trouble-not-written-hint", &[]),
        ),
        Obstacle::Demo { folder, error } => (
            say("trouble-demo", &[("folder", folder), ("error", error)]),
            say("trouble-demo-hint", &[]),
        ),
        Obstacle::File { file, error } => (say("trouble-file", &[("file", file), ("error", error)]), String::new()),
        Obstacle::Input { error } => (say("trouble-input", &[("error", error)]), String::new()),
        Obstacle::Output { error } => (
            say("trouble-output", &[("error", error)]),
            say("trouble-output-hint", &[]),
        ),
        Obstacle::Signals { error } => (say("trouble-signals", &[("error", error)]), String::new()),
        Obstacle::Threads { error } => (say("trouble-threads", &[("error", error)]), String::new()),
    };
    Words { text, hint }
}

/// A project binds keys that answer requests, which is not allowed. `key` is the configuration's name of the binding.
pub fn key_of_a_project(key: &str) -> String {
    say("trouble-key-of-a-project", &[("key", key)])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFrom<'a> {
    Variable(&'a str),
    Stored,
    Nowhere,
    /// A stored key for a server that no provider uses.
    Unused,
}

pub fn key_of(provider: &str, server: &str, from: KeyFrom<'_>) -> String {
    let from = match from {
        KeyFrom::Variable(name) => say("auth-variable", &[("name", name)]),
        KeyFrom::Stored => say("auth-stored", &[]),
        KeyFrom::Nowhere => say("auth-nowhere", &[]),
        KeyFrom::Unused => say("auth-unused", &[]),
    };
    say(
        "auth-row",
        &[("provider", provider), ("server", server), ("from", &from)],
    )
}

pub fn key_stored(provider: &str, server: &str) -> String {
    say("auth-set", &[("provider", provider), ("server", server)])
}

pub fn key_removed(provider: &str) -> String {
    say("auth-removed", &[("provider", provider)])
}

pub fn key_wanted(provider: &str) -> String {
    say("auth-wanted", &[("provider", provider)])
}
