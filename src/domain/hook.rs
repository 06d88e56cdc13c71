//! Hooks: programs of the person, or of a folder they trust, that are asked at points of a turn. What one says never allows anything.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::permission::{Layer, ToolRules};
use super::pin::Pinned;
use crate::base::clock::Time;

/// When one is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HookEvent {
    SessionStart,
    UserPrompt,
    BeforeTool,
    Approval,
    AfterTool,
    BeforeCompact,
    TurnEnd,
    SessionEnd,
}

impl HookEvent {
    /// In the order of a session.
    pub(crate) const ALL: [Self; 8] = [
        Self::SessionStart,
        Self::UserPrompt,
        Self::BeforeTool,
        Self::Approval,
        Self::AfterTool,
        Self::BeforeCompact,
        Self::TurnEnd,
        Self::SessionEnd,
    ];

    /// As the configuration and the protocol have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session_start",
            Self::UserPrompt => "user_prompt",
            Self::BeforeTool => "before_tool",
            Self::Approval => "approval",
            Self::AfterTool => "after_tool",
            Self::BeforeCompact => "before_compact",
            Self::TurnEnd => "turn_end",
            Self::SessionEnd => "session_end",
        }
    }

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }

    /// Whether it is about one tool.
    pub(crate) fn is_of_a_tool(self) -> bool {
        matches!(self, Self::BeforeTool | Self::Approval | Self::AfterTool)
    }

    /// Whether something waits for what it says. What nobody waits for is told, and changes nothing.
    pub(crate) fn is_waited_for(self) -> bool {
        !matches!(self, Self::Approval | Self::BeforeCompact | Self::SessionEnd)
    }

    /// Whether a denial means something.
    pub(crate) fn may_deny(self) -> bool {
        matches!(
            self,
            Self::UserPrompt | Self::BeforeTool | Self::AfterTool | Self::TurnEnd
        )
    }

    /// The longest that one may take, in milliseconds: leaving waits for nobody.
    pub(crate) fn most_ms(self) -> u64 {
        match self {
            Self::SessionEnd => 2_000,
            _ => 600_000,
        }
    }

    /// How long it may take where nothing else is said.
    pub(crate) fn default_ms(self) -> u64 {
        self.most_ms().min(60_000)
    }
}

/// One hook, as it is configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) event: HookEvent,
    pub(crate) name: String,
    /// Tools by name or pattern; empty: all.
    pub(crate) tools: Vec<String>,
    /// The program and its arguments, as written.
    pub(crate) command: Vec<String>,
    pub(crate) timeout_ms: u64,
    /// A failure counts as a denial.
    pub(crate) strict: bool,
    pub(crate) layer: Layer,
    /// `file:line`
    pub(crate) origin: String,
    /// The file that the layer was read from.
    pub(crate) file: String,
    /// Of one that a folder brought along: the files of the folder in its command, as they were when trust was asked for.
    pub(crate) pinned: Vec<Pinned>,
}

/// What hooks are told of a call, as its tool understood it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Understood {
    pub(crate) rules: ToolRules,
    pub(crate) arguments: Map<String, Value>,
    /// Whether one is asked about what came of it.
    pub(crate) is_asked_after: bool,
}

/// What came of asking one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "snake_case")]
pub(crate) enum HookSaid {
    Denied {
        reason: String,
    },
    /// The arguments as it wants them, as JSON.
    Rewrote {
        arguments: String,
    },
    /// Something for the model.
    Noted {
        text: String,
    },
    /// Something for the person.
    Told {
        text: String,
    },
    Failed {
        why: HookFailed,
        /// Its failure counted as a denial.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        denies: bool,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum HookFailed {
    NotStarted {
        error: String,
    },
    /// A file of it is another than the one that was trusted.
    Changed {
        file: String,
    },
    /// A file of it cannot be compared with the one that was trusted.
    Unpinned {
        file: String,
        error: String,
    },
    /// So many are being asked already.
    TooMany {
        most: u64,
    },
    TimedOut {
        after_ms: u64,
    },
    /// With another code than 0 and 2, or by a signal.
    Exited {
        how: String,
        said: String,
    },
    Endless {
        most: u64,
    },
    /// What it wrote is not as `docs/hooks.md` has it.
    Unreadable {
        error: String,
    },
    /// The tool does not take the arguments that it made.
    NotTaken {
        error: String,
    },
    Stopped,
}

/// A hook for a person's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookOffer {
    pub(crate) event: HookEvent,
    pub(crate) name: String,
    pub(crate) tools: Vec<String>,
    pub(crate) command: Vec<String>,
    pub(crate) origin: String,
    pub(crate) last: Option<HookRun>,
}

/// The newest time that one was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookRun {
    pub(crate) at: Time,
    pub(crate) took_ms: u64,
    /// Empty: it had no opinion.
    pub(crate) said: Vec<HookSaid>,
}
