//! Errors that stopped a request or command. `lang` provides texts and advice.

use serde::{Deserialize, Serialize};

use super::agent::ModelRef;
use super::mention::{Unreadable, WhyUnreadable};
use super::server_error::ServerError;

/// Reason why a request or command failed. In a logged answer, the reason why the answer is incomplete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Failure {
    EmptyReply {
        times: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finish: Option<String>,
    },
    ContextFull(Overweight),
    ContextOverflow {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<Box<ServerError>>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lessened: bool,
    },
    /// The call was not run.
    CallCut {
        /// Tool of the call. Missing in logs of the first versions, which did not report the failure to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<u64>,
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<Box<ServerError>>,
    },
    MentionUnread {
        mentions: Vec<Unreadable>,
    },
    NotHandedOver {
        tool: String,
        times: u32,
    },
    NoModel,
    NoProvider {
        provider: String,
        model: ModelRef,
    },
    SessionNotOpen,
    /// The recording has no further answer. The turn then ends successfully.
    RecordingEnded,
    #[serde(untagged)]
    Told {
        code: String,
        /// The English sentence. Logs of earlier versions have only this field.
        text: String,
        /// The error of a model server, for texts in other languages.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<Box<ServerError>>,
    },
}

impl Cut {
    pub fn told(&self) -> Option<(&str, Option<u64>)> {
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
    /// Whether the model received a message about the incomplete answer. If so, later requests contain the answer.
    pub(crate) fn is_answered(&self) -> bool {
        matches!(self, Self::Unproven) || self.told().is_some()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overweight {
    pub used: u64,
    pub limit: u64,
    #[serde(default)]
    pub fixed: u64,
}

fn is_of_hook(mention: &Unreadable) -> bool {
    matches!(mention.why, WhyUnreadable::Hook { .. })
}

impl Failure {
    pub fn code(&self) -> &str {
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    Interrupted,
    OutOfTime,
    NotSaved,
    Ended,
    Failed(Failure),
    /// The complete answer was rejected because it cites no evidence.
    Unproven,
    /// Text that an earlier version stored in place of structured values.
    #[serde(untagged)]
    Words(String),
}
