//! A parsed part of an answer, in one form for all APIs.

use std::borrow::Cow;

use serde_json::{Map, Value};

use benchdog_domain::budget::Usage;
use benchdog_domain::message::{Sealed, ThoughtField};

#[derive(Debug, Default, PartialEq)]
pub struct Chunk<'a> {
    pub text: Cow<'a, str>,
    pub reasoning: Cow<'a, str>,
    /// The API's field that contained the reasoning. `None` for APIs with only one such field.
    pub field: Option<ThoughtField>,
    /// Signature of the reasoning so far, or a block of encrypted reasoning.
    pub sealed: Option<Sealed>,
    pub calls: Vec<Piece<'a>>,
    pub finish: Option<Cow<'a, str>>,
    pub usage: Option<Usage>,
    pub error: Option<Value>,
    pub whole: bool,
    /// Whether the chunk repeats the answer. A repeating chunk adds only kinds of parts that are still missing.
    pub repeats: bool,
    /// Number of prompt tokens processed so far, and the total.
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
    /// Whether the piece can only continue the call with the same index. If that call does not exist, the piece is
    /// ignored.
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
