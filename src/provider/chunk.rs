//! The parsed form of an answer's payload, common to all APIs.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::domain::budget::Usage;
use crate::domain::message::{Sealed, ThoughtField};

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Chunk<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) reasoning: Cow<'a, str>,
    /// The field of the reasoning, if the API has several.
    pub(crate) field: Option<ThoughtField>,
    /// Ends the reasoning with this signature, or is an opaque block.
    pub(crate) sealed: Option<Sealed>,
    pub(crate) calls: Vec<Piece<'a>>,
    /// Never empty.
    pub(crate) finish: Option<Cow<'a, str>>,
    pub(crate) usage: Option<Usage>,
    /// The `error` value, with the fields next to it.
    pub(crate) error: Option<Value>,
    pub(crate) whole: bool,
    /// Processed tokens of the prompt, and all of them.
    pub(crate) read: Option<(u64, u64)>,
    /// The server announced the end.
    pub(crate) done: bool,
}

impl Chunk<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        let said =
            !self.text.is_empty() || !self.reasoning.is_empty() || self.sealed.is_some() || !self.calls.is_empty();
        let counted = self.usage.is_some() || self.read.is_some();
        let ended = self.finish.is_some() || self.error.is_some() || self.done;
        !(said || counted || ended || self.whole)
    }
}

/// A chunk of a tool call. Empty strings are `None`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Piece<'a> {
    pub(crate) index: Option<u64>,
    /// Continues the call with its index. Ignored if there is none.
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
    /// Complete, as some servers send it.
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
