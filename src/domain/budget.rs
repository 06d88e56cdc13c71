//! Token counts, prices, and the fill level of the context window.

use serde::{Deserialize, Serialize};

use crate::base::id::EntryId;

/// Token counts of one reply, or their sum over a turn, as reported by the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Usage {
    pub(crate) prompt: u64,
    pub(crate) completion: u64,
    pub(crate) total: u64,
    /// Prompt tokens that came from the server's cache, if reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cached: Option<u64>,
}

impl Usage {
    pub(crate) fn plus(self, other: Self) -> Self {
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

    /// Merges a later count of the same answer. A field that the later count omits or sets to zero keeps its value.
    pub(crate) fn then(self, later: Self) -> Self {
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

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Price {
    pub(crate) input: f64,
    pub(crate) output: f64,
}

impl Price {
    /// Returns the cost in US dollars, without discounts.
    pub(crate) fn of(self, usage: Usage) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of tokens are far below 2^52")]
        let (read, written) = (usage.prompt as f64, usage.completion as f64);
        (read * self.input + written * self.output) / 1_000_000.0
    }
}

/// The context window, and the part of it that is reserved for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Window {
    pub(crate) tokens: u64,
    pub(crate) reserve: u64,
}

impl Window {
    /// Reserves `output` tokens for the answer, but at most a quarter of the window.
    pub(crate) fn of(tokens: u64, output: u64) -> Self {
        let reserve = output.min(tokens / 4);
        Self { tokens, reserve }
    }

    pub(crate) fn room(self) -> u64 {
        self.tokens - self.reserve
    }
}

/// Returns the used share of `room` in whole percent, or 0 if `room` is 0.
pub(crate) fn percent(used: u64, room: u64) -> u64 {
    used.saturating_mul(100).checked_div(room).unwrap_or(0)
}

/// The fill level of the context window. `used` is the server's count unless `estimated` is set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Ledger {
    pub(crate) used: u64,
    pub(crate) limit: u64,
    pub(crate) estimated: bool,
    /// Tokens of `limit` that are reserved for the answer.
    #[serde(skip)]
    pub(crate) reserve: u64,
    /// Cached tokens of the last prompt, if reported.
    #[serde(skip)]
    pub(crate) cached: Option<u64>,
    /// Token counts by category, largest first. Their sum is `used`.
    #[serde(skip)]
    pub(crate) items: Vec<LedgerItem>,
}

impl Ledger {
    pub(crate) fn percent(&self) -> u64 {
        percent(self.used, self.limit.saturating_sub(self.reserve))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LedgerItem {
    pub(crate) kind: LedgerKind,
    pub(crate) tokens: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum LedgerKind {
    System,
    Rules,
    /// The index of skills, and the instructions of loaded skills.
    Skills,
    Tools,
    /// Contents of files that were read.
    Files,
    Mentions,
    Images,
    Results,
    /// The summary that replaces earlier turns.
    Summary,
    Conversation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContextItem {
    pub(crate) kind: LedgerKind,
    /// A short label: a path, a command, or the first words of a prompt.
    pub(crate) label: String,
    pub(crate) tokens: u64,
    /// `None` for an item that is part of every request and cannot be pinned or removed.
    pub(crate) entry: Option<EntryId>,
    pub(crate) carried: CarriedAs,
    pub(crate) pinned: bool,
}

/// The form in which requests carry an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CarriedAs {
    Whole,
    /// Beginning and end.
    Part,
    /// A one-line placeholder.
    Line,
}
