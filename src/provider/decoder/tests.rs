use serde_json::{Value, json};

use super::{Decoded, Decoder};
use crate::corpus::same_error;
use crate::failure::Kind;
use crate::openai;
use benchdog_domain::budget::Usage;
use benchdog_domain::message::{Arguments, Delta};

fn seen(decoded: &Decoded) -> Value {
    json!({
        "text": decoded.text,
        "reasoning": decoded.reasoning,
        "tool_calls": decoded.calls.iter().map(|call| json!({"name": call.name, "arguments": call.arguments})).collect::<Vec<_>>(),
        "finish_reason": decoded.finish,
        "usage": decoded.usage.map(|usage| Usage { cached: None, ..usage }),
        "complete": decoded.complete,
    })
}

/// Decodes `pieces`, and checks that the combined deltas equal the result.
fn decode(status: u16, pieces: &[&[u8]]) -> Decoded {
    let mut decoder = Decoder::new(openai::FORMAT, status);
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
    // Text before a closing reasoning tag arrives as text first and is moved to the reasoning later. Compare only the
    // combination of both.
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let was_thought = bare(&format!("{}{}", decoded.reasoning, decoded.text)).starts_with(&bare(&text));
    assert!(
        decoded.text.starts_with(&text) || was_thought,
        "deltas {text:?}, answer {:?}",
        decoded.text
    );
    assert!(decoded.reasoning.starts_with(&reasoning));
    decoded
}

fn of_events(events: &[Value]) -> Decoded {
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    decode(200, &[body.as_bytes()])
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn arguments(decoded: &Decoded) -> Vec<Value> {
    decoded
        .calls
        .iter()
        .map(|call| json!([call.name, call.arguments]))
        .collect()
}

fn kind(decoded: &Decoded) -> Kind {
    decoded.error.as_ref().expect("an error").kind
}

/// Splits a body in several ways: not at all, at its marks, into equal pieces, byte by byte.
fn cuts<'a>(body: &'a [u8], marks: &[usize]) -> Vec<Vec<&'a [u8]>> {
    let mut at_marks = Vec::new();
    let mut from = 0;
    for mark in marks.iter().copied().chain([body.len()]) {
        at_marks.push(body.get(from..mark).expect("a mark inside the body"));
        from = mark;
    }
    let mut all = vec![vec![body], at_marks];
    all.extend([1, 3, 7, 64].map(|size| body.chunks(size).collect()));
    all
}

#[test]
fn every_case_of_the_stream_corpus_is_understood_however_it_is_cut() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sse/");
    let index: Value = serde_json::from_slice(&std::fs::read(format!("{folder}index.json")).unwrap()).unwrap();
    let cases = index["cases"].as_array().unwrap();
    assert!(cases.len() >= 45, "only {} cases", cases.len());
    for case in cases {
        let name = case["id"].as_str().unwrap();
        let body = std::fs::read(format!("{folder}{}", case["file"].as_str().unwrap())).unwrap();
        let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
        let marks: Vec<usize> = case["split_at"]
            .as_array()
            .unwrap()
            .iter()
            .map(|at| usize::try_from(at.as_u64().unwrap()).unwrap())
            .collect();
        let mut wanted = case["expected"].clone();
        let error = wanted.as_object_mut().unwrap().shift_remove("error").unwrap();
        for (way, pieces) in cuts(&body, &marks).iter().enumerate() {
            let decoded = decode(status, pieces);
            assert_eq!(seen(&decoded), wanted, "{name}, cut {way}");
            same_error(name, decoded.error.as_ref(), &error);
        }
    }
}

#[test]
fn neighbouring_pieces_of_one_read_are_one_delta() {
    let body: String = ["a", "b", "c"]
        .map(|text| format!("data: {}\n\n", delta(json!({"content": text}))))
        .concat();
    let mut decoder = Decoder::new(openai::FORMAT, 200);
    assert_eq!(decoder.push(body.as_bytes()), [Delta::Text("abc".to_owned())]);
}

