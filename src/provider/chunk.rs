//! Parsed part of an answer, in one form for all APIs.

use std::borrow::Cow;

use serde_json::{Map, Value};

use benchdog_domain::budget::Usage;
use benchdog_domain::message::{Sealed, ThoughtField};

#[derive(Debug, Default, PartialEq)]
pub struct Chunk<'a> {
    pub text: Cow<'a, str>,
    pub reasoning: Cow<'a, str>,
    /// Name of the field that contained the reasoning, for APIs that have several.
    pub field: Option<ThoughtField>,
    /// Signature of the reasoning so far, or a block of unreadable reasoning.
    pub sealed: Option<Sealed>,
    pub calls: Vec<Piece<'a>>,
    pub finish: Option<Cow<'a, str>>,
    pub usage: Option<Usage>,
    pub error: Option<Value>,
    pub whole: bool,
    /// Whether the chunk repeats the answer. Of such a chunk, only the kinds of parts that have not arrived before are
    /// used.
    pub repeats: bool,
    /// Number of prompt tokens processed so far, and number of all prompt tokens.
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

/// A part of a tool call. An empty id or name is stored as `None`.
#[derive(Debug, Default, PartialEq)]
pub struct Piece<'a> {
    pub index: Option<u64>,
    /// Whether the piece only continues the call with the same index. It is ignored if there is no such call.
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
