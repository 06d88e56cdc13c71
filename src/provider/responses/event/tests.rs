//! The corpus of answers, split in every way.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::decoder::{Decoded, Decoder};
use crate::failure::{Kind, ProviderError};
use crate::responses::FORMAT;
use benchdog_domain::budget::Usage;
use benchdog_domain::message::Delta;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sse_responses/");

static CASES: LazyLock<Vec<(Value, Vec<u8>)>> = LazyLock::new(|| {
    let index: Value = serde_json::from_slice(&std::fs::read(format!("{FOLDER}index.json")).unwrap()).unwrap();
    let cases = index["cases"].as_array().unwrap();
    let body = |case: &Value| std::fs::read(format!("{FOLDER}{}", case["file"].as_str().unwrap())).unwrap();
    cases.iter().map(|case| (case.clone(), body(case))).collect()
});

fn body(id: &str) -> &'static [u8] {
    let (_, body) = CASES.iter().find(|(case, _)| case["id"] == id).unwrap();
    body
}

/// Reads `pieces` and checks that the deltas equal the result.
fn decode<'a>(status: u16, pieces: impl IntoIterator<Item = &'a [u8]>) -> Decoded {
    let mut decoder = Decoder::new(FORMAT, status);
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

fn seen(decoded: &Decoded) -> Value {
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

fn same_error(name: &str, error: Option<&ProviderError>, wanted: &Value) {
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

#[test]
fn every_answer_of_the_corpus_is_understood_however_it_is_cut() {
    assert!(CASES.len() >= 30, "only {} cases", CASES.len());
    let mut chance = fastrand::Rng::with_seed(7);
    for (case, body) in &*CASES {
        let name = case["id"].as_str().unwrap();
        let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
        let mut wanted = case["expected"].clone();
        let error = wanted.as_object_mut().unwrap().shift_remove("error").unwrap();
        let whole = decode(status, [body.as_slice()]);
        assert_eq!(seen(&whole), wanted, "{name}");
        same_error(name, whole.error.as_ref(), &error);
        assert_eq!(decode(status, body.chunks(1)), whole, "{name}, byte by byte");
        for _ in 0..20 {
            let mut rest = body.as_slice();
            let mut pieces = Vec::new();
            while !rest.is_empty() {
                let (piece, more) = rest.split_at(chance.usize(1..=rest.len().min(400)));
                pieces.push(piece);
                rest = more;
            }
            assert_eq!(decode(status, pieces), whole, "{name}");
        }
    }
}

#[test]
fn an_answer_that_ends_too_soon_is_never_whole_and_calls_nothing() {
    let streams = CASES
        .iter()
        .filter(|(case, _)| case["status"] == 200 && case["id"] != "whole");
    for (case, body) in streams {
        let text = std::str::from_utf8(body).unwrap();
        // The last event ends the answer.
        let last = ["response.completed", "response.incomplete", "response.failed"]
            .iter()
            .find_map(|name| text.find(&format!("\"type\":\"{name}\"")));
        let Some(last) = last else { continue };
        for end in 1..last {
            let cut = decode(200, [&body[..end]]);
            assert!(!cut.complete && cut.calls.is_empty(), "{} at {end}", case["id"]);
        }
    }
}

#[test]
fn the_cache_is_told_apart_from_the_rest_of_the_prompt_and_zero_means_unknown() {
    let cached = |id: &str| decode(200, [body(id)]).usage.unwrap().cached;
    assert_eq!(cached("thought_and_call"), Some(2000));
    assert_eq!(cached("ollama_call"), None);
}

#[test]
fn the_calls_keep_the_ids_of_the_server() {
    let ids = |id: &str| -> Vec<String> {
        decode(200, [body(id)])
            .calls
            .into_iter()
            .map(|call| call.id.0)
            .collect()
    };
    assert_eq!(ids("calls_in_parallel"), ["c1", "c2"]);
    assert_eq!(ids("llamacpp_no_indices"), ["fc_a", "fc_b"]);
}

#[test]
fn refused_encrypted_reasoning_is_a_reason_to_send_none() {
    let refused = decode(400, [body("e400_encrypted")]).error.unwrap();
    assert_eq!(refused.kind, Kind::ReasoningRefused);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    /// A damaged body never panics, and gives the same result however it is split.
    #[test]
    fn a_damaged_answer_is_judged_the_same_in_every_cut(
        which in proptest::prelude::any::<proptest::sample::Index>(),
        damage in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), proptest::prelude::any::<u8>()), 0..4),
        size in 1_usize..40,
    ) {
        let (case, mut body) = which.get(&CASES).clone();
        for (at, byte) in damage {
            let at = at.index(body.len());
            body[at] = byte;
        }
        let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
        let whole = decode(status, [body.as_slice()]);
        proptest::prop_assert_eq!(&decode(status, body.chunks(size)), &whole);
        proptest::prop_assert!(whole.complete == whole.error.is_none());
        proptest::prop_assert!(whole.complete || whole.calls.is_empty());
    }
}
