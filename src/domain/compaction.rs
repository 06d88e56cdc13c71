//! What makes room in the model's window: results carried in part, earlier turns carried as a summary, items dropped.
//!
//! A compaction takes nothing from the log. It says what of it later requests carry; `history` folds it.

use serde::{Deserialize, Serialize};

use crate::base::id::EntryId;

/// One step that made room. Every part of it may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Compaction {
    pub(crate) why: Why,
    /// Tokens of a request without and with it, as they were estimated.
    pub(crate) before: u64,
    pub(crate) after: u64,
    /// Results of which only a part is carried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) cuts: Vec<Cut>,
    /// Entries in whose place one line is carried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) dropped: Vec<EntryId>,
    /// The entries up to which others stand in the place of the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<Replaced>,
}

/// The beginning of a conversation, and what is carried in its place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Replaced {
    /// The newest entry it stands for.
    pub(crate) upto: EntryId,
    /// `None`: nobody could summarise it, and a line says that it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<String>,
    /// Entries of it that are carried word for word, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept: Vec<EntryId>,
    /// What the model was told of its surroundings and must go on knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

/// A text of which the head and the tail are carried: an output, or each that went along with a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cut {
    pub(crate) entry: EntryId,
    /// Bytes that stay, two thirds of them at the head.
    pub(crate) keep: u32,
}

/// What a compaction was made for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Why {
    /// The window was filled to `compaction.threshold`.
    #[default]
    Threshold,
    /// The next request would not have fit.
    WouldNotFit,
    /// The server said that the request does not fit.
    Refused,
    /// The person asked for it.
    Asked,
}

/// Why nobody summarised what was to be summarised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub(crate) enum NoSummary {
    /// The request for it failed, in the words of who knows.
    Failed {
        error: String,
    },
    Empty,
    TooLong,
    /// It is a tool call.
    Called,
    /// It repeats what it was to summarise.
    Repeated,
    /// Nothing came of an answer for so long; 0: for as long as the provider waits.
    Silent {
        #[serde(default)]
        seconds: u64,
    },
    /// It was not whole after so long.
    Unfinished {
        seconds: u64,
    },
    /// The person did not want to wait for it.
    Skipped,
    /// What it frees is not worth the loss of the server's cache.
    NoGain,
}

/// Why what a person wrote cannot stand in the place of earlier turns. Tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    Empty,
    TooLong { tokens: u64, most: u64 },
}

impl NoSummary {
    /// Whether the model that was asked is not asked again by itself.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self, Self::NoGain | Self::Skipped)
    }
}

impl Compaction {
    /// A step after which a request is hardly smaller is not worth repeating.
    pub(crate) fn is_worth_it(&self) -> bool {
        self.after.saturating_mul(10) <= self.before.saturating_mul(9)
    }
}

/// A compaction as the person sees it before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Preview {
    /// Tokens of a request without and with it.
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) summary: String,
    /// Why it cannot be taken as it is.
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
