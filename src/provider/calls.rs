//! Assembles tool calls from chunks. Servers use indices and ids differently.
//!
//! A chunk belongs to the call with the same id, or else the same index. A chunk with a name usually starts a new call.
//! Any other chunk continues the last call.

use serde_json::{Map, Value};

use super::chunk::{Piece, PieceArguments};
use benchdog_base::id::CallId;
use benchdog_base::token;
use benchdog_domain::message::{Arguments, ToolCall};

const LONGEST_NAME: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Calls {
    begun: Vec<PartialCall>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct PartialCall {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// Offsets in `arguments`: the start of the newest chunk, and the end of the first chunk.
    newest: usize,
    first: usize,
    object: Option<Map<String, Value>>,
}

impl Calls {
    pub(crate) fn is_empty(&self) -> bool {
        self.begun.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.begun.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn add(&mut self, pieces: Vec<Piece<'_>>) {
        let before = self.begun.len();
        for piece in pieces {
            if piece.continues && !self.begun.iter().any(|call| call.index == piece.index) {
                continue;
            }
            self.bytes += piece.arguments.bytes();
            let at = self.place(&piece, before);
            let call = match at {
                Some(at) => self.begun.get_mut(at),
                None => {
                    self.begun.push(PartialCall {
                        index: piece.index,
                        ..PartialCall::default()
                    });
                    self.begun.last_mut()
                }
            };
            if let Some(call) = call {
                call.take(piece);
            }
        }
    }

    /// Returns the position of the call that the piece continues. `None` if the piece starts a new call. Calls at
    /// position `before` and later were started by the same chunk.
    fn place(&self, piece: &Piece<'_>, before: usize) -> Option<usize> {
        if let Some(id) = piece.id.as_deref() {
            let known = self
                .begun
                .iter()
                .rposition(|call| call.id == id && (piece.index.is_none() || call.index == piece.index));
            if let Some(call) = known.and_then(|at| self.begun.get(at)) {
                // Some servers give all calls of an answer the same id and no index. If the call with this id is
                // complete, a name with arguments starts another call.
                let another =
                    piece.index.is_none() && call.is_whole() && piece.name.is_some() && piece.brings_arguments();
                return if another { None } else { known };
            }
        }
        let indexed = piece
            .index
            .and_then(|index| self.begun.iter().rposition(|call| call.index == Some(index)));
        let at = match indexed {
            Some(at) => at,
            None if piece.index.is_some() && piece.name.is_some() => return None,
            None => self.begun.len().checked_sub(1)?,
        };
        let call = self.begun.get(at)?;
        let Some(name) = piece.name.as_deref() else {
            // A piece without a name continues a call even if its id is new. Some servers give each chunk a new id.
            return Some(at);
        };
        if piece.id.is_some() && !call.id.is_empty() {
            return None;
        }
        let same_chunk = at >= before && piece.index.is_none();
        let starts = call.is_whole() || same_chunk || (piece.index.is_none() && call.name != name);
        (!starts).then_some(at)
    }

    pub(crate) fn finish(self) -> Vec<ToolCall> {
        let mut calls: Vec<ToolCall> = Vec::with_capacity(self.begun.len());
        for building in self.begun {
            if building.name.is_empty() && building.arguments.trim().is_empty() && building.object.is_none() {
                continue;
            }
            let taken = calls.iter().any(|call| call.id.0 == building.id);
            calls.push(ToolCall {
                id: CallId(if taken { String::new() } else { building.id.clone() }),
                name: token::text_before(&building.name).to_owned(),
                arguments: building.arguments(),
            });
        }
        calls
    }
}

impl PartialCall {
    fn take(&mut self, piece: Piece<'_>) {
        if let Some(id) = piece.id
            && self.id.is_empty()
        {
            self.id = id.into_owned();
        }
        if let Some(name) = piece.name
            && self.name != name
            && (self.arguments.is_empty() || self.name.is_empty())
        {
            // A name may arrive in several chunks. Some servers repeat the complete name in each chunk.
            self.name.push_str(&name);
            self.name.truncate(self.name.floor_char_boundary(LONGEST_NAME));
        }
        match piece.arguments {
            PieceArguments::None => {}
            PieceArguments::Text(text) => {
                self.newest = self.arguments.len();
                self.arguments.push_str(&text);
                if self.first == 0 {
                    self.first = text.len();
                }
            }
            PieceArguments::Object(object) => self.object = Some(object),
        }
    }

    fn is_whole(&self) -> bool {
        self.object.is_some() || serde_json::from_str::<Map<String, Value>>(&self.arguments).is_ok()
    }

    fn arguments(self) -> Arguments {
        match self.object {
            // Some streams start a call with an empty object as a placeholder, and send the arguments later.
            Some(object) if !object.is_empty() || self.arguments.trim().is_empty() => Arguments::Object(object),
            _ => match self.last_repetition() {
                Some(object) => Arguments::Object(object),
                None => parse_arguments(self.arguments),
            },
        }
    }

    /// Returns the newest chunk if it starts with the first one. Some servers send all arguments so far in each chunk.
    fn last_repetition(&self) -> Option<Map<String, Value>> {
        let newest = self.arguments.get(self.newest..)?;
        let repeats = self.newest > 0 && newest.starts_with(self.arguments.get(..self.first)?);
        repeats.then(|| serde_json::from_str(newest).ok()).flatten()
    }
}

/// Parses arguments: an object, an object inside a string, or nothing. Several objects are accepted only if the
/// non-empty ones are equal.
fn parse_arguments(text: String) -> Arguments {
    if text.trim().is_empty() {
        return Arguments::Object(Map::new());
    }
    let mut found: Option<Map<String, Value>> = None;
    for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
        let object = match value {
            Ok(Value::Object(object)) => object,
            Ok(Value::Null) => Map::new(),
            // PHP encodes an empty object as an empty array.
            Ok(Value::Array(items)) if items.is_empty() => Map::new(),
            Ok(Value::String(inner)) => match serde_json::from_str(&inner) {
                Ok(object) => object,
                Err(_) if inner.trim().is_empty() => Map::new(),
                Err(_) => return Arguments::Raw(text),
            },
            _ => return Arguments::Raw(text),
        };
        match &found {
            Some(earlier) if !earlier.is_empty() && !object.is_empty() && *earlier != object => {
                return Arguments::Raw(text);
            }
            Some(earlier) if !earlier.is_empty() => {}
            _ => found = Some(object),
        }
    }
    found.map_or(Arguments::Raw(text), Arguments::Object)
}

#[cfg(test)]
mod tests;
