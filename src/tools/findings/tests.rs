use serde_json::{Value, json};

use super::*;
use crate::Registry;
use crate::bench::{Bench, run};
use benchdog_base::id::CallId;
use benchdog_domain::comparison::{Compared, Comparison};
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::permission::{Decision, Kept};
use benchdog_domain::review::{FileChange, FileOperation};

fn changed(path: &str, before: Option<&str>, after: Option<&str>) -> Compared {
    let side = |text: Option<&str>| text.map(|text| text.as_bytes().into());
    Compared {
        change: FileChange {
            path: path.to_owned(),
            operation: FileOperation::Update,
            before: side(before),
            after: side(after),
            mode_after: None,
            note: None,
        },
        unread: None,
    }
}

async fn hands_over(arguments: Value) -> Outcome {
    let bench = Bench::with(&[("src/a.rs", "one\ntwo\n"), ("beside.rs", "1\n2\n3")]);
    let comparison = Comparison {
        files: vec![
            changed("src/a.rs", Some("one\n"), Some("one\ntwo\n")),
            changed("gone.rs", Some("1\n2\n3\n"), None),
            changed("huge.bin", None, None),
        ],
        ..Comparison::default()
    };
    let (tools, _) = Registry::builtin().with([row(Reviewed::of(&comparison))]);
    let Value::Object(arguments) = arguments else { panic!() };
    let call = ToolCall {
        id: CallId("call".to_owned()),
        name: "report_findings".to_owned(),
        arguments: Arguments::Object(arguments),
    };
    match tools.prepare(&call, &bench.cx) {
        Err(refusal) => *refusal.outcome,
        Ok(prepared) => {
            let (output, _chunks) = tokio::sync::mpsc::channel(8);
            run(prepared, &Decision::Once { kept: Kept::All }, &bench.cx, output).await
        }
    }
}

#[tokio::test]
async fn findings_are_taken_under_many_names_and_at_every_place_that_is_there() {
    let outcome = hands_over(json!({"issues": [
        {"file": "./src/a.rs", "line_number": "2", "level": "critical", "message": "two\nlines", "description": " why "},
        {"path": "b/src/a.rs:1", "severity": "nit", "title": "a place in one"},
        {"path": "gone.rs", "line": 3, "severity": "warning", "title": "it was needed"},
        {"path": "beside.rs", "line": 3, "severity": "note", "title": "its caller"},
        {"path": "huge.bin", "line": 900, "severity": "note", "title": "not read here"},
    ]}))
    .await;
    let found: Vec<String> = outcome.findings.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "src/a.rs:2: error: two lines",
            "src/a.rs:1: note: a place in one",
            "gone.rs:3: warning: it was needed",
            "beside.rs:3: note: its caller",
            "huge.bin:900: note: not read here",
        ]
    );
    assert_eq!(outcome.summary.to_string(), "5 findings");
    let nothing = hands_over(json!({"findings": []})).await;
    assert_eq!(nothing.findings, Some(Vec::new()));
}

#[tokio::test]
async fn a_place_that_is_not_there_is_refused_with_all_that_is_wrong() {
    let outcome = hands_over(json!({"findings": [
        {"path": "src/a.rs", "line": 2, "severity": "error", "title": "right"},
        {"path": "src/a.rs", "line": 3, "severity": "error", "title": "behind the end"},
        {"path": "src/b.rs", "line": 1, "severity": "error", "title": "no such file"},
        {"path": "../x.rs", "line": 1, "severity": "error", "title": "elsewhere"},
        {"path": "src/a.rs", "severity": "error", "title": "no line"},
        {"path": "src/a.rs", "line": 1, "severity": "perhaps", "title": "no severity"},
        {"path": "src/a.rs", "line": 1, "severity": "error"},
    ]}))
    .await;
    assert_eq!(
        (outcome.code.as_deref(), &outcome.findings),
        (Some("bad_arguments"), &None)
    );
    for wrong in [
        "finding 2: `src/a.rs` has 2 lines, so there is no line 3",
        "finding 3: ",
        "finding 4: ",
        "finding 5: it names no `line` of `src/a.rs`",
        "finding 6: `perhaps` is not a severity",
        "finding 7: it has no `title`",
    ] {
        assert!(outcome.output.contains(wrong), "{wrong}: {}", outcome.output);
    }
    assert!(!outcome.output.contains("finding 1:"), "{}", outcome.output);
    assert_eq!(hands_over(json!({})).await.code.as_deref(), Some("bad_arguments"));
    let many: Vec<Value> = (0..=MOST).map(|_| json!({})).collect();
    assert_eq!(
        hands_over(json!({"findings": many})).await.code.as_deref(),
        Some("bad_arguments")
    );
}
