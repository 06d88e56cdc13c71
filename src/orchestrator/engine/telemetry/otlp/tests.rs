use super::*;

pub(crate) fn span() -> Span {
    let trace = TraceId::of("session", 3);
    Span {
        id: trace.span(1),
        parent: Some(trace.span(0)),
        trace,
        name: "chat m".to_owned(),
        kind: Kind::Client,
        began: Time(1_700_000_000_123),
        ended: Time(1_700_000_001_000),
        attributes: vec![
            ("gen_ai.operation.name", "chat".into()),
            ("gen_ai.usage.input_tokens", 12.into()),
        ],
        error: Some("timeout".to_owned()),
    }
}

#[test]
fn a_span_is_encoded_as_the_protocol_wants_it() {
    let body: Json = serde_json::from_slice(&body(&[span()])).expect("JSON");
    let of_resource = &body["resourceSpans"][0];
    let named = json!({"key": "service.name", "value": {"stringValue": "benchdog"}});
    assert_eq!(of_resource["resource"]["attributes"][0], named);
    let trace = TraceId::of("session", 3);
    let expected = json!({
        "traceId": trace.0,
        "spanId": trace.span(1).0,
        "parentSpanId": trace.span(0).0,
        "name": "chat m",
        "kind": 3,
        "startTimeUnixNano": "1700000000123000000",
        "endTimeUnixNano": "1700000001000000000",
        "status": {"code": 2},
        "attributes": [
            {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
            {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "12"}},
            {"key": "error.type", "value": {"stringValue": "timeout"}},
        ],
    });
    assert_eq!(of_resource["scopeSpans"][0]["spans"], json!([expected]));
}

#[test]
fn ids_have_their_lengths_and_differ() {
    let trace = TraceId::of("session", 3);
    assert_eq!((trace.0.len(), trace.span(0).0.len()), (32, 16));
    assert!(
        trace
            .0
            .chars()
            .all(|digit| digit.is_ascii_hexdigit() && !digit.is_ascii_uppercase())
    );
    assert_ne!(trace, TraceId::of("session", 4));
    assert_ne!(trace.span(0), trace.span(1));
}

#[test]
fn a_clock_that_went_back_makes_no_negative_duration() {
    let span = Span {
        ended: Time(0),
        error: None,
        ..span()
    };
    let encoded = encoded(&span);
    assert_eq!(encoded["endTimeUnixNano"], encoded["startTimeUnixNano"]);
    assert_eq!(encoded.get("status"), None);
}
