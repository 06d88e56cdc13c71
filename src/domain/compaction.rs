//! Compactions free space in the context window: they truncate results, summarise earlier turns and remove items. The
//! log stays complete, and `history` derives later requests from it.

use serde::{Deserialize, Serialize};

use super::server_error::ServerError;
use benchdog_base::id::EntryId;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compaction {
    pub why: Why,
    pub before: u64,
    pub after: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<Cut>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<EntryId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Replaced>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    pub upto: EntryId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Entries within the range that stay verbatim, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<EntryId>,
    /// Whether prompts before `upto` are missing in `kept`. Later requests then lack the text of these prompts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub omits_prompts: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A truncation of an output, or of each mention in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    pub entry: EntryId,
    /// Remaining bytes. Two thirds are from the beginning.
    pub keep: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    #[default]
    Threshold,
    WouldNotFit,
    Refused,
    Asked,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NoSummary {
    Failed {
        error: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<Box<ServerError>>,
    },
    Empty,
    TooLong,
    Called,
    Repeated,
    /// No data arrived within this time. 0 means the provider's timeout.
    Silent {
        #[serde(default)]
        seconds: u64,
    },
    Unfinished {
        seconds: u64,
    },
    Skipped,
    /// The saved tokens would not outweigh the loss of the server's cache.
    NoGain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    Empty,
    TooLong { tokens: u64, most: u64 },
}

impl NoSummary {
    /// Whether the summary model failed. If so, Benchdog must not retry automatically.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::NoGain | Self::Skipped)
    }
}

impl Compaction {
    /// Whether the compaction saves at least 10 %. Smaller savings do not justify the cost.
    pub fn is_worth_it(&self) -> bool {
        self.after.saturating_mul(10) <= self.before.saturating_mul(9)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub before: u64,
    pub after: u64,
    pub summary: String,
    pub unfit: Option<Unfit>,
}

impl Preview {
    pub fn of(compaction: &Compaction) -> Self {
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