#[test]
fn text_is_handed_on_before_the_blank_line() {
    let mut decoder = Decoder::new(openai::FORMAT, 200);
    let line = format!("data: {}\n", delta(json!({"content": "now"})));
    assert_eq!(decoder.push(line.as_bytes()), [Delta::Text("now".to_owned())]);
}

#[test]
fn a_think_span_in_the_content_is_reasoning() {
    let decoded = of_events(&[
        delta(json!({"content": "<thi"})),
        delta(json!({"content": "nk>hm</th"})),
        delta(json!({"content": "ink>\n\nok"})),
        finish("stop"),
    ]);
    assert_eq!((decoded.reasoning.as_str(), decoded.text.as_str()), ("hm", "ok"));
}

#[test]
fn how_far_a_llama_cpp_server_has_read_is_told_once() {
    let mut decoder = Decoder::new(openai::FORMAT, 200);
    let progress = json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": null}}],
        "prompt_progress": {"total": 9120, "cache": 16, "processed": 2048, "time_ms": 283}});
    decoder.push(format!("data: {progress}\n\n").as_bytes());
    assert_eq!(decoder.prompt_read(), Some((2048, 9120)));
    assert_eq!(decoder.prompt_read(), None);
}

#[test]
fn a_call_cut_by_the_length_limit_does_not_run_and_is_named() {
    let decoded = of_events(&[
        delta(json!({"content": "I write."})),
        delta(
            json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "write", "arguments": "{\"path\": \"x\", \"cont"}}]}),
        ),
        finish("length"),
    ]);
    assert!(decoded.calls.is_empty() && !decoded.complete);
    assert_eq!(
        (decoded.text.as_str(), decoded.finish.as_deref()),
        ("I write.", Some("length"))
    );
    assert_eq!(kind(&decoded), Kind::CallCut);
    assert_eq!(
        decoded.error.unwrap().with_endpoint("http://h/v1").to_string(),
        "The answer of `http://h/v1` was stopped inside a call of `write`, which was not run: the finish reason is `length`."
    );
}

#[test]
fn text_that_ends_at_the_length_limit_is_an_answer() {
    let decoded = of_events(&[delta(json!({"content": "half a sen"})), finish("length")]);
    assert!(decoded.complete && decoded.error.is_none());
}

#[test]
fn a_stream_without_any_end_keeps_its_text_and_runs_no_call() {
    let decoded = of_events(&[
        delta(json!({"content": "I look."})),
        delta(
            json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "read", "arguments": "{\"path\": \"x\"}"}}]}),
        ),
    ]);
    assert_eq!(decoded.text, "I look.");
    assert!(decoded.calls.is_empty());
    assert_eq!(kind(&decoded), Kind::StreamEndedEarly);
}

#[test]
fn a_stream_cut_inside_a_payload_ended_early() {
    let decoded = decode(
        200,
        &[b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"del"],
    );
    assert_eq!((decoded.text.as_str(), kind(&decoded)), ("a", Kind::StreamEndedEarly));
    assert_eq!(kind(&decode(200, &[])), Kind::NothingArrived);
    assert_eq!(kind(&decode(200, &[b": keep-alive\n\n"])), Kind::NothingArrived);
}

#[test]
fn done_without_a_finish_reason_ends_an_answer_with_whole_calls_only() {
    let call = |text: &str| {
        delta(json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "read", "arguments": text}}]}))
    };
    let with_done = |event: Value| decode(200, &[format!("data: {event}\n\ndata: [DONE]\n\n").as_bytes()]);
    assert!(with_done(delta(json!({"content": "hi"}))).complete);
    assert_eq!(with_done(call("{\"path\":\"x\"}")).calls.len(), 1);
    assert!(with_done(call("{\"path\":")).calls.is_empty());
}

#[test]
fn an_unreadable_payload_is_said_and_nothing_after_it_counts() {
    let body = format!(
        "data: {}\n\ndata: {{\"choices\": [}}\n\ndata: {}\n\ndata: {}\n\n",
        delta(json!({"content": "a"})),
        delta(json!({"content": "b"})),
        finish("stop")
    );
    let decoded = decode(200, &[body.as_bytes()]);
    assert_eq!((decoded.text.as_str(), kind(&decoded)), ("a", Kind::Garbage));
    let plain = decode(200, &[b"data: \x00\xff\xfe garbage\n\n"]);
    assert_eq!(kind(&plain), Kind::Garbage);
}

