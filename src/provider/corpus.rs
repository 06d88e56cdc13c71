//! Recorded answers of one API for tests. The tests decode each answer in pieces of different sizes and compare the
//! results with the expected one.

use std::fs;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::decoder::{Decoded, Decoder, Format};
use super::failure::{Kind, ProviderError};
use benchdog_domain::budget::Usage;
use benchdog_domain::message::Delta;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/");

pub(crate) struct Corpus {
    format: Format,
    pub(crate) cases: Vec<(Value, Vec<u8>)>,
}

impl Corpus {
    pub(crate) fn load(name: &str, format: Format) -> Self {
        let folder = format!("{FOLDER}{name}/");
        let index: Value = serde_json::from_slice(&fs::read(format!("{folder}index.json")).unwrap()).unwrap();
        let body = |case: &Value| fs::read(format!("{folder}{}", case["file"].as_str().unwrap())).unwrap();
        let cases = index["cases"].as_array().unwrap().iter();
        Self {
            format,
            cases: cases.map(|case| (case.clone(), body(case))).collect(),
        }
    }

    pub(crate) fn decode_case(&self, id: &str) -> Decoded {
        let (case, body) = self.cases.iter().find(|(case, _)| case["id"] == id).unwrap();
        self.decode(status(case), [body.as_slice()])
    }

    /// Decodes the pieces, and checks that the result begins with the text of the deltas.
    pub(crate) fn decode<'a>(&self, status: u16, pieces: impl IntoIterator<Item = &'a [u8]>) -> Decoded {
        let mut decoder = Decoder::new(self.format, status);
        let (mut text, mut reasoning) = (String::new(), String::new());
        for piece in pieces {
            for delta in decoder.push(piece) {
                match delta {
                    Delta::Text(more) => text.push_str(&more),
                    Delta::Reasoning(more) => reasoning.push_str(&more),
                }
            }
        }
        let decoded = decoder.finish();
        assert!(decoded.text.starts_with(&text), "{text:?}, {:?}", decoded.text);
        assert!(decoded.reasoning.starts_with(&reasoning));
        decoded
    }

    /// Checks that each answer gives the expected result, regardless of whether it arrives at once, byte by byte, or in
    /// random pieces.
    pub(crate) fn check_all(&self) {
        let mut chance = fastrand::Rng::with_seed(7);
        for (case, body) in &self.cases {
            let (name, status) = (case["id"].as_str().unwrap(), status(case));
            let mut wanted = case["expected"].clone();
            let error = wanted.as_object_mut().unwrap().shift_remove("error").unwrap();
            let whole = self.decode(status, [body.as_slice()]);
            assert_eq!(summary(&whole), wanted, "{name}");
            same_error(name, whole.error.as_ref(), &error);
            assert_eq!(self.decode(status, body.chunks(1)), whole, "{name}, byte by byte");
            for _ in 0..20 {
                let mut rest = body.as_slice();
                let mut pieces = Vec::new();
                while !rest.is_empty() {
                    let (piece, more) = rest.split_at(chance.usize(1..=rest.len().min(400)));
                    pieces.push(piece);
                    rest = more;
                }
                assert_eq!(self.decode(status, pieces), whole, "{name}");
            }
        }
    }

    /// Checks that a truncated answer is incomplete and has no calls. `end` returns the position after which an answer
    /// counts as complete.
    pub(crate) fn check_cuts(&self, end: impl Fn(&str) -> Option<usize>, steps: usize) {
        for (case, body) in self.cases.iter().filter(|(case, _)| case["status"] == 200) {
            let Some(whole) = end(std::str::from_utf8(body).unwrap()) else {
                continue;
            };
            for end in (1..whole).step_by(whole / steps + 1) {
                let cut = self.decode(200, [&body[..end]]);
                assert!(!cut.complete && cut.calls.is_empty(), "{} at {end}", case["id"]);
            }
        }
    }

    /// Checks that a damaged answer causes no panic, and gives the same result for every piece size.
    pub(crate) fn check_damage(
        &self,
        which: Index,
        damage: Vec<(Index, u8)>,
        size: usize,
    ) -> Result<(), TestCaseError> {
        let (case, mut body) = which.get(&self.cases).clone();
        for (at, byte) in damage {
            let at = at.index(body.len());
            body[at] = byte;
        }
        let whole = self.decode(status(&case), [body.as_slice()]);
        prop_assert_eq!(&self.decode(status(&case), body.chunks(size)), &whole);
        prop_assert!(whole.complete == whole.error.is_none());
        prop_assert!(whole.complete || whole.calls.is_empty());
        Ok(())
    }
}

fn status(case: &Value) -> u16 {
    u16::try_from(case["status"].as_u64().unwrap()).unwrap()
}

fn summary(decoded: &Decoded) -> Value {
    let calls = decoded.calls.iter();
    json!({
        "text": decoded.text,
        "reasoning": decoded.reasoning,
        "tool_calls": calls.map(|call| json!({"name": call.name, "arguments": call.arguments})).collect::<Vec<_>>(),
        "finish_reason": decoded.finish,
        "usage": decoded.usage.map(|usage| Usage { cached: None, ..usage }),
        "complete": decoded.complete,
        "seals": decoded.seals.iter().filter(|seal| seal.is_closed()).collect::<Vec<_>>(),
    })
}

/// Compares an error with the expected code, text part and limit. If `wanted` is `null`, an error fails the test.
pub(crate) fn same_error(name: &str, error: Option<&ProviderError>, wanted: &Value) {
    let (Some(error), false) = (error, wanted.is_null()) else {
        assert!(
            error.is_none() && wanted.is_null(),
            "{name}: {error:?}, wanted {wanted}"
        );
        return;
    };
    assert_eq!(error.code(), wanted["kind"].as_str().unwrap(), "{name}");
    let message = wanted["message_contains"].as_str().unwrap();
    assert!(error.to_string().contains(message), "{name}: {error}");
    if let Some(limit) = wanted["limit"].as_u64() {
        assert_eq!(error.kind, Kind::ContextOverflow { limit: Some(limit) }, "{name}");
    }
}
