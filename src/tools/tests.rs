mod encodings;

use serde_json::json;

use super::bench::{Bench, run};
use super::*;
use benchdog_domain::permission::Kept;

#[test]
fn the_order_and_the_names_never_change() {
    let names: Vec<String> = Registry::builtin()
        .declarations()
        .iter()
        .map(|declared| declared.name.clone())
        .collect();
    assert_eq!(
        names,
        [
            "read",
            "write",
            "edit",
            "patch",
            "list",
            "glob",
            "grep",
            "bash",
            "todowrite",
            "ask",
            "skill",
            "plan_done",
            "bash_output",
            "bash_kill",
            "task"
        ]
    );
}

/// Names, descriptions and schemas are part of the prompt. If one byte changes, no model server can use its cached
/// prompt prefix.
#[test]
fn what_is_declared_to_a_model_stays_the_same_byte_for_byte() {
    let sent: Vec<String> = Registry::builtin()
        .declarations()
        .iter()
        .map(|tool| {
            json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters}).to_string()
        })
        .collect();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("declarations", sent.join("\n"));
    });
}

#[test]
fn every_declaration_is_an_object_schema_whose_required_arguments_exist() {
    for declared in Registry::builtin().declarations().iter() {
        let properties = declared.parameters["properties"]
            .as_object()
            .unwrap_or_else(|| panic!("{}", declared.name));
        assert_eq!(declared.parameters["type"], "object", "{}", declared.name);
        for name in declared.parameters["required"].as_array().into_iter().flatten() {
            assert!(
                properties.contains_key(name.as_str().unwrap()),
                "{}: {name}",
                declared.name
            );
        }
        assert!(
            !declared.description.contains("  "),
            "{}: {}",
            declared.name,
            declared.description
        );
    }
}

#[tokio::test]
async fn a_denied_call_does_nothing() {
    let bench = Bench::new();
    let prepared = bench.prepare("bash", json!({"command": "touch made"})).await.unwrap();
    let (output, _chunks) = mpsc::channel(1);
    let outcome = run(
        prepared,
        &Decision::Deny {
            reason: Some("not now".to_owned()),
        },
        &bench.cx,
        output,
    )
    .await;
    assert_eq!(outcome.status, CallStatus::Denied);
    assert!(outcome.output.contains("not now"), "{}", outcome.output);
    assert!(!bench.root().join("made").exists());
}

#[tokio::test]
async fn no_result_is_longer_than_the_window_allows() {
    let mut bench = Bench::new();
    for number in 0..900 {
        bench.write(
            &format!("a/file with a rather long name {number}.txt"),
            "match me\n".repeat(50),
        );
    }
    bench.cx.limits.result_bytes = 2_000;
    for (tool, arguments) in [
        ("list", json!({"path": "a"})),
        ("glob", json!({"pattern": "*.txt"})),
        ("grep", json!({"pattern": "match"})),
        ("grep", json!({"pattern": "match", "mode": "files", "limit": 1000})),
        ("bash", json!({"command": "seq 100000"})),
        ("read", json!({"path": "a/file with a rather long name 1.txt"})),
    ] {
        let outcome = bench.call(tool, arguments).await;
        assert!(outcome.output.len() <= 2_000, "{tool}: {} bytes", outcome.output.len());
        assert!(outcome.truncated || tool == "read", "{tool}: {}", outcome.output);
    }
}

#[tokio::test]
async fn a_kept_decision_reaches_the_tool() {
    let bench = Bench::with(&[("a", "x\n")]);
    let prepared = bench.prepare("read", json!({"path": "a"})).await.unwrap();
    let (output, _chunks) = mpsc::channel(1);
    let outcome = run(prepared, &Decision::Once { kept: Kept::All }, &bench.cx, output).await;
    assert_eq!(outcome.output, "1\tx\n");
}
