//! Who may do what: subjects, rules, verdicts, decisions.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::command::CommandLine;

/// What a call touches, as it was found when the call was prepared. The policy judges this and looks at nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A path as it is shown, relative to the workspace where it lies in it. `secret`: `.env`, keys, credentials.
    Path { path: String, place: Place, secret: bool },
    /// A shell command line.
    Command(Arc<CommandLine>),
    /// A tool that touches neither, by its own name.
    Tool,
}

/// Where a path lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Under one of the workspace's roots.
    Inside,
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Allow,
    Ask,
    Deny,
}

/// What the analysis of a command line came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CommandClass {
    Plain,
    /// Not understood well enough to judge; asks, and no rule can allow it.
    Unknown,
    /// Removal, moves, modes and owners, disks, power, overwriting. Always asks, is never remembered.
    Dangerous,
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
    /// "Always" answers of this session.
    Session,
}

/// The rule that decided, in words a person can check: `bash: "ls *": allow`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rule(pub(crate) String);

/// What a tool's row says to the policy: the keys that speak of the tool, and what holds where no layer says anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolRules {
    pub(crate) name: Cow<'static, str>,
    /// The key that covers it beside its own name.
    pub(crate) group: Option<Cow<'static, str>>,
    pub(crate) defaults: Vec<(Cow<'static, str>, Action)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) action: Action,
    pub(crate) because: Rule,
    pub(crate) layer: Layer,
    /// For commands only.
    pub(crate) class: Option<CommandClass>,
    /// What "always" would cover. `None`: only once and deny are offered.
    pub(crate) scope: Option<Scope>,
    /// Secret paths need a person, whatever `--approve` says.
    pub(crate) needs_person: bool,
}

/// What an "always" answer covers, shown exactly before it is granted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Scope {
    /// The key in `permission`: `edit`, `bash`, a tool's name.
    pub(crate) key: String,
    pub(crate) pattern: String,
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
        kept: Kept,
    },
    Deny {
        reason: Option<String>,
    },
    /// The answer to a question of the `ask` tool.
    Answer {
        answers: Vec<String>,
    },
}

/// The part of a proposal that the person kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kept")]
pub(crate) enum Kept {
    #[default]
    All,
    /// For each file of the proposal, in its order, for each hunk of `diff::hunks` with no context, whether it stays.
    Hunks { files: Vec<Vec<bool>> },
    /// For each file, the text the person wrote instead; `None` keeps the proposal.
    Edited { files: Vec<Option<String>> },
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DecidedBy {
    User,
    Policy,
    Timeout,
}
