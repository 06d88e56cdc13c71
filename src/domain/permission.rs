//! Permissions: subjects, rules, verdicts, decisions.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::adjustment::Settable;
use super::agent::AgentName;
use super::command::{CommandLine, Interactive, Reach, Written};
use super::confinement::{Level, Part};
use super::server::{ServerName, server_of};

/// Subject of a permission check: the effect or target of a call, found when the call was prepared. The policy decides
/// by this value alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A path as the person sees it, relative if inside the workspace. `reach` is an effect that no rule may allow.
    Path {
        path: String,
        place: Place,
        reach: Option<Reach>,
    },
    Command(Arc<CommandLine>),
    /// A command line that the model itself marked as risky. Needs approval even if a rule allows it.
    CalledRisky,
    Named(String),
    /// A network host, with scheme and port if they are not the defaults: `docs.rs`, `docs.rs:8443`, `http://docs.rs`.
    Host(String),
    /// A tool of an MCP server. Its effects are unknown.
    Served {
        server: ServerName,
    },
    /// A tool that accesses neither files nor commands. The policy decides by the name of the tool.
    Tool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Below one of the workspace's roots.
    Inside,
    Outside,
    Scratch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Allow,
    Ask,
    Deny,
}

/// The class of a command line: that of its worst command. Ordered from mildest to worst. An external command that is
/// also not understood is `Unknown`, because a rule may allow an external command, but never an unknown one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandClass {
    /// Every word is known, and nothing is removed, moved or overwritten.
    Plain,
    /// Affects other machines, accounts, services or processes. Only a rule of the person for this program can allow
    /// it.
    External,
    /// Not known to be harmless. Needs approval, and no rule can allow it.
    Unknown,
    /// Removes, moves or overwrites files, changes modes or owners, or has other lasting effects. Always needs
    /// approval, which is never stored.
    Dangerous,
    /// Affects whole disks, `/` or the home folder, or runs a download. Denied, unless the person's configuration says
    /// `ask`.
    Catastrophic,
}

impl CommandClass {
    /// Whether dialogs mark this class as irreversible.
    pub fn is_grave(self) -> bool {
        matches!(self, Self::Dangerous | Self::Catastrophic)
    }
}

/// Source of a permission rule or decision. A denial by any layer is final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Built-in safety rules, which no configuration can disable.
    Guard,
    Default,
    User,
    Project,
    File,
    Environment,
    Flag,
    Agent,
    /// "Always" answers for this workspace, valid until revoked.
    Remembered,
    Session,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    Rule(Rule),
    NoRule,
    OnlyReads,
    /// The person's configuration allows the command in the read-only sandbox. It is neither dangerous nor external.
    Confined,
    Unconfined,
    Scratch,
    Typed,
    /// The command would destroy the system or all data. `why` comes from the analysis of the command.
    Catastrophic {
        why: String,
    },
    Interactive(Interactive),
    CalledRisky,
    External {
        why: String,
    },
    /// A rule allows the host, but the rule applies to all tools, or comes from a project or agent.
    HostNotNamed {
        host: String,
    },
    Dangerous {
        why: String,
    },
    NotUnderstood {
        why: String,
    },
    /// The matching rule is for a single plain command, but the line contains more.
    NotPlain,
    /// The matching rule is for the workspace's own folder, but the line runs in another folder.
    Elsewhere {
        folder: String,
    },
    Reaches(Reach),
    StepLimit,
    Loop,
    Denials,
    Check(CheckBecause),
    NotConfined {
        level: Level,
        parts: Vec<Part>,
    },
    ReadOnly,
    ReadOnlyAgent {
        agent: AgentName,
    },
    Hook {
        hook: String,
        reason: String,
    },
    /// Text that an earlier version stored in place of structured values.
    #[serde(untagged)]
    Words(String),
}

/// Reason why the configured check of changed files may run, or needs approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckBecause {
    Configured,
    Allowed,
    /// The command has not been approved in this session.
    NotAllowedYet {
        command: String,
    },
    /// `file` was changed in this session, and the check depends on `file`.
    Changed {
        command: String,
        file: String,
    },
}

/// A permission rule. `Display` formats it as in the configuration: `bash: "ls *": allow (built in)`. For the rule of
/// an "always" answer, it adds the options: `bash: "cargo test *" [--lib]: allow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    pub key: String,
    pub pattern: String,
    /// The only options that a matching command may contain. `None` allows any options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    pub action: Action,
    /// File or other source of the rule. May be empty.
    #[serde(default)]
    pub origin: String,
}

/// Key of `permission` for catastrophic commands. Its values are `ask` and `deny`.
pub const CATASTROPHIC: &str = "catastrophic";

/// Key of `permission` that allows commands in the read-only sandbox, except dangerous and external ones.
pub const CONFINED: &str = "confined";

/// Key of `permission` for patterns of additional dangerous commands.
pub const DANGEROUS: &str = "dangerous";

/// Key of `permission` for all tools that change files. One of these tools is also named `edit`.
pub const EDITS: &str = "edit";

