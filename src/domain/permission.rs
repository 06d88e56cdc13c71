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

/// The subject of a permission check: the effect or target of a call, as found when the call was prepared. The policy
/// decides by this value alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A path as shown to the person, relative inside the workspace. May include an effect that no rule may allow.
    Path {
        path: String,
        place: Place,
        reach: Option<Reach>,
    },
    Command(Arc<CommandLine>),
    /// A command line that the model itself marked as risky. It needs approval even if a rule allows it.
    CalledRisky,
    Named(String),
    /// A host on the network, with its port if that is not the default: `docs.rs`, `docs.rs:8443`, `http://docs.rs`.
    Host(String),
    /// A tool of an MCP server, with unknown effects.
    Served {
        server: ServerName,
    },
    /// A tool that accesses neither files nor commands, judged by its name.
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
    /// "Always" answers for this workspace, valid until they are revoked.
    Remembered,
    Session,
}

/// The reason for a verdict. `lang` provides the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    Rule(Rule),
    NoRule,
    OnlyReads,
    /// The person's configuration allows this command in the read-only sandbox, because it is neither dangerous nor
    /// external.
    Confined,
    Unconfined,
    Scratch,
    Typed,
    /// The command would destroy the system or all data. `why` comes from its analysis.
    Catastrophic {
        why: String,
    },
    Interactive(Interactive),
    CalledRisky,
    External {
        why: String,
    },
    /// A rule allows the host, but the rule is for all tools, or comes from a project or agent.
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
    /// The matching rule is for the workspace's own folder, but the line runs in another one.
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
    /// A hook denied the call and gave a reason.
    Hook {
        hook: String,
        reason: String,
    },
    /// A text from earlier versions, which stored no structured value.
    #[serde(untagged)]
    Words(String),
}

/// The reason why the check after changes may run, or needs approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckBecause {
    Configured,
    Allowed,
    /// The command was not approved in this session yet.
    NotAllowedYet {
        command: String,
    },
    /// A file that controls the check has changed in this session.
    Changed {
        command: String,
        file: String,
    },
}

/// A permission rule. `Display` formats it as in the configuration: `bash: "ls *": allow (built in)`. The rule of an
/// "always" answer also shows its options: `bash: "cargo test *" [--lib]: allow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    pub key: String,
    pub pattern: String,
    /// The only options that a matching command may contain. `None` for any options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    pub action: Action,
    /// The file or other source of the rule. May be empty.
    #[serde(default)]
    pub origin: String,
}

/// The key of `permission` for catastrophic commands, with the values ask and deny.
pub const CATASTROPHIC: &str = "catastrophic";

/// The key of `permission` that runs commands in the read-only sandbox without approval, unless they are dangerous or
/// external.
pub const CONFINED: &str = "confined";

/// The key of `permission` for patterns of further dangerous commands.
pub const DANGEROUS: &str = "dangerous";

/// The key of `permission` for every tool that changes files. One of these tools has the same name.
pub const EDITS: &str = "edit";

/// The origin of the default rules.
pub const BUILT_IN: &str = "built in";

/// The origin of rules from "always" answers for this session. A subagent's rules also contain the agent's name.
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

    /// Whether the rule disables the whole tool, instead of restricting its use.
    pub fn is_switch(&self) -> bool {
        SwitchedBy::ALL.iter().any(|by| self.origin == by.origin(&self.key))
    }
}

/// The setting that disabled a tool.
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

/// The part of a tool's row that the policy uses: its keys and default rules.
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
    /// The possible "always" answers, from narrowest to widest. If empty, the person can only allow once or deny.
    pub scopes: Vec<Scope>,
    /// The reason why `scopes` is empty, if `because` does not explain it.
    pub only_once: Option<OnlyOnce>,
    /// Whether the matching rule grants network access in the sandbox.
    pub network: bool,
    /// Whether only a person may decide, even with `--approve`, because of secret paths.
    pub needs_person: bool,
    /// Whether a person may choose to run the command in the sandbox.
    pub confinable: bool,
}

/// The reason why an "always" answer is not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnlyOnce {
    Guarded(Because),
    Written(Written),
    /// The branch may have other content at the next merge.
    Branch,
    /// Each undo must be reviewed.
    Undone,
}

/// The scope of an "always" answer. The person sees the exact scope before granting it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The key in `permission`: `edit`, `bash`, or a tool's name.
    pub key: String,
    pub pattern: String,
    /// The only options that the command may have, if the pattern has a free end. `None` for an exact pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// For a line of several commands: the scopes of the other commands. Each becomes a separate rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub and: Vec<Scope>,
}

impl Scope {
    /// Combines several scopes into one. `None` for an empty list.
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
    /// In all sessions of this workspace, until revoked.
    Project,
}

/// The answer to an approval request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "decision")]
pub enum Decision {
    Once {
        kept: Kept,
    },
    /// Runs the command once, in the sandbox.
    Confined,
    Always {
        scope: Scope,
        /// The lifetime of the answer. Missing in logs of earlier versions, which only had session answers.
        #[serde(default)]
        lasts: Lasts,
        kept: Kept,
    },
    Deny {
        reason: Option<String>,
    },
    /// The answer to a question from the `ask` tool.
    Answer {
        answers: Vec<String>,
        /// The answers to further questions, if several were asked at once.
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
    /// The accepted part of each file of the proposal, in order. `None` accepts the whole file.
    #[serde(alias = "hunks", alias = "edited")]
    Parts { files: Vec<Option<PartKept>> },
}

/// The accepted part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PartKept {
    /// Whether each hunk of `diff::hunks` without context is accepted. A file without hunks has one value.
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
