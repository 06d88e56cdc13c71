//! Hooks: programs of the person or of a trusted folder that run at certain events. A hook can deny a call, but never
//! allow one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::permission::{Layer, ToolRules};
use super::pin::Pinned;
use benchdog_base::clock::Time;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookEvent {
    /// Runs before `SessionStart`, because hooks of that event may need files that this hook creates.
    WorktreeSetup,
    SessionStart,
    UserPrompt,
    BeforeTool,
    Approval,
    AfterTool,
    BeforeCompact,
    TurnEnd,
    SessionEnd,
    /// Runs when the session's state has changed, and prints a line for the workbench.
    StatusLine,
}

impl HookEvent {
    pub(crate) const ALL: [Self; 10] = [
        Self::WorktreeSetup,
        Self::SessionStart,
        Self::UserPrompt,
        Self::BeforeTool,
        Self::Approval,
        Self::AfterTool,
        Self::BeforeCompact,
        Self::TurnEnd,
        Self::SessionEnd,
        Self::StatusLine,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::WorktreeSetup => "worktree_setup",
            Self::SessionStart => "session_start",
            Self::UserPrompt => "user_prompt",
            Self::BeforeTool => "before_tool",
            Self::Approval => "approval",
            Self::AfterTool => "after_tool",
            Self::BeforeCompact => "before_compact",
            Self::TurnEnd => "turn_end",
            Self::SessionEnd => "session_end",
            Self::StatusLine => "status_line",
        }
    }

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }

    pub fn is_of_a_tool(self) -> bool {
        matches!(self, Self::BeforeTool | Self::Approval | Self::AfterTool)
    }

    /// Whether Benchdog waits for the hook. If not, the hook's answer is ignored.
    pub fn is_waited_for(self) -> bool {
        !matches!(
            self,
            Self::Approval | Self::BeforeCompact | Self::SessionEnd | Self::StatusLine
        )
    }

    pub fn may_deny(self) -> bool {
        matches!(
            self,
            Self::UserPrompt | Self::BeforeTool | Self::AfterTool | Self::TurnEnd
        )
    }

    /// Returns the maximum timeout in milliseconds. A short limit at the end of a session avoids a delay of the exit.
    pub fn most_ms(self) -> u64 {
        match self {
            Self::SessionEnd | Self::StatusLine => 2_000,
            _ => 600_000,
        }
    }

    pub fn default_ms(self) -> u64 {
        self.most_ms().min(60_000)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    pub event: HookEvent,
    pub name: String,
    pub tools: Vec<String>,
    pub command: Vec<String>,
    pub timeout_ms: u64,
    pub strict: bool,
    pub layer: Layer,
    pub origin: String,
    pub file: String,
    /// Files of the folder that a project hook's command uses, pinned to the content that the person trusted.
    pub pinned: Vec<Pinned>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    pub rules: ToolRules,
    pub arguments: Map<String, Value>,
    pub is_asked_after: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "snake_case")]
pub enum HookSaid {
    Denied {
        reason: String,
    },
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
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        denies: bool,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum HookFailed {
    NotStarted { error: String },
    Changed { file: String },
    Unpinned { file: String, error: String },
    TooMany { most: u64 },
    TimedOut { after_ms: u64 },
    Exited { how: String, said: String },
    Endless { most: u64 },
    Unreadable { error: String },
    NotTaken { error: String },
    Stopped,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookOffer {
    pub event: HookEvent,
    pub name: String,
    pub tools: Vec<String>,
    pub command: Vec<String>,
    pub origin: String,
    pub last: Option<HookRun>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookRun {
    pub at: Time,
    pub took_ms: u64,
    pub said: Vec<HookSaid>,
}
