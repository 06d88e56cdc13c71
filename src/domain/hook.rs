//! Hooks: programs of the person or of a trusted folder that run at points of a turn. A hook can deny, but never allow.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::permission::{Layer, ToolRules};
use super::pin::Pinned;
use crate::base::clock::Time;

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

    pub(crate) fn is_of_a_tool(self) -> bool {
        matches!(self, Self::BeforeTool | Self::Approval | Self::AfterTool)
    }

    /// Whether Benchdog waits for the hook. Otherwise its answer is ignored.
    pub(crate) fn is_waited_for(self) -> bool {
        !matches!(self, Self::Approval | Self::BeforeCompact | Self::SessionEnd)
    }

    pub(crate) fn may_deny(self) -> bool {
        matches!(
            self,
            Self::UserPrompt | Self::BeforeTool | Self::AfterTool | Self::TurnEnd
        )
    }

    /// Returns the maximum timeout in milliseconds. Exiting must not be delayed for long.
    pub(crate) fn most_ms(self) -> u64 {
        match self {
            Self::SessionEnd => 2_000,
            _ => 600_000,
        }
    }

    pub(crate) fn default_ms(self) -> u64 {
        self.most_ms().min(60_000)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) event: HookEvent,
    pub(crate) name: String,
    /// Tool names or patterns. Empty for all tools.
    pub(crate) tools: Vec<String>,
    pub(crate) command: Vec<String>,
    pub(crate) timeout_ms: u64,
    /// Whether a failure counts as a denial.
    pub(crate) strict: bool,
    pub(crate) layer: Layer,
    /// `file:line`
    pub(crate) origin: String,
    pub(crate) file: String,
    /// For a hook from a folder: the files of the folder in its command, as they were when trust was given.
    pub(crate) pinned: Vec<Pinned>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Understood {
    pub(crate) rules: ToolRules,
    pub(crate) arguments: Map<String, Value>,
    /// Whether hooks run after the call.
    pub(crate) is_asked_after: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "snake_case")]
pub(crate) enum HookSaid {
    Denied {
        reason: String,
    },
    /// New arguments as JSON.
    Rewrote {
        arguments: String,
    },
    Noted {
        text: String,
    },
    Told {
        text: String,
    },
    Failed {
        why: HookFailed,
        /// Whether the failure counted as a denial.
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
    /// A file of the hook changed after it was trusted.
    Changed {
        file: String,
    },
    /// A file of the hook cannot be compared with the trusted version.
    Unpinned {
        file: String,
        error: String,
    },
    TooMany {
        most: u64,
    },
    TimedOut {
        after_ms: u64,
    },
    /// An exit code other than 0 and 2, or a signal.
    Exited {
        how: String,
        said: String,
    },
    Endless {
        most: u64,
    },
    /// The output does not follow `docs/hooks.md`.
    Unreadable {
        error: String,
    },
    /// The tool rejected the rewritten arguments.
    NotTaken {
        error: String,
    },
    Stopped,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookOffer {
    pub(crate) event: HookEvent,
    pub(crate) name: String,
    pub(crate) tools: Vec<String>,
    pub(crate) command: Vec<String>,
    pub(crate) origin: String,
    pub(crate) last: Option<HookRun>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookRun {
    pub(crate) at: Time,
    pub(crate) took_ms: u64,
    /// Empty if the hook had no opinion.
    pub(crate) said: Vec<HookSaid>,
}
