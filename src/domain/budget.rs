//! Tokens: what the server counted, and the ledger that says how full the window is.

use serde::{Deserialize, Serialize};

use crate::base::id::EntryId;

/// The server's own count for one reply, or the sum over a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Usage {
    pub(crate) prompt: u64,
    pub(crate) completion: u64,
    pub(crate) total: u64,
    /// What of the prompt the server had read before, where it tells.
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

    /// This count brought up to date by a later one of the same answer. What a later one leaves out, or writes as zero,
    /// keeps its value.
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
    /// What these tokens cost, without any discount.
    pub(crate) fn of(self, usage: Usage) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of tokens are far below 2^52")]
        let (read, written) = (usage.prompt as f64, usage.completion as f64);
        (read * self.input + written * self.output) / 1_000_000.0
    }
}

/// The model's window, and what of it is left free for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Window {
    pub(crate) tokens: u64,
    pub(crate) reserve: u64,
}

impl Window {
    /// `output`: the longest answer that is asked for. A small window is not given up to it.
    pub(crate) fn of(tokens: u64, output: u64) -> Self {
        let reserve = output.min(tokens / 4);
        Self { tokens, reserve }
    }

    /// The tokens a request may have.
    pub(crate) fn room(self) -> u64 {
        self.tokens - self.reserve
    }
}

/// How full the room for requests is, in whole percent; 0 where nothing is known of it.
pub(crate) fn percent(used: u64, room: u64) -> u64 {
    used.saturating_mul(100).checked_div(room).unwrap_or(0)
}

/// How full the model's window is. `used` is the server's count when `estimated` is false.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Ledger {
    pub(crate) used: u64,
    pub(crate) limit: u64,
    pub(crate) estimated: bool,
    /// The part of `limit` that is left free for the answer.
    #[serde(skip)]
    pub(crate) reserve: u64,
    /// What of the last prompt the server had kept, where it tells.
    #[serde(skip)]
    pub(crate) cached: Option<u64>,
    /// What the tokens went to, largest concern first; the sum is `used`.
    #[serde(skip)]
    pub(crate) items: Vec<LedgerItem>,
}

impl Ledger {
    /// What is used of the room for requests.
    pub(crate) fn percent(&self) -> u64 {
        percent(self.used, self.limit.saturating_sub(self.reserve))
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
    /// Their index, and the instructions of those that were loaded.
    Skills,
    Tools,
    /// What was read of files.
    Files,
    /// What the person named in prompts.
    Mentions,
    /// The images among it.
    Images,
    /// What other calls gave.
    Results,
    /// What stands in the place of earlier turns.
    Summary,
    Conversation,
}

/// One thing that requests carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContextItem {
    pub(crate) kind: LedgerKind,
    /// What it is, in a few words: a path, a command, the first words of a prompt.
    pub(crate) label: String,
    pub(crate) tokens: u64,
    /// `None`: it is part of every request and can be neither pinned nor dropped.
    pub(crate) entry: Option<EntryId>,
    pub(crate) carried: CarriedAs,
    pub(crate) pinned: bool,
}

/// How much of a thing is carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CarriedAs {
    Whole,
    /// Its head and its tail.
    Part,
    /// One line in its place.
    Line,
}
