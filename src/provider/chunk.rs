//! Parsed payload of an answer, common to all APIs.

use std::borrow::Cow;

use serde_json::{Map, Value};

use benchdog_domain::budget::Usage;
use benchdog_domain::message::{Sealed, ThoughtField};

#[derive(Debug, Default, PartialEq)]
pub struct Chunk<'a> {
    pub text: Cow<'a, str>,
    pub reasoning: Cow<'a, str>,
    /// Field of the reasoning, if the API has several.
    pub field: Option<ThoughtField>,
    /// Signature at the end of the reasoning, or an opaque block of reasoning.
    pub sealed: Option<Sealed>,
    pub calls: Vec<Piece<'a>>,
    pub finish: Option<Cow<'a, str>>,
    pub usage: Option<Usage>,
    pub error: Option<Value>,
    pub whole: bool,
    /// The chunk repeats the answer. Only kinds of parts that are still missing are used.
    pub repeats: bool,
    /// Number of processed prompt tokens, and of all prompt tokens.
    pub read: Option<(u64, u64)>,
    pub done: bool,
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

/// A part of a tool call. Empty strings are `None`.
#[derive(Debug, Default, PartialEq)]
pub struct Piece<'a> {
    pub index: Option<u64>,
    /// The chunk continues the call with its index. It is ignored if there is no such call.
    pub continues: bool,
    pub id: Option<Cow<'a, str>>,
    pub name: Option<Cow<'a, str>>,
    pub arguments: PieceArguments<'a>,
}

#[derive(Debug, Default, PartialEq)]
pub enum PieceArguments<'a> {
    #[default]
    None,
    Text(Cow<'a, str>),
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
