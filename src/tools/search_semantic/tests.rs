//! Tests of the tool's reports, and of the settings it needs.

use serde_json::json;

use crate::Registry;
use crate::bench::Bench;

#[tokio::test]
async fn the_best_parts_are_named_with_lines_and_secrets_are_never_in_the_index() {
    let bench = Bench::with(&[
        ("src/retry.rs", "//! Waits.\n\nfn nextDelay() -> u64 {\n    7\n}\n"),
        ("src/other.rs", "fn draw() {}\n"),
        (".env", "DELAY_TOKEN=hunter2\n"),
    ]);
    let outcome = bench
        .call("codebase_search", json!({"question": "where is the next delay"}))
        .await;
    assert!(outcome.output.starts_with("src/retry.rs:1-5\n"), "{}", outcome.output);
    assert!(
        outcome.output.contains("  3: fn nextDelay() -> u64 {\n"),
        "{}",
        outcome.output
    );
    let outcome = bench.call("search_semantic", json!({"query": "hunter2"})).await;
    assert_eq!(
        outcome.output,
        "No file of the 2 indexed ones has a word of `hunter2`.\n"
    );
}

#[test]
fn it_exists_only_if_it_is_configured() {
    let has = |tools: &Registry| tools.declarations().iter().any(|tool| tool.name == "search_semantic");
    assert!(!has(&Registry::builtin()));
    assert!(has(&Registry::builtin().with_retrieval()));
    let rules = Registry::builtin().all_rules();
    assert!(
        rules.iter().any(|rules| rules.name == "search_semantic"),
        "a rule may name it"
    );
}
