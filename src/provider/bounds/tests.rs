use serde_json::{Value, json};

use super::Bound;
use crate::decoder::{Decoded, Decoder};
use crate::failure::Kind;
use crate::{anthropic, ollama, openai};

const MIB: usize = 1 << 20;

/// Pushes chunks until the answer ends. Returns the decoder's result, and the number of chunks used.
fn read(mut decoder: Decoder, pieces: impl Iterator<Item = String>) -> (Decoded, usize) {
    let mut taken = 0;
    for piece in pieces {
        decoder.push(piece.as_bytes());
        taken += 1;
        if decoder.is_over() {
            break;
        }
    }
    (decoder.finish(), taken)
}

#[track_caller]
fn assert_cut(bound: Bound, (decoded, taken): (Decoded, usize), pieces: usize) {
    let error = decoded.error.expect("an error");
    assert_eq!(
        (error.kind, error.message),
        (Kind::Oversized, bound.what()),
        "{bound:?}"
    );
    assert!(decoded.calls.is_empty() && taken <= pieces, "{bound:?}: {taken} pieces");
}

fn event(delta: &Value) -> String {
    format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta}]}))
}

#[test]
fn an_answer_without_end_is_cut_at_its_bound_and_keeps_what_it_held() {
    let much = "x".repeat(MIB);
    let piece = |arguments: &str, index: usize| json!({"tool_calls": [{"index": index, "id": format!("c{index}"), "function": {"name": "read", "arguments": arguments}}]});
    let endless = |delta: Value| std::iter::repeat_n(event(&delta), 100);
    let openai = || Decoder::new(openai::FORMAT, 200);
    let text = read(openai(), endless(json!({"content": much})));
    assert_eq!(text.0.text.len(), 3 * MIB);
    assert_cut(Bound::Text, text, 3);
    assert_cut(
        Bound::Thoughts,
        read(openai(), endless(json!({"reasoning_content": much}))),
        3,
    );
    assert_cut(Bound::Arguments, read(openai(), endless(piece(&much, 0))), 9);
    let calls = (0..2000).map(|index| event(&piece("{}", index)));
    assert_cut(Bound::Calls, read(openai(), calls), 1001);
}

#[test]
fn a_line_without_end_is_left_and_the_text_before_it_kept() {
    let much = "x".repeat(MIB);
    let first = |said: &str| std::iter::once(said.to_owned());
    let endless = || std::iter::repeat_n(much.clone(), 100);
    let said = event(&json!({"content": "Before."}));
    let cut = read(
        Decoder::new(openai::FORMAT, 200),
        first(&said).chain(first("data: {\"a\": \"")).chain(endless()),
    );
    assert_eq!(cut.0.text, "Before.");
    assert_cut(Bound::Line, cut, 19);
    let joined = std::iter::repeat_n(format!("data: {{\"a\": \"{much}\n"), 1)
        .chain(std::iter::repeat_n(format!("data: {much}\n"), 100));
    let (decoded, taken) = read(Decoder::new(openai::FORMAT, 200), joined);
    assert!(decoded.error.is_some() && taken <= 19, "{taken}");
    let line = first("{\"message\": {\"content\": \"").chain(endless());
    assert_cut(Bound::Line, read(Decoder::new(ollama::FORMAT, 200), line), 19);
    assert_cut(
        Bound::Line,
        read(
            Decoder::new(anthropic::FORMAT, 200),
            first("data: {\"a\": \"").chain(endless()),
        ),
        19,
    );
    assert_cut(
        Bound::Line,
        read(
            Decoder::new(openai::FORMAT, 200),
            std::iter::repeat_n(" ".repeat(MIB), 100),
        ),
        17,
    );
}

#[test]
fn a_document_without_end_is_left_and_a_refusal_read_as_far_as_it_says_something() {
    let much = "x".repeat(MIB);
    let document = |status| {
        let body = std::iter::once("{\"error\": {\"message\": \"no such model".to_owned());
        read(
            Decoder::new(openai::FORMAT, status),
            body.chain(std::iter::repeat_n(much.clone(), 100)),
        )
    };
    assert_cut(Bound::Document, document(200), 34);
    let (decoded, taken) = document(404);
    assert_eq!(decoded.error.expect("an error").status, Some(404));
    assert_eq!(taken, 2);
}
