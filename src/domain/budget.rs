//! Tokens: what the server counted, and the ledger that says how full the window is.

use serde::{Deserialize, Serialize};

/// The server's own count for one reply, or the sum over a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Usage {
    pub(crate) prompt: u64,
    pub(crate) completion: u64,
    pub(crate) total: u64,
}

impl Usage {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            prompt: self.prompt + other.prompt,
            completion: self.completion + other.completion,
            total: self.total + other.total,
        }
    }
}

/// How full the model's window is. `used` is the server's count when `estimated` is false.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Ledger {
    pub(crate) used: u64,
    pub(crate) limit: u64,
    pub(crate) estimated: bool,
    /// What the tokens went to, largest concern first; the sum is `used`.
    #[serde(skip)]
    pub(crate) items: Vec<LedgerItem>,
}

impl Ledger {
    /// Whole percent of the window, 0 when the limit is unknown.
    pub(crate) fn percent(&self) -> u64 {
        self.used.saturating_mul(100).checked_div(self.limit).unwrap_or(0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LedgerItem {
    pub(crate) kind: LedgerKind,
    pub(crate) tokens: u64,
}

/// The rows of the context pane, in the order they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum LedgerKind {
    System,
    Rules,
    Tools,
    Files,
    History,
}
