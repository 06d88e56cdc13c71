//! Compactions make room in the context window by truncating results, summarising earlier turns, and removing items. The log stays
//! complete. `history` computes from it what later requests carry.

use serde::{Deserialize, Serialize};

use crate::base::id::EntryId;

/// One compaction. Every part may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Compaction {
    pub(crate) why: Why,
    /// Estimated tokens of a request before and after.
    pub(crate) before: u64,
    pub(crate) after: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) cuts: Vec<Cut>,
    /// Entries replaced by a one-line placeholder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) dropped: Vec<EntryId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<Replaced>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Replaced {
    /// The newest entry that is replaced.
    pub(crate) upto: EntryId,
    /// `None` if the summary failed. A line then says that it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<String>,
    /// Entries within the range that are carried verbatim, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept: Vec<EntryId>,
    /// Notes about the environment that the model must keep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

/// A truncated text: an output, or each mention of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cut {
    pub(crate) entry: EntryId,
    /// Bytes to keep, two thirds of them from the beginning.
    pub(crate) keep: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Why {
    /// The window was filled to `compaction.threshold`.
    #[default]
    Threshold,
    /// The next request would not have fit.
    WouldNotFit,
    /// The server refused a request as too large.
    Refused,
    /// The person ran `/compact`.
    Asked,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum NoSummary {
    /// The request failed, with the error text.
    Failed {
        error: String,
    },
    Empty,
    TooLong,
    /// The answer is a tool call.
    Called,
    Repeated,
    /// No data arrived for this long. 0 is the provider's own timeout.
    Silent {
        #[serde(default)]
        seconds: u64,
    },
    /// The answer was not complete after this long.
    Unfinished {
        seconds: u64,
    },
    Skipped,
    /// The freed tokens would not outweigh the loss of the server's cache.
    NoGain,
}

/// The reason why an edited summary cannot be used. Sizes are in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    Empty,
    TooLong { tokens: u64, most: u64 },
}

impl NoSummary {
    /// Whether the summary model failed and must not be retried automatically.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self, Self::NoGain | Self::Skipped)
    }
}

impl Compaction {
    /// Whether the compaction saves at least 10 %. A smaller saving is not worth a repetition.
    pub(crate) fn is_worth_it(&self) -> bool {
        self.after.saturating_mul(10) <= self.before.saturating_mul(9)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Preview {
    /// Tokens of a request before and after.
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) summary: String,
    pub(crate) unfit: Option<Unfit>,
}

impl Preview {
    pub(crate) fn of(compaction: &Compaction) -> Self {
        let replaced = compaction.replaced.as_ref();
        Self {
            before: compaction.before,
            after: compaction.after,
            summary: replaced
                .and_then(|replaced| replaced.summary.clone())
                .unwrap_or_default(),
            unfit: None,
        }
    }
}
