//! What a person names in a prompt with `@`: how it is written, and what was read of it before the prompt was sent.
//!
//! Finding is generous, because only what exists becomes a mention: an address, a decorator, a person's name stay text.

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

/// One thing that was named, as it was when the prompt was sent. It never changes afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mention {
    pub(crate) kind: MentionKind,
    /// As the workspace shows it.
    pub(crate) path: String,
    /// Which lines `text` holds; `None` where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<Part>,
    /// Of all bytes of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hash: Option<BlobId>,
    /// What the model reads of it.
    pub(crate) text: String,
    /// `text` is cut; it then says how to go on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) truncated: bool,
    /// What goes along beside `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) image: Option<Image>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MentionKind {
    File,
    /// Its text is a listing.
    Folder,
    /// A model that sees is sent it.
    Image,
    /// The person invoked it as a command; `path` is its name.
    Skill,
    /// Of a server; `path` is its name, a colon, and the address there.
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

/// A mention that could not be read, so that its prompt was not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unreadable {
    pub(crate) path: String,
    pub(crate) why: WhyUnreadable,
}

impl Unreadable {
    /// The file of `/name`, where that is what cannot be read.
    pub(crate) fn invoked(&self) -> Option<&BrokenSkill> {
        match &self.why {
            WhyUnreadable::NoSkill(broken) => Some(broken),
            _ => None,
        }
    }

    /// It is a prompt of a server.
    pub(crate) fn is_of_server(&self) -> bool {
        matches!(self.why, WhyUnreadable::Prompt(_))
    }

    /// It is written as a resource of a server.
    pub(crate) fn is_resource(&self) -> bool {
        matches!(
            self.why,
            WhyUnreadable::Resource(_) | WhyUnreadable::NoServer { .. } | WhyUnreadable::NoReading { .. }
        )
    }

    /// Nothing is wrong with it but that the prompt names so many.
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
    /// There is nothing of this name.
    Missing,
    /// It lies outside the folders of the session, or leads out of them.
    Outside,
    /// It is no text; in the words of the tool that reads.
    NoText { words: String },
    /// Reading it would be asked about, or denied.
    NotAllowed { because: Because },
    /// It is there, and what stands behind its colon names no lines.
    Unclear { range: String },
    /// The prompt names more than can be sent at once: `named` files and folders.
    TooMany {
        most: usize,
        #[serde(default)]
        named: usize,
    },
    /// It is an image, and the model reads none.
    NotSeen { kind: ImageKind, model: String },
    /// The prompt names more images than can be sent at once.
    TooManyImages { most: usize },
    /// The prompt begins with `/name`, and the file of that name is no skill, or no command.
    NoSkill(Box<BrokenSkill>),
    /// The prompt begins with the name of one of a server's, which comes to nothing.
    Prompt(NoPrompt),
    /// It is a resource of a server, which does not give it.
    Resource(ServerTrouble),
    /// It is written as a resource, and none of the servers has this name; those that there are.
    NoServer { known: Vec<String> },
    /// It is a resource that is neither text nor an image that a model is sent.
    NoReading { media: String, bytes: u64 },
    /// It is an image that no model is sent.
    Picture(Flaw),
    /// It is an image, and with those of the session so far it is one too many for a request.
    NoRoomForImages,
    /// A hook, which is named in its place, keeps the prompt back.
    Hook { reason: String },
    /// In the words of the system or of the tool that reads.
    Failed { words: String },
}
