//! Mentions: files, folders and resources in a prompt, marked with `@`, and their contents.

mod found;

#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::image::{Flaw, Image, ImageKind};
use super::permission::Because;
use super::server::{NoPrompt, ServerTrouble};
use super::skill::BrokenSkill;
use benchdog_base::id::BlobId;

pub use found::{Candidate, Found, Lines, Wanted, begins, find, unclear, with_lines, written};

/// A mention with its content when the prompt was sent. The content never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    pub kind: MentionKind,
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<BlobId>,
    pub text: String,
    /// Whether `text` is truncated. If so, it ends with a note about how to read the rest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<Image>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MentionKind {
    File,
    Folder,
    Image,
    /// A skill that the person invoked as a command. `path` is its name.
    Skill,
    /// A resource of an MCP server. `path` is the server name, a colon, and the address.
    Resource,
}

/// Lines `first` to `last`, from 1, of a file of `total` lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub first: u64,
    pub last: u64,
    pub total: u64,
}

impl Part {
    pub fn is_whole(self) -> bool {
        self.first == 1 && self.last == self.total
    }
}

/// A mention that cannot be read. A prompt with such a mention is not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreadable {
    pub path: String,
    pub why: WhyUnreadable,
}

impl Unreadable {
    pub fn invoked(&self) -> Option<&BrokenSkill> {
        match &self.why {
            WhyUnreadable::NoSkill(broken) => Some(broken),
            _ => None,
        }
    }

    pub fn is_of_server(&self) -> bool {
        matches!(self.why, WhyUnreadable::Prompt(_))
    }

    pub(crate) fn is_resource(&self) -> bool {
        matches!(
            self.why,
            WhyUnreadable::Resource(_) | WhyUnreadable::NoServer { .. } | WhyUnreadable::NoReading { .. }
        )
    }

    pub fn is_one_too_many(&self) -> bool {
        matches!(
            self.why,
            WhyUnreadable::TooMany { .. } | WhyUnreadable::TooManyImages { .. } | WhyUnreadable::NoRoomForImages
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyUnreadable {
    Missing,
    Outside,
    NoText {
        words: String,
    },
    NotAllowed {
        because: Because,
    },
    Unclear {
        range: String,
    },
    TooMany {
        most: usize,
        #[serde(default)]
        named: usize,
    },
    NotSeen {
        kind: ImageKind,
        model: String,
    },
    TooManyImages {
        most: usize,
    },
    NoSkill(Box<BrokenSkill>),
    Prompt(NoPrompt),
    Resource(ServerTrouble),
    NoServer {
        known: Vec<String>,
    },
    NoReading {
        media: String,
        bytes: u64,
    },
    Picture(Flaw),
    NoRoomForImages,
    Hook {
        reason: String,
    },
    Failed {
        words: String,
    },
}
