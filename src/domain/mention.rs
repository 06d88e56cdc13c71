//! Mentions: files, folders and resources that a prompt names with `@`, and their contents. Parsing is lenient because only existing
//! targets become mentions. Addresses, decorators and names stay text.

mod found;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::image::{Flaw, Image, ImageKind};
use super::permission::Because;
use super::server::{NoPrompt, ServerTrouble};
use super::skill::BrokenSkill;
use crate::base::id::BlobId;

pub(crate) use found::{Candidate, Found, Lines, Wanted, begins, find, unclear, with_lines, written};

/// A mention and its content at the time the prompt was sent. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mention {
    pub(crate) kind: MentionKind,
    /// As displayed in the workspace.
    pub(crate) path: String,
    /// The lines in `text`. `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<Part>,
    /// Hash of the complete file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hash: Option<BlobId>,
    pub(crate) text: String,
    /// Whether `text` is truncated. It then explains how to read more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) truncated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) image: Option<Image>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MentionKind {
    File,
    Folder,
    /// Sent as an image to models that accept images.
    Image,
    /// A skill invoked as a command. `path` is its name.
    Skill,
    /// A resource of an MCP server. `path` is the server name, a colon, and the address.
    Resource,
}

/// Lines `first` to `last`, from 1, of a file of `total` lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) total: u64,
}

impl Part {
    pub(crate) fn is_whole(self) -> bool {
        self.first == 1 && self.last == self.total
    }
}

/// A mention that cannot be read, so the prompt was not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unreadable {
    pub(crate) path: String,
    pub(crate) why: WhyUnreadable,
}

impl Unreadable {
    /// Returns the broken file of `/name`.
    pub(crate) fn invoked(&self) -> Option<&BrokenSkill> {
        match &self.why {
            WhyUnreadable::NoSkill(broken) => Some(broken),
            _ => None,
        }
    }

    pub(crate) fn is_of_server(&self) -> bool {
        matches!(self.why, WhyUnreadable::Prompt(_))
    }

    /// Whether the mention is written like a resource of an MCP server.
    pub(crate) fn is_resource(&self) -> bool {
        matches!(
            self.why,
            WhyUnreadable::Resource(_) | WhyUnreadable::NoServer { .. } | WhyUnreadable::NoReading { .. }
        )
    }

    /// Whether the mention was rejected only because there are too many.
    pub(crate) fn is_one_too_many(&self) -> bool {
        matches!(
            self.why,
            WhyUnreadable::TooMany { .. } | WhyUnreadable::TooManyImages { .. } | WhyUnreadable::NoRoomForImages
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhyUnreadable {
    Missing,
    Outside,
    /// Not text, with the message of the reading tool.
    NoText {
        words: String,
    },
    /// The policy would ask for or deny the read.
    NotAllowed {
        because: Because,
    },
    /// The part after the colon is not a valid line range.
    Unclear {
        range: String,
    },
    /// More than the maximum number of files and folders. `named` is the number in the prompt.
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
    /// No MCP server has this name. Contains the existing names.
    NoServer {
        known: Vec<String>,
    },
    /// The resource is neither text nor a supported image.
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
