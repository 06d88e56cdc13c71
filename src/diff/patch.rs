//! Patches from people, tools and models: parsed leniently, applied strictly.
//!
//! The parser accepts prose, fences, wrong counts and missing prefixes. Removed lines must match, and a patch applies
//! fully or not at all.

mod apply;
mod content;
mod envelope;
mod explain;
mod fitting;
mod locate;
mod meeting;
mod names;
mod parse;
mod section;

use std::sync::Arc;

pub use apply::{Applied, FileEdit, Files, Source, apply};
pub use explain::{Eased, numbered};
pub use fitting::{Conflict, ConflictLine, apply_fitting, read_conflict, take_there};
pub use parse::parse;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    pub files: Vec<FilePatch>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    pub action: Action,
    pub mode_after: Option<u32>,
    pub hunks: Vec<PatchHunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Create {
        path: Name,
    },
    Update {
        path: Name,
    },
    /// Changes whichever of the two files exists.
    Either {
        from: Name,
        to: Name,
    },
    /// Removes a file. If `whole`, the patch shows no content, so the current content is not checked.
    Delete {
        path: Name,
        whole: bool,
    },
    Rename {
        from: Name,
        to: Name,
    },
    Copy {
        from: Name,
        to: Name,
    },
}

impl Action {
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let (first, second) = match self {
            Self::Create { path } | Self::Update { path } | Self::Delete { path, .. } => (path, None),
            Self::Either { from, to } | Self::Rename { from, to } | Self::Copy { from, to } => (from, Some(to)),
        };
        std::iter::once(first).chain(second)
    }
}

/// Possible readings of a file name, in order of preference. `a/src/x` can mean `src/x` or `a/src/x`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(pub Vec<String>);

impl Name {
    pub fn first(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchHunk {
    pub place: Address,
    pub lines: Vec<PatchLine>,
    pub at: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// Line number in the file before the patch, 1-based. If `empty`, no line is replaced, and `start` is the line
    /// before the insertion.
    Line { start: usize, empty: bool },
    /// The place after the anchor lines, which are searched in order. Without anchors, the hunks are in file order.
    After { anchors: Vec<String>, at_end: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Context,
    Remove,
    Add,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchLine {
    pub sign: Sign,
    pub text: String,
    /// Whether the line ended with `\r\n` although the lines of the patch itself end with `\n`.
    pub cr: bool,
    pub no_end: bool,
}

/// `text` tells the model what to correct.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct PatchError {
    /// A stable code: `invalid_patch`, `not_found`, `exists`, `hunk_failed`, `ambiguous` …
    pub code: &'static str,
    pub text: String,
}

impl PatchError {
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}

pub fn apply_text(text: &str, files: &mut dyn Files) -> Result<Applied, PatchError> {
    let by_counts = parse(text, Reading::Counts);
    let by_shape = parse(text, Reading::Shape);
    match (by_counts, by_shape) {
        (Err(error), Err(_)) => Err(error),
        (Ok(only), Err(_)) | (Err(_), Ok(only)) => apply(&only, files),
        (Ok(counted), Ok(shaped)) => match apply(&counted, files) {
            Err(error) if counted != shaped => apply(&shaped, files).map_err(|_| error),
            result => result,
        },
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    Counts,
    Shape,
}

type Bytes = Arc<[u8]>;

#[cfg(test)]
mod tests;
