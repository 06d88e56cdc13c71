use super::*;

#[test]
fn the_path_of_traces_is_added_once() {
    for (endpoint, expected) in [
        ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
        ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"),
        ("https://otel.example/otlp", "https://otel.example/otlp/v1/traces"),
        ("https://otel.example/v1/traces/", "https://otel.example/v1/traces"),
    ] {
        assert_eq!(url(endpoint), expected);
    }
}

#[tokio::test]
async fn without_a_collector_nothing_is_started_and_a_full_queue_drops_spans() {
    let off = Telemetry::default();
    assert!(!off.is_on());
    off.send(otlp::tests::span());
    off.flush().await;
    let (messages, mut waiting) = mpsc::channel(1);
    let full = Telemetry(Some(messages));
    full.send(otlp::tests::span());
    full.send(otlp::tests::span());
    assert!(waiting.try_recv().is_ok() && waiting.try_recv().is_err());
}

#[tokio::test]
async fn a_batch_ends_when_it_is_full_or_awaited() {
    let (messages, mut waiting) = mpsc::channel(BATCH * 2);
    for _ in 0..=BATCH {
        let span = Message::Span(Box::new(otlp::tests::span()));
        messages.try_send(span).expect("room");
    }
    let (done, _flushed) = oneshot::channel();
    messages.try_send(Message::Flush(done)).expect("room");
    let first = waiting.recv().await.expect("a span");
    let (batch, flush) = gather(first, &mut waiting).await;
    assert!(batch.len() == BATCH && flush.is_none());
    let first = waiting.recv().await.expect("a span");
    let (batch, flush) = gather(first, &mut waiting).await;
    assert!(batch.len() == 1 && flush.is_some());
}
