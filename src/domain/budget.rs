//! Token counts, prices, and the fill level of the context window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use benchdog_base::id::EntryId;

/// Token counts of one reply as the server reported them, or their sum over a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    pub prompt: u64,
    pub completion: u64,
    pub total: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
}

impl Usage {
    pub fn plus(self, other: Self) -> Self {
        Self {
            prompt: self.prompt.saturating_add(other.prompt),
            completion: self.completion.saturating_add(other.completion),
            total: self.total.saturating_add(other.total),
            cached: match (self.cached, other.cached) {
                (None, None) => None,
                (one, another) => Some(one.unwrap_or(0).saturating_add(another.unwrap_or(0))),
            },
        }
    }

    /// Merges a later count for the same answer. Omitted or zero fields keep their value.
    pub fn then(self, later: Self) -> Self {
        if later.prompt > 0 && later.total > 0 {
            let cached = later.cached.or(self.cached);
            return Self { cached, ..later };
        }
        let newer = |before: u64, after: u64| if after > 0 { after } else { before };
        let prompt = newer(self.prompt, later.prompt);
        let completion = newer(self.completion, later.completion);
        Self {
            prompt,
            completion,
            total: self.total.max(prompt.saturating_add(completion)),
            cached: later.cached.or(self.cached),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    pub input: f64,
    pub output: f64,
}

impl Price {
    pub fn of(self, usage: Usage) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of tokens are far below 2^52")]
        let (read, written) = (usage.prompt as f64, usage.completion as f64);
        (read * self.input + written * self.output) / 1_000_000.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    pub tokens: u64,
    pub reserve: u64,
    /// Whether the size is assumed, because it is neither configured nor reported.
    pub is_guess: bool,
}

impl Window {
    /// Creates a window that reserves `output` tokens for the answer, but at most a quarter of the window.
    pub fn of(tokens: u64, output: u64) -> Self {
        let reserve = output.min(tokens / 4);
        Self {
            tokens,
            reserve,
            is_guess: false,
        }
    }

    pub fn room(self) -> u64 {
        self.tokens - self.reserve
    }
}

pub fn percent(used: u64, room: u64) -> u64 {
    used.saturating_mul(100).checked_div(room).unwrap_or(0)
}

/// The fill level of the context window. `used` is the server's count unless `estimated` is set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Ledger {
    pub used: u64,
    pub limit: u64,
    pub estimated: bool,
    /// Whether `limit` is assumed, because it is neither configured nor reported.
    #[serde(skip)]
    pub limit_is_guess: bool,
    #[serde(skip)]
    pub reserve: u64,
    #[serde(skip)]
    pub cached: Option<u64>,
    /// Token counts by category, largest first. Their sum is `used`.
    #[serde(skip)]
    pub items: Vec<LedgerItem>,
}

impl Ledger {
    pub fn percent(&self) -> u64 {
        percent(self.used, self.limit.saturating_sub(self.reserve))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerItem {
    pub kind: LedgerKind,
    pub tokens: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LedgerKind {
    System,
    Rules,
    Skills,
    Tools,
    Files,
    Mentions,
    Images,
    Results,
    Summary,
    Conversation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextItem {
    pub kind: LedgerKind,
    pub label: String,
    pub tokens: u64,
    /// The log entry of the item. `None` for a part of every request, which cannot be pinned or removed.
    pub entry: Option<EntryId>,
    pub carried: CarriedAs,
    pub pinned: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CarriedAs {
    Whole,
    Part,
    Line,
}
