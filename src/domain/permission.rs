//! Who may do what: subjects, rules, verdicts, decisions.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::adjustment::Settable;
use super::agent::AgentName;
use super::command::{CommandLine, Interactive, Reach, Written};
use super::confinement::{Level, Part};
use super::server::{ServerName, server_of};

/// What a call touches, as it was found when the call was prepared. The policy judges this and looks at nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A path as it is shown, relative to the workspace where it lies in it, and what no rule can allow about it.
    Path {
        path: String,
        place: Place,
        reach: Option<Reach>,
    },
    /// A shell command line.
    Command(Arc<CommandLine>),
    /// The model calls the command risky: it asks where a rule would allow it.
    CalledRisky,
    /// Something a tool knows by a name of its own: a skill.
    Named(String),
    /// A tool of a server: nobody knows what it touches.
    Served { server: ServerName },
    /// A tool that touches neither, by its own name.
    Tool,
}

/// Where a path lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Under one of the workspace's roots.
    Inside,
    Outside,
    /// In the session's own folder for what is not to stay.
    Scratch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Allow,
    Ask,
    Deny,
}

/// What the analysis of a command line came to, from the mildest to the worst. A line is the worst of its parts: one that
/// acts elsewhere and is not understood besides is `Unknown`, because a rule may allow the first and never the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CommandClass {
    /// Every word of it is known, and it removes, moves or overwrites nothing.
    Plain,
    /// Acts on other machines, accounts, services or processes. Only a rule of the person that names it can allow it.
    External,
    /// Not proven to be harmless; asks, and no rule can allow it.
    Unknown,
    /// Removal, moves, modes and owners, overwriting, what lasts. Always asks, is never remembered.
    Dangerous,
    /// Whole disks, `/`, the home folder, a download that is run at once. Denied, unless the person's own configuration asks.
    Catastrophic,
}

impl CommandClass {
    /// Whether whoever asks shows it as what cannot be taken back.
    pub(crate) fn is_grave(self) -> bool {
        matches!(self, Self::Dangerous | Self::Catastrophic)
    }
}

/// Where a rule came from. A deny of any layer is final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Layer {
    /// Safety that no configuration can switch off.
    Guard,
    Default,
    User,
    Project,
    File,
    Environment,
    Flag,
    /// The agent that works.
    Agent,
    /// "Always" answers for this workspace, kept until they are taken back.
    Remembered,
    /// "Always" answers of this session.
    Session,
}

/// Why a verdict is what it is: the value. Its words are made in front of a person (`lang`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Because {
    /// A rule fits and decides.
    Rule(Rule),
    /// No rule fits, and asking is safe.
    NoRule,
    /// Every part of the line only reads what may be read.
    OnlyReads,
    /// The person lets what is not dangerous run in the read-only sandbox.
    Confined,
    /// The model asks to run it outside the sandbox.
    Unconfined,
    /// It lies in the session's folder for what is not to stay.
    Scratch,
    /// The person typed the command themselves.
    Typed,
    /// The command destroys all there is; in the words of its analysis.
    Catastrophic {
        why: String,
    },
    /// The command would wait for a terminal, and has none.
    Interactive(Interactive),
    /// The model itself calls the command risky.
    CalledRisky,
    /// The command acts on other machines, accounts, services or processes; in the words of its analysis.
    External {
        why: String,
    },
    /// The command destroys or changes what cannot be brought back; in the words of its analysis.
    Dangerous {
        why: String,
    },
    /// The command is not understood well enough to be judged; in the words of its analysis.
    NotUnderstood {
        why: String,
    },
    /// A rule speaks of one plain command, and the line is more.
    NotPlain,
    /// A rule speaks of the workspace's own folder, and the line runs in another.
    Elsewhere {
        folder: String,
    },
    /// The call would touch what no rule can allow.
    Reaches(Reach),
    /// The turn has made as many requests as it may.
    StepLimit,
    /// A call of the turn gave the same again and again.
    Loop,
    /// The calls of the turn were refused one after the other.
    Denials,
    Check(CheckBecause),
    /// This system cannot confine the command as it should be.
    NotConfined {
        level: Level,
        parts: Vec<Part>,
    },
    /// Nothing of the workspace may be written.
    ReadOnly,
    /// The agent that works changes nothing.
    ReadOnlyAgent {
        agent: AgentName,
    },
    /// The words that earlier versions stored in place of the value.
    #[serde(untagged)]
    Words(String),
}

/// Why the check after changes may run, or is asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CheckBecause {
    /// It stands in the person's own configuration.
    Configured,
    /// The person allowed it earlier in this session.
    Allowed,
    /// Nobody has allowed it in this session yet.
    NotAllowedYet { command: String },
    /// This file says what it does, and changed in this session.
    Changed { command: String, file: String },
}

/// A rule as it stands in a configuration. Its `Display` is how it is written there: `bash: "ls *": allow (built in)`; that
/// of an answer adds the options it covers: `bash: "cargo test *" [--lib]: allow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) key: String,
    pub(crate) pattern: String,
    /// The options that a command may have, where the rule says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<Vec<String>>,
    pub(crate) action: Action,
    /// The file, or what else said it. May be empty.
    #[serde(default)]
    pub(crate) origin: String,
}

/// The key of `permission` that says whether what is catastrophic is asked or denied.
pub(crate) const CATASTROPHIC: &str = "catastrophic";

