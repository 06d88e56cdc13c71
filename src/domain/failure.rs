//! What stopped a request or an order: the value. Its words and the advice are made in front of a person (`lang`).

use serde::{Deserialize, Serialize};

use super::agent::ModelRef;
use super::mention::{Unreadable, WhyUnreadable};

/// A request or an order that came to nothing. In logs it says why an answer was cut short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub(crate) enum Failure {
    /// The model answered with nothing as often as it was asked.
    EmptyReply {
        times: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finish: Option<String>,
    },
    /// The request would not fit the model's window.
    ContextFull(Overweight),
    /// The server says that the request does not fit its window, of so many tokens where it tells.
    ContextOverflow {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
        text: String,
        /// Room had been made for it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lessened: bool,
    },
    /// The answer was stopped inside a call, which was not run.
    CallCut {
        /// Whose call it was. Not in the logs of the first versions, which told the model nothing of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// The length of the answer, where the server counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<u64>,
        text: String,
    },
    /// The prompt names with `@` what cannot be read.
    MentionUnread {
        mentions: Vec<Unreadable>,
    },
    /// The turn ended as often without what its agent hands over with this tool.
    NotHandedOver {
        tool: String,
        times: u32,
    },
    NoModel,
    NoProvider {
        provider: String,
        model: ModelRef,
    },
    /// Nothing can be written to the session that was asked for.
    SessionNotOpen,
    /// A recording has no further answer: where it ends, the turn ends well.
    RecordingEnded,
    /// What a server or a module says of its own error. The code is theirs.
    #[serde(untagged)]
    Told {
        code: String,
        text: String,
    },
}

impl Cut {
    /// The tool whose call was cut, and after how many tokens, where the model is told of it.
    pub(crate) fn told(&self) -> Option<(&str, Option<u64>)> {
        match self {
            Self::Failed(Failure::CallCut {
                tool: Some(tool),
                tokens,
                ..
            }) => Some((tool, *tokens)),
            _ => None,
        }
    }
}

impl Cut {
    /// Whether the model was told more behind it, so that it stands in what was sent.
    pub(crate) fn is_answered(&self) -> bool {
        matches!(self, Self::Unproven) || self.told().is_some()
    }
}

/// A request that is known not to fit: its tokens, what the window holds, and what of it every request has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Overweight {
    pub(crate) used: u64,
    pub(crate) limit: u64,
    /// The system prompt, rules and tools.
    #[serde(default)]
    pub(crate) fixed: u64,
}

fn is_of_hook(mention: &Unreadable) -> bool {
    matches!(mention.why, WhyUnreadable::Hook { .. })
}

impl Failure {
    /// The stable name scripts know.
    pub(crate) fn code(&self) -> &str {
        match self {
            Self::EmptyReply { .. } => "empty_reply",
            Self::ContextFull(over) if over.fixed >= over.limit => "window_too_small",
            Self::ContextFull(_) => "context_full",
            Self::ContextOverflow { .. } => "context_overflow",
            Self::CallCut { .. } => "call_cut",
            Self::MentionUnread { mentions } if mentions.iter().all(Unreadable::is_one_too_many) => "mentions_too_many",
            Self::MentionUnread { mentions } if mentions.iter().all(|mention| mention.invoked().is_some()) => {
                "skill_unread"
            }
            Self::MentionUnread { mentions } if mentions.iter().all(Unreadable::is_of_server) => "prompt_unread",
            Self::MentionUnread { mentions } if mentions.iter().all(Unreadable::is_resource) => "resource_unread",
            Self::MentionUnread { mentions } if mentions.iter().all(is_of_hook) => "hook_denied",
            Self::MentionUnread { .. } => "mention_unread",
            Self::NotHandedOver { .. } => "not_handed_over",
            Self::NoModel => "no_model",
            Self::NoProvider { .. } => "no_provider",
            Self::SessionNotOpen => "session_not_open",
            Self::RecordingEnded => "recording_ended",
            Self::Told { code, .. } => code,
        }
    }
}

/// Why an answer that had begun to arrive is not whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cut {
    Interrupted,
    OutOfTime,
    /// The session could not be written, so the turn was ended.
    NotSaved,
    /// Benchdog ended while it arrived.
    Ended,
    Failed(Failure),
    /// It is whole, and was not taken: it names no place that shows what it says.
    Unproven,
    /// The words that earlier versions stored in place of the value.
    #[serde(untagged)]
    Words(String),
}