#[test]
fn json_over_several_data_lines_is_one_payload_and_lines_without_blanks_are_several() {
    let spread =
        b"data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"a\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n";
    assert_eq!(decode(200, &[spread]).text, "a");
    let close = format!(
        "data: {}\ndata: {}\ndata: {}\n",
        delta(json!({"content": "a"})),
        delta(json!({"content": "b"})),
        finish("stop")
    );
    let decoded = decode(200, &[close.as_bytes()]);
    assert!(decoded.complete);
    assert_eq!(decoded.text, "ab");
}

#[test]
fn an_error_event_is_an_error_whatever_its_payload() {
    let named = decode(
        200,
        &[b"event: error\ndata: {\"error\":{\"message\":\"Model unloaded\"}}\n\n"],
    );
    assert_eq!(named.error.unwrap().message, "Model unloaded");
    let plain = decode(200, &[b"event: error\ndata: boom\n\n"]);
    assert_eq!(plain.error.unwrap().message, "boom");
    let old = decode(
        200,
        &[b"error: {\"code\":500,\"message\":\"slot lost\",\"type\":\"server_error\"}\n\n"],
    );
    assert_eq!(old.error.unwrap().message, "slot lost");
}

#[test]
fn an_overflow_inside_the_stream_is_an_overflow() {
    let error = json!({"error": {"message": "This model's maximum context length is 4096 tokens.", "type": "BadRequestError", "code": 400}});
    assert_eq!(kind(&of_events(&[error])), Kind::ContextOverflow { limit: Some(4096) });
}

#[test]
fn a_plain_error_with_status_200_is_an_error() {
    let decoded = decode(200, &[b"{\"error\":{\"message\":\"no slot\",\"code\":503}}"]);
    assert!(matches!(kind(&decoded), Kind::Unavailable { .. }));
    let flat = decode(
        200,
        &[b"{\"object\":\"error\",\"message\":\"no such thing\",\"code\":400}"],
    );
    assert_eq!(kind(&flat), Kind::BadRequest);
    assert_eq!(kind(&decode(200, &[b"{\"status\":\"ok\"}"])), Kind::NotAnApi);
    assert_eq!(kind(&decode(200, &[b"Hello from my server\n"])), Kind::NotAnApi);
}

#[test]
fn one_object_a_line_is_read_like_a_stream() {
    let body = format!(
        "{}\n{}\n{}\n",
        delta(json!({"content": "a"})),
        delta(json!({"content": "b"})),
        finish("stop")
    );
    let decoded = decode(200, &[body.as_bytes()]);
    assert_eq!((decoded.text.as_str(), decoded.complete), ("ab", true));
}

#[test]
fn a_whole_answer_with_calls_is_read() {
    let body = json!({"object": "chat.completion", "choices": [{"message": {"content": null, "reasoning": "hm", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "bash", "arguments": {"command": "ls"}}},
        {"id": "b", "type": "function", "function": {"name": "bash", "arguments": "{\"command\":\"pwd\"}"}},
    ]}, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 3, "completion_tokens": 4}});
    let pretty = serde_json::to_string_pretty(&body).unwrap();
    let decoded = decode(200, &[pretty.as_bytes()]);
    assert_eq!(
        arguments(&decoded),
        [json!(["bash", {"command": "ls"}]), json!(["bash", {"command": "pwd"}])]
    );
    assert_eq!((decoded.reasoning.as_str(), decoded.usage.unwrap().total), ("hm", 7));
    let cut = pretty.as_bytes().get(..pretty.len() / 2).unwrap();
    assert_eq!(kind(&decode(200, &[cut])), Kind::StreamEndedEarly);
}

