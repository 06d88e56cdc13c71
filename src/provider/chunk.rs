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
    /// Ends the reasoning with this signature, or is an opaque block.
    pub sealed: Option<Sealed>,
    pub calls: Vec<Piece<'a>>,
    pub finish: Option<Cow<'a, str>>,
    pub usage: Option<Usage>,
    pub error: Option<Value>,
    pub whole: bool,
    /// Repeats the answer. Only kinds of parts that have not arrived count.
    pub repeats: bool,
    /// Processed tokens of the prompt, and all of them.
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

/// Empty strings are `None`.
#[derive(Debug, Default, PartialEq)]
pub struct Piece<'a> {
    pub index: Option<u64>,
    /// Continues the call with its index. Ignored if there is none.
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
