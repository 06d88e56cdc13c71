use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;

use crate::corpus::Corpus;
use crate::failure::Kind;
use crate::responses::FORMAT;

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| Corpus::load("sse_responses", FORMAT));

#[test]
fn every_answer_of_the_corpus_is_understood_however_it_is_cut() {
    assert!(CORPUS.cases.len() >= 30, "only {} cases", CORPUS.cases.len());
    CORPUS.check_all();
}

#[test]
fn an_answer_that_ends_too_soon_is_never_whole_and_calls_nothing() {
    let last = |text: &str| {
        let names = ["response.completed", "response.incomplete", "response.failed"];
        names.iter().find_map(|name| text.find(&format!("\"type\":\"{name}\"")))
    };
    CORPUS.check_cuts(last, usize::MAX);
}

#[test]
fn the_cache_is_told_apart_from_the_rest_of_the_prompt_and_zero_means_unknown() {
    let cached = |id: &str| CORPUS.decode_case(id).usage.unwrap().cached;
    assert_eq!(cached("thought_and_call"), Some(2000));
    assert_eq!(cached("ollama_call"), None);
}

#[test]
fn the_calls_keep_the_ids_of_the_server() {
    let ids = |id: &str| -> Vec<String> {
        let calls = CORPUS.decode_case(id).calls.into_iter();
        calls.map(|call| call.id.0).collect()
    };
    assert_eq!(ids("calls_in_parallel"), ["c1", "c2"]);
    assert_eq!(ids("llamacpp_no_indices"), ["fc_a", "fc_b"]);
}

#[test]
fn a_whole_answer_keeps_each_thought_in_its_place() {
    let thought = |text: &str| {
        json!({"type": "reasoning", "id": format!("rs_{text}"), "encrypted_content": format!("sealed {text}"),
               "summary": [{"type": "summary_text", "text": text}]})
    };
    let call = |id: &str| json!({"type": "function_call", "call_id": id, "name": "read", "arguments": "{}"});
    let output = json!([thought("A"), call("1"), thought("B"), call("2")]);
    let response = json!({"status": "completed", "output": output});
    let stream = format!(
        "data: {}\n\n",
        json!({"type": "response.completed", "response": response.clone()})
    );
    for body in [response.to_string(), stream] {
        let whole = CORPUS.decode(200, [body.as_bytes()]);
        let places: Vec<_> = whole.seals.iter().map(|seal| (seal.upto, seal.calls)).collect();
        assert_eq!(
            (whole.reasoning.as_str(), places),
            ("AB", vec![(1, 0), (2, 1)]),
            "{body}"
        );
        assert_eq!(whole.calls.len(), 2);
    }
}

#[test]
fn refused_encrypted_reasoning_is_a_reason_to_send_none() {
    let refused = CORPUS.decode_case("e400_encrypted").error.unwrap();
    assert_eq!(refused.kind, Kind::ReasoningRefused);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_damaged_answer_is_judged_the_same_in_every_cut(
        which in any::<Index>(),
        damage in proptest::collection::vec((any::<Index>(), any::<u8>()), 0..4),
        size in 1_usize..40,
    ) {
        CORPUS.check_damage(which, damage, size)?;
    }
}

#[test]
fn a_null_in_an_item_hides_no_other_item() {
    let items = r#"[{"type":"message","content":[{"type":"output_text","text":null},{"type":"output_text","text":"kept"}]},
        {"type":"function_call","call_id":"c","name":null,"arguments":"{}"}]"#;
    let payload = format!(r#"{{"type":"response.completed","response":{{"status":"completed","output":{items}}}}}"#);
    let chunks = super::parse(&payload).unwrap();
    assert!(chunks.iter().any(|chunk| chunk.text == "kept"));
    assert!(chunks.iter().any(|chunk| chunk.done), "the end is seen");
}