#[test]
fn a_message_repeated_whole_at_the_end_is_not_said_twice() {
    let decoded = of_events(&[
        delta(json!({"content": "one "})),
        delta(json!({"content": "two"})),
        json!({"choices": [{"message": {"role": "assistant", "content": "one two"}, "finish_reason": "stop"}]}),
    ]);
    assert_eq!(decoded.text, "one two");
}

#[test]
fn a_second_choice_is_not_mixed_in() {
    let decoded = of_events(&[
        json!({"choices": [{"index": 1, "delta": {"content": "B"}}]}),
        json!({"choices": [{"index": 0, "delta": {"content": "A"}}, {"index": 1, "delta": {"content": "B"}}]}),
        finish("stop"),
    ]);
    assert_eq!(decoded.text, "A");
}

#[test]
fn half_a_surrogate_pair_and_plain_control_characters_are_mended() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83eb\\\\ud83e\u{1}\t\\ud83e\\udd80\"},\"finish_reason\":\"stop\"}]}\n\n";
    assert_eq!(decode(200, &[body.as_bytes()]).text, "a\u{fffd}b\\ud83e\u{1}\t🦀");
}

#[test]
fn bytes_that_are_no_text_become_replacement_characters() {
    let body = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xffb\"},\"finish_reason\":\"stop\"}]}\n\n";
    assert_eq!(decode(200, &[body]).text, "a\u{fffd}b");
}

#[test]
fn usage_in_a_choice_and_under_other_names_counts() {
    let in_choice = json!({"choices": [{
        "delta": {"content": "x"}, "finish_reason": "stop", "usage": {"input_tokens": 2, "output_tokens": 1},
    }]});
    let decoded = of_events(&[in_choice]);
    assert_eq!(decoded.text, "x");
    assert_eq!(decoded.usage.unwrap().total, 3);
}

#[test]
fn unreadable_arguments_of_a_complete_answer_stay_as_they_were_written() {
    let decoded = of_events(&[
        delta(
            json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "bash", "arguments": "{\"command\": ls}"}}]}),
        ),
        finish("tool_calls"),
    ]);
    assert_eq!(
        decoded.calls[0].arguments,
        Arguments::Raw("{\"command\": ls}".to_owned())
    );
}

#[test]
fn the_usual_chunk_takes_the_short_way() {
    let payload = delta(json!({"role": "assistant", "content": "x\n"})).to_string();
    assert!(openai::plain(&payload).is_some());
    let payload = delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"x\""}}]})).to_string();
    assert!(openai::plain(&payload).is_some());
}

#[test]
fn nothing_counts_after_the_server_said_done() {
    let body = format!(
        "data: {}\n\ndata: [DONE]\n\ndata: {}\n\n",
        finish("stop"),
        delta(json!({"content": "late"}))
    );
    assert_eq!(decode(200, &[body.as_bytes()]).text, "");
}

fn bodies() -> Vec<(u16, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sse/");
    let index: Value = serde_json::from_slice(&std::fs::read(format!("{folder}index.json")).unwrap()).unwrap();
    let body = |case: &Value| {
        let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
        (
            status,
            std::fs::read(format!("{folder}{}", case["file"].as_str().unwrap())).unwrap(),
        )
    };
    index["cases"].as_array().unwrap().iter().map(body).collect()
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_damaged_body_is_judged_the_same_in_every_cut(
        which in 0_usize..46,
        damage in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), proptest::prelude::any::<u8>()), 0..4),
        length in proptest::prelude::any::<proptest::sample::Index>(),
        size in 1_usize..40,
    ) {
        let all = bodies();
        let (status, mut body) = all[which % all.len()].clone();
        for (at, byte) in damage {
            let at = at.index(body.len());
            body[at] = byte;
        }
        body.truncate(length.index(body.len() * 2).min(body.len()));
        let whole = decode(status, &[&body]);
        let pieces: Vec<&[u8]> = body.chunks(size).collect();
        proptest::prop_assert_eq!(&decode(status, &pieces), &whole);
        proptest::prop_assert!(whole.complete == whole.error.is_none());
        proptest::prop_assert!(whole.complete || whole.calls.is_empty());
    }
}
