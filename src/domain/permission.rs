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

/// The target of a call, as found when the call was prepared. The policy judges only this value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A path as displayed, relative to the workspace if inside, and a finding that no rule may allow.
    Path {
        path: String,
        place: Place,
        reach: Option<Reach>,
    },
    Command(Arc<CommandLine>),
    /// A command line that the model calls risky. It needs approval even if a rule allows it.
    CalledRisky,
    Named(String),
    /// A host on the network, with its port if that is unusual: `docs.rs`, `docs.rs:8443`, `http://docs.rs`.
    Host(String),
    /// A tool of an MCP server, with unknown effects.
    Served {
        server: ServerName,
    },
    /// A tool without files or commands, by its name.
    Tool,
}

/// The location of a path.
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

/// The class of a command line, from mildest to worst: that of its worst part. An external part that is
/// also not understood is `Unknown`, because a rule may allow external commands only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandClass {
    /// Every word is known, and nothing is removed, moved or overwritten.
    Plain,
    /// Affects other machines, accounts, services or processes. Only a rule of the person that names it can
    /// allow it.
    External,
    /// Not known to be harmless. Needs approval, and no rule can allow it.
    Unknown,
    /// Removal, moves, modes and owners, overwriting, lasting changes. Always needs approval, which is
    /// never remembered.
    Dangerous,
    /// Whole disks, `/`, the home folder, or running a download. Denied, unless the person's configuration
    /// asks.
    Catastrophic,
}

impl CommandClass {
    /// Whether dialogs show it as irreversible.
    pub fn is_grave(self) -> bool {
        matches!(self, Self::Dangerous | Self::Catastrophic)
    }
}

/// The source of a rule. A deny of any layer is final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Built-in safety that no configuration can disable.
    Guard,
    Default,
    User,
    Project,
    File,
    Environment,
    Flag,
    Agent,
    /// "Always" answers for this workspace, until they are revoked.
    Remembered,
    Session,
}

/// The reason of a verdict. `lang` provides the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    Rule(Rule),
    NoRule,
    OnlyReads,
    /// The person allows commands that are not dangerous in the read-only sandbox.
    Confined,
    Unconfined,
    Scratch,
    Typed,
    /// The command destroys everything. `why` is from its analysis.
    Catastrophic {
        why: String,
    },
    Interactive(Interactive),
    CalledRisky,
    External {
        why: String,
    },
    /// A rule allows the host, but it is for all tools, or of a project or agent.
    HostNotNamed {
        host: String,
    },
    Dangerous {
        why: String,
    },
    NotUnderstood {
        why: String,
    },
    /// The rule is for one plain command, and the line contains more.
    NotPlain,
    /// The rule is for the workspace's own folder, and the line runs in another.
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
    /// A hook denied the call, and said why.
    Hook {
        hook: String,
        reason: String,
    },
    /// Text written by earlier versions, which stored no structured value.
    #[serde(untagged)]
    Words(String),
}

/// The reason why the check after changes may run or needs approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckBecause {
    Configured,
    Allowed,
    /// Not yet allowed in this session.
    NotAllowedYet {
        command: String,
    },
    /// This file defines the check's effect and changed in this session.
    Changed {
        command: String,
        file: String,
    },
}

/// A configured rule. `Display` formats it as written: `bash: "ls *": allow (built in)`. The rule of an
/// answer also lists its options: `bash: "cargo test *" [--lib]: allow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    pub key: String,
    pub pattern: String,
    /// The only options that a matching command may have, if the rule limits them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    pub action: Action,
    /// The file or other source. May be empty.
    #[serde(default)]
    pub origin: String,
}

/// The key of `permission` for catastrophic commands: ask or deny.
pub const CATASTROPHIC: &str = "catastrophic";

/// The key of `permission` for running commands without approval in the read-only sandbox, unless
/// dangerous or external.
pub const CONFINED: &str = "confined";

/// The key of `permission` for patterns of further dangerous commands.
pub const DANGEROUS: &str = "dangerous";

/// The key of `permission` that covers every tool that changes files. Also the name of one of them.
pub const EDITS: &str = "edit";

/// The origin of the default rules.
pub const BUILT_IN: &str = "built in";

/// The origin of rules from "always" answers to this session. For a subagent, the agent's name is
/// added.
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

    /// Whether the rule disables the tool, instead of restricting its use.
    pub fn is_switch(&self) -> bool {
        SwitchedBy::ALL.iter().any(|by| self.origin == by.origin(&self.key))
    }
}

/// The source that disabled a tool.
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

/// The policy-related part of a tool's row: its keys and default rules.
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
    /// The possible "always" answers, from narrowest to widest. If empty, only a single approval and a
    /// denial are offered.
    pub scopes: Vec<Scope>,
    /// The reason why `scopes` is empty, if `because` does not explain it.
    pub only_once: Option<OnlyOnce>,
    /// Whether the matching rule grants the network in the sandbox.
    pub network: bool,
    /// Whether a person must decide, regardless of `--approve`, because of secret paths.
    pub needs_person: bool,
    /// The command can run in the sandbox, if a person chooses that.
    pub confinable: bool,
}

/// The reason why an "always" answer is not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnlyOnce {
    Guarded(Because),
    Written(Written),
    /// The content of a branch differs each time.
    Branch,
    /// An undo is reviewed each time.
    Undone,
}

/// The scope of an "always" answer, shown exactly before it is granted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The key in `permission`: `edit`, `bash`, or a tool's name.
    pub key: String,
    pub pattern: String,
    /// For a command with a free end: the only options it may have. `None` if the pattern is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// For a line of several commands: the rules of the others. Each becomes a rule of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub and: Vec<Scope>,
}

impl Scope {
    /// Combines scopes into one. `None` if there are none.
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
    /// In every session of this workspace, until it is revoked.
    Project,
}

/// The answer to an approval request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "decision")]
pub enum Decision {
    Once {
        kept: Kept,
    },
    /// A command runs once, in the sandbox.
    Confined,
    Always {
        scope: Scope,
        /// Missing in logs of earlier versions, which had only session answers.
        #[serde(default)]
        lasts: Lasts,
        kept: Kept,
    },
    Deny {
        reason: Option<String>,
    },
    /// The answer to a question of the `ask` tool.
    Answer {
        answers: Vec<String>,
        /// The answers to each question after the first, if several were asked at once.
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

/// The accepted part of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kept")]
pub enum Kept {
    #[default]
    All,
    /// For each file of the proposal, in order. `None` accepts the whole file.
    #[serde(alias = "hunks", alias = "edited")]
    Parts { files: Vec<Option<PartKept>> },
}

/// The accepted part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PartKept {
    /// One value per hunk of `diff::hunks` without context. For a file without hunks, one value for the
    /// whole file.
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
