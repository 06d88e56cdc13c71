//! What a payload of an answer adds to it, whatever API it came by.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::domain::budget::Usage;
use crate::domain::message::{Sealed, ThoughtField};

/// What a chunk of a stream, or a whole answer, adds.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Chunk<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) reasoning: Cow<'a, str>,
    /// The field that held the reasoning, where the API has several.
    pub(crate) field: Option<ThoughtField>,
    /// Closes the thought that ends with this reasoning, or is one by itself.
    pub(crate) sealed: Option<Sealed>,
    pub(crate) calls: Vec<Piece<'a>>,
    /// Never empty.
    pub(crate) finish: Option<Cow<'a, str>>,
    pub(crate) usage: Option<Usage>,
    /// The object or text under `error`, with what stands beside it.
    pub(crate) error: Option<Value>,
    /// A whole message rather than a piece of one.
    pub(crate) whole: bool,
    /// The tokens of the prompt that are read, and all of them.
    pub(crate) read: Option<(u64, u64)>,
    /// The server says that nothing follows.
    pub(crate) done: bool,
}

impl Chunk<'_> {
    /// It says nothing at all.
    pub(crate) fn is_empty(&self) -> bool {
        let said =
            !self.text.is_empty() || !self.reasoning.is_empty() || self.sealed.is_some() || !self.calls.is_empty();
        let counted = self.usage.is_some() || self.read.is_some();
        let ended = self.finish.is_some() || self.error.is_some() || self.done;
        !(said || counted || ended || self.whole)
    }
}

/// A piece of a tool call. Empty strings of the wire are `None`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Piece<'a> {
    pub(crate) index: Option<u64>,
    /// It goes on with the call of its index, and is nobody's where there is none.
    pub(crate) continues: bool,
    pub(crate) id: Option<Cow<'a, str>>,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) arguments: PieceArguments<'a>,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) enum PieceArguments<'a> {
    #[default]
    None,
    Text(Cow<'a, str>),
    /// Whole, as some servers send them.
    Object(Map<String, Value>),
}

impl PieceArguments<'_> {
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Text(text) => text.len(),
            Self::Object(object) => serde_json::to_string(object).map_or(0, |text| text.len()),
        }
    }
}

impl Piece<'_> {
    pub(crate) fn brings_arguments(&self) -> bool {
        !matches!(self.arguments, PieceArguments::None)
    }
}