/// The key of `permission` that says whether what is neither dangerous nor external runs unasked in the read-only sandbox.
pub(crate) const CONFINED: &str = "confined";

/// The key of `permission` under which patterns of commands count as dangerous beside those that are.
pub(crate) const DANGEROUS: &str = "dangerous";

/// The key of `permission` that covers every tool that changes files: the name of one of them.
pub(crate) const EDITS: &str = "edit";

/// The origin of the rules that hold where no configuration says anything.
pub(crate) const BUILT_IN: &str = "built in";

/// The origin of those that come from "always" answers to this session itself; one to a child has the agent's name.
pub(crate) const ANSWERED: &str = "answered `always` in this session";

impl Rule {
    /// What keeps a tool from every model, where it is switched off.
    pub(crate) fn of_switch(tool: &str, by: SwitchedBy) -> Self {
        Self {
            key: tool.to_owned(),
            pattern: "*".to_owned(),
            options: None,
            action: Action::Deny,
            origin: by.origin(tool),
        }
    }

    /// Whether it says that the model does not have the tool, rather than what it may do with it.
    pub(crate) fn is_switch(&self) -> bool {
        SwitchedBy::ALL.iter().any(|by| self.origin == by.origin(&self.key))
    }
}

/// What switches a tool off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SwitchedBy {
    /// What the configuration says of the tool.
    Setting,
    /// What it says of the server that the tool is of.
    Server,
    /// The person, in this session.
    Person,
    /// The same, of the server that the tool is of.
    ServerByPerson,
}

impl SwitchedBy {
    const ALL: [Self; 4] = [Self::Setting, Self::Server, Self::Person, Self::ServerByPerson];

    /// As a person writes it.
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
    /// As configurations write it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// What a tool's row says to the policy: the keys that speak of the tool, and what holds where no layer says anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolRules {
    pub(crate) name: Cow<'static, str>,
    /// The key that covers it beside its own name.
    pub(crate) group: Option<Cow<'static, str>>,
    /// What else a key may call it.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) defaults: Vec<(Cow<'static, str>, Action)>,
    /// What a configuration may say of the tool itself.
    pub(crate) settable: Settable,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) action: Action,
    pub(crate) because: Because,
    pub(crate) layer: Layer,
    /// For commands only.
    pub(crate) class: Option<CommandClass>,
    /// What "always" could cover, from the least to the most. Empty: only once and deny are offered.
    pub(crate) scopes: Vec<Scope>,
    /// Why none is offered, where `because` says only why it is asked.
    pub(crate) only_once: Option<OnlyOnce>,
    /// The rule that allows it grants the network inside the sandbox.
    pub(crate) network: bool,
    /// Secret paths need a person, whatever `--approve` says.
    pub(crate) needs_person: bool,
}

/// Why an "always" answer is not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OnlyOnce {
    /// No answer can switch it off.
    Guarded(Because),
    /// How the command line is written.
    Written(Written),
    /// What a branch brings is another thing each time.
    Branch,
    /// What is taken back is looked at each time.
    Undone,
}

/// What an "always" answer covers, shown exactly before it is granted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Scope {
    /// The key in `permission`: `edit`, `bash`, a tool's name.
    pub(crate) key: String,
    pub(crate) pattern: String,
    /// For a command that may go on in other ways: the only options it may have. `None`: the pattern says it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<Vec<String>>,
    /// For a line of several commands: the rules of the others in it. Each is kept as a rule of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) and: Vec<Scope>,
}

impl Scope {
    /// One for all of these together. `None`: there are none.
    pub(crate) fn of_all(parts: Vec<Self>) -> Option<Self> {
        let mut parts = parts.into_iter();
        let first = parts.next()?;
        Some(Self {
            and: parts.collect(),
            ..first
        })
    }

    /// The rules it is made of.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Self> + '_ {
        let first = Self {
            and: Vec::new(),
            ..self.clone()
        };
        std::iter::once(first).chain(self.and.iter().cloned())
    }

    /// Whether it says nothing that the other does not say.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.parts().all(|part| other.parts().any(|allowed| allowed == part))
    }
}

/// How long an "always" answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Lasts {
    /// Until the session ends.
    #[default]
    Session,
    /// In every session of this workspace, until it is taken back.
    Project,
}

/// The answer to one approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "decision")]
pub(crate) enum Decision {
    Once {
        kept: Kept,
    },
    Always {
        scope: Scope,
        /// Earlier versions knew the session only.
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
        /// The answers to each question after the first, where several were asked at once.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        further: Vec<Vec<String>>,
    },
}

impl Decision {
    /// Answers to one question.
    pub(crate) fn answered(answers: Vec<String>) -> Self {
        Self::Answer {
            answers,
            further: Vec::new(),
        }
    }
}

/// The part of a proposal that the person kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kept")]
pub(crate) enum Kept {
    #[default]
    All,
    /// For each file of the proposal, in its order; `None` keeps it as it was proposed.
    #[serde(alias = "hunks", alias = "edited")]
    Parts { files: Vec<Option<PartKept>> },
}

/// What the person kept of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum PartKept {
    /// For each hunk of `diff::hunks` with no context, whether it stays; of a file without hunks, whether all of it does.
    Hunks(Vec<bool>),
    /// The text that takes the place of the proposal.
    Text(String),
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DecidedBy {
    User,
    Policy,
    Timeout,
}
