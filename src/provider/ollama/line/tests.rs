use serde_json::{Value, json};

use crate::decoder::{Decoded, Decoder};
use crate::failure::{Kind, Missing};
use crate::ollama::FORMAT;
use benchdog_domain::budget::Usage;

fn body(lines: &[Value]) -> Vec<u8> {
    lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

/// Decodes the body whole and byte by byte, and checks that the results are equal.
fn decoded(status: u16, body: &[u8]) -> Decoded {
    let read = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let mut decoder = Decoder::new(FORMAT, status);
        pieces.for_each(|piece| drop(decoder.push(piece)));
        decoder.finish()
    };
    let whole = read(&mut std::iter::once(body));
    assert_eq!(read(&mut body.chunks(1)), whole);
    whole
}

fn said(message: Value) -> Value {
    json!({"model": "qwen3", "created_at": "2026-11-22T00:00:00Z", "message": message, "done": false})
}

fn last(reason: &str) -> Value {
    json!({"model": "qwen3", "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": reason,
        "total_duration": 5_043_500_667_u64, "prompt_eval_count": 26, "eval_count": 12})
}

#[test]
fn text_thoughts_calls_and_counts_are_read() {
    let call = |path: &str| json!({"function": {"index": 0, "name": "read", "arguments": {"path": path}}});
    let lines = [
        said(json!({"role": "assistant", "content": "", "thinking": "first "})),
        said(json!({"role": "assistant", "content": "", "thinking": "look"})),
        said(json!({"role": "assistant", "content": "I read 日本."})),
        said(json!({"role": "assistant", "content": "", "tool_calls": [call("a")]})),
        said(json!({"role": "assistant", "content": "", "tool_calls": [call("b")]})),
        last("stop"),
    ];
    let decoded = decoded(200, &body(&lines));
    assert_eq!(
        (decoded.text.as_str(), decoded.reasoning.as_str()),
        ("I read 日本.", "first look")
    );
    let calls: Vec<Value> = decoded
        .calls
        .iter()
        .map(|call| json!([call.name, call.arguments]))
        .collect();
    assert_eq!(calls, [json!(["read", {"path": "a"}]), json!(["read", {"path": "b"}])]);
    let counted = Usage {
        prompt: 26,
        completion: 12,
        total: 38,
        cached: None,
    };
    assert_eq!((decoded.usage, decoded.complete), (Some(counted), true));
    assert_eq!(decoded.finish.as_deref(), Some("stop"));
}

#[test]
fn a_stream_without_its_last_line_is_cut_and_its_calls_do_not_count() {
    let call = json!({"function": {"name": "bash", "arguments": {"command": "ls"}}});
    let lines = [said(
        json!({"role": "assistant", "content": "so", "tool_calls": [call]}),
    )];
    let cut = decoded(200, &body(&lines));
    assert_eq!((cut.complete, cut.calls.len()), (false, 0));
    assert_eq!(cut.error.unwrap().kind, Kind::StreamEndedEarly);
    let mut half = body(&lines);
    half.truncate(half.len() - 5);
    assert!(!decoded(200, &half).complete);
}

#[test]
fn a_call_cut_by_the_length_is_not_run() {
    let call = json!({"function": {"name": "bash", "arguments": {"command": "ls"}}});
    let lines = [
        said(json!({"role": "assistant", "content": "", "tool_calls": [call]})),
        last("length"),
    ];
    assert_eq!(decoded(200, &body(&lines)).error.unwrap().kind, Kind::CallCut);
}

#[test]
fn errors_are_understood_in_the_stream_and_in_place_of_it() {
    let lines = [
        said(json!({"role": "assistant", "content": "half"})),
        json!({"error": "an error was encountered while running the model: CUDA error"}),
    ];
    let error = decoded(200, &body(&lines)).error.unwrap();
    assert!(error.message.contains("CUDA error"), "{error}");
    let refused = json!({"error": "model 'qwen9' not found"}).to_string();
    let error = decoded(404, refused.as_bytes()).error.unwrap();
    assert_eq!(error.kind, Kind::NotFound(Missing::Model));
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let whole = json!({"model": "m", "message": {"role": "assistant", "content": "hello"}, "done": true,
        "done_reason": "stop", "prompt_eval_count": 3, "eval_count": 1});
    let decoded = decoded(200, whole.to_string().as_bytes());
    assert_eq!((decoded.text.as_str(), decoded.complete), ("hello", true));
}

#[test]
fn a_page_is_named_for_what_it_is() {
    let page = decoded(200, b"<html><title>Proxy</title></html>");
    assert_eq!(page.error.unwrap().kind, Kind::NotAnApi);
}

#[test]
fn what_is_no_count_and_what_is_no_call_leaves_the_answer_whole() {
    let odd = json!([{"function": {"name": null}}, {"function": "x"}, 7,
        {"function": {"name": "bash", "arguments": {"command": "ls"}}}]);
    let counts = json!({"message": {"role": "assistant", "content": "", "tool_calls": odd}, "done": true,
        "done_reason": "stop", "prompt_eval_count": -1, "eval_count": 1e30});
    let decoded = decoded(200, counts.to_string().as_bytes());
    assert_eq!((decoded.complete, decoded.usage), (true, None));
    assert!(
        decoded.calls.iter().any(|call| call.name == "bash"),
        "{:?}",
        decoded.calls
    );
}