pub const BUILT_IN: &str = "built in";

/// Origin of rules from "always" answers for this session. A subagent's rules also contain the agent's name.
pub const ANSWERED: &str = "answered `always` in this session";

impl Rule {
    pub fn of_switch(tool: &str, by: SwitchedBy) -> Self {
        Self {
            key: tool.to_owned(),
            pattern: "*".to_owned(),
            options: None,
            action: Action::Deny,
            origin: by.origin(tool),
        }
    }

    /// Whether the rule disables the whole tool instead of restricting its use.
    pub fn is_switch(&self) -> bool {
        SwitchedBy::ALL.iter().any(|by| self.origin == by.origin(&self.key))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchedBy {
    Setting,
    Server,
    Person,
    ServerByPerson,
}

impl SwitchedBy {
    const ALL: [Self; 4] = [Self::Setting, Self::Server, Self::Person, Self::ServerByPerson];

    fn origin(self, tool: &str) -> String {
        match self {
            Self::Setting => format!("tools.{tool}.enabled"),
            Self::Server => format!("mcp.{}.disabled_tools", server_of(tool).unwrap_or_default()),
            Self::Person => format!("/mcp off {tool}"),
            Self::ServerByPerson => format!("/mcp off {}", server_of(tool).unwrap_or_default()),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: \"{}\"", self.key, self.pattern)?;
        if let Some(options) = &self.options {
            write!(f, " [{}]", options.join(" "))?;
        }
        write!(f, ": {}", self.action.word())?;
        if self.origin.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", self.origin)
    }
}

impl Action {
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// Keys and default rules of a tool for the permission policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRules {
    pub name: Cow<'static, str>,
    pub group: Option<Cow<'static, str>>,
    pub aliases: &'static [&'static str],
    pub defaults: Vec<(Cow<'static, str>, Action)>,
    pub settable: Settable,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub action: Action,
    pub because: Because,
    pub layer: Layer,
    pub class: Option<CommandClass>,
    /// Possible "always" answers, from narrowest to widest. If empty, the person can only allow once or deny.
    pub scopes: Vec<Scope>,
    /// Reason why `scopes` is empty. `None` if `because` already explains this.
    pub only_once: Option<OnlyOnce>,
    /// Whether the matching rule grants network access in the sandbox.
    pub network: bool,
    /// Whether only a person may decide, even with `--approve`, because of secret paths.
    pub needs_person: bool,
    /// Whether the person can choose to run the command in the sandbox.
    pub confinable: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnlyOnce {
    Guarded(Because),
    Written(Written),
    /// The branch can be merged again later with other content.
    Branch,
    /// The person must review each undo.
    Undone,
}

/// Scope of an "always" answer. The person sees the exact scope before granting it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// Key in `permission`: `edit`, `bash`, or a tool's name.
    pub key: String,
    pub pattern: String,
    /// The only options that the command may have, if the pattern ends with a wildcard. `None` for an exact pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// If the line has several commands, the scopes of the other commands. Each scope becomes a separate rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub and: Vec<Scope>,
}

impl Scope {
    /// Merges several scopes into one. `None` for an empty list.
    pub fn of_all(parts: Vec<Self>) -> Option<Self> {
        let mut parts = parts.into_iter();
        let first = parts.next()?;
        Some(Self {
            and: parts.collect(),
            ..first
        })
    }

    pub fn parts(&self) -> impl Iterator<Item = Self> + '_ {
        let first = Self {
            and: Vec::new(),
            ..self.clone()
        };
        std::iter::once(first).chain(self.and.iter().cloned())
    }

    pub fn is_within(&self, other: &Self) -> bool {
        self.parts().all(|part| other.parts().any(|allowed| allowed == part))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lasts {
    #[default]
    Session,
    /// All sessions of this workspace, until revoked.
    Project,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "decision")]
pub enum Decision {
    Once {
        kept: Kept,
    },
    Confined,
    Always {
        scope: Scope,
        /// Lifetime of the answer. Missing in logs of earlier versions, whose answers all lasted for the session.
        #[serde(default)]
        lasts: Lasts,
        kept: Kept,
    },
    Deny {
        reason: Option<String>,
    },
    Answer {
        answers: Vec<String>,
        /// Answers to further questions, if several were asked at once.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        further: Vec<Vec<String>>,
    },
}

impl Decision {
    pub fn answered(answers: Vec<String>) -> Self {
        Self::Answer {
            answers,
            further: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kept")]
pub enum Kept {
    #[default]
    All,
    /// Accepted part of each file, in the order of the proposal. `None` accepts the whole file.
    #[serde(alias = "hunks", alias = "edited")]
    Parts { files: Vec<Option<PartKept>> },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PartKept {
    /// For each hunk, whether the person accepted it. Hunks are those of `diff::hunks` without context lines. A file
    /// without hunks has one value.
    Hunks(Vec<bool>),
    Text(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    User,
    Policy,
    Timeout,
}
