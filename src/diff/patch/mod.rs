//! Patches as people, tools and models write them: read leniently, applied strictly.
//!
//! Reading forgives what does not change the meaning: prose around, fences, wrong counts, missing prefixes. Applying
//! never guesses: a removed line must be there exactly, a place must be the only one or clearly the nearest, and either
//! all of a patch applies or none of it.

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

pub(crate) use apply::{Applied, FileEdit, Files, Source, apply};
pub(crate) use explain::{Eased, numbered};
pub(crate) use fitting::{Conflict, ConflictLine, apply_fitting, read_conflict};
pub(crate) use parse::parse;

/// One patch: what it does to each file, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) files: Vec<FilePatch>,
}

/// What a patch does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePatch {
    pub(crate) action: Action,
    /// The unix permission bits afterwards, where the patch states them.
    pub(crate) mode_after: Option<u32>,
    pub(crate) hunks: Vec<PatchHunk>,
}

/// Names are as written; which prefix to cut is decided when the files are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    Create {
        path: Name,
    },
    Update {
        path: Name,
    },
    /// A change of whichever of the two is there.
    Either {
        from: Name,
        to: Name,
    },
    /// `whole`: the form states no content, the file goes whatever is in it.
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
    /// One name, or the old one and the new one.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        let (first, second) = match self {
            Self::Create { path } | Self::Update { path } | Self::Delete { path, .. } => (path, None),
            Self::Either { from, to } | Self::Rename { from, to } | Self::Copy { from, to } => (from, Some(to)),
        };
        std::iter::once(first).chain(second)
    }
}

/// A file's name, as the ways to read it in the order they are tried: `a/src/x` is `src/x`, then `a/src/x`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name(pub(crate) Vec<String>);

impl Name {
    /// The likeliest reading.
    pub(crate) fn first(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatchHunk {
    pub(crate) place: Address,
    pub(crate) lines: Vec<PatchLine>,
    /// The line of the patch text it starts at, from 1.
    pub(crate) at: usize,
}

/// Where a hunk says it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    /// The 1-based first line before; with `empty`, the line after which nothing is replaced.
    Line { start: usize, empty: bool },
    /// After these lines, one after the other; in file order when there is none.
    After { anchors: Vec<String>, at_end: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Context,
    Remove,
    Add,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatchLine {
    pub(crate) sign: Sign,
    /// Without the line end.
    pub(crate) text: String,
    /// The line ended with `\r\n` in a patch whose own lines do not.
    pub(crate) cr: bool,
    /// `\ No newline at end of file` follows.
    pub(crate) no_end: bool,
}

/// Why a patch is not applied. The text is for a model: it says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub(crate) struct PatchError {
    /// A stable code: `invalid_patch`, `not_found`, `exists`, `hunk_failed`, `ambiguous` …
    pub(crate) code: &'static str,
    pub(crate) text: String,
}

impl PatchError {
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}

/// Reads and applies a patch text. Where counts and content disagree about where a hunk ends, both readings are tried.
pub(crate) fn apply_text(text: &str, files: &mut dyn Files) -> Result<Applied, PatchError> {
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

/// How the end of a hunk is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// By the counts of its header, where they fit what follows.
    Counts,
    /// By what the lines look like.
    Shape,
}

type Bytes = Arc<[u8]>;

#[cfg(test)]
mod tests;
