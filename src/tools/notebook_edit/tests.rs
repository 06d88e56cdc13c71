use serde_json::{Value, json};

use crate::bench::Bench;
use benchdog_domain::review::{CellChange, FileNote, Review};
use benchdog_domain::tool::{CallStatus, Outcome};

const NOTEBOOK: &str = include_str!("../../../tests/data/notebooks/tracebacks.ipynb");

async fn bench() -> Bench {
    bench_with(NOTEBOOK).await
}

async fn bench_with(notebook: &str) -> Bench {
    let bench = Bench::with(&[("a.ipynb", notebook)]);
    read(&bench).await;
    bench
}

async fn read(bench: &Bench) -> String {
    let outcome = bench.call("read", json!({"path": "a.ipynb"})).await;
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    outcome.output
}

fn text(bench: &Bench) -> String {
    std::fs::read_to_string(bench.root().join("a.ipynb")).unwrap()
}

async fn call(bench: &Bench, more: Value) -> Outcome {
    let mut arguments = json!({"path": "a.ipynb"});
    arguments
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    bench.call("notebook_edit", arguments).await
}

#[tokio::test]
async fn a_person_reviews_the_cell_and_not_the_file() {
    let bench = bench().await;
    let arguments = json!({"path": "a.ipynb", "cell": 0, "source": "print('hi')"});
    let prepared = bench.prepare("notebook_edit", arguments).await.unwrap();
    let Review::Files(files) = &*prepared.review else {
        panic!()
    };
    let [file] = files.as_slice() else { panic!() };
    let side = |side: &Option<std::sync::Arc<[u8]>>| String::from_utf8(side.clone().unwrap().to_vec()).unwrap();
    assert!(
        side(&file.before).starts_with("# %% [code] cell 0, 1 output\n"),
        "{}",
        side(&file.before)
    );
    assert_eq!(side(&file.after), "# %% [code] cell 0\nprint('hi')\n");
    let Some(FileNote::Cell { change, .. }) = &file.note else {
        panic!()
    };
    assert_eq!(*change, CellChange::OutputsCleared);
    // The check for changed files compares the whole file, not only the cell.
    let now = crate::read_now(&bench.cx.workspace, &prepared.review.files_now());
    assert_eq!(now, prepared.review.files_now());
}

#[tokio::test]
async fn cells_are_replaced_inserted_and_deleted() {
    let bench = bench().await;
    let outcome = call(&bench, json!({"cell": "0", "source": "x = 1"})).await;
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    assert!(outcome.output.contains("its outputs cleared"), "{}", outcome.output);
    let [change] = outcome.changes.as_slice() else { panic!() };
    assert_eq!(change.before.as_deref(), Some(NOTEBOOK.as_bytes()));
    assert_eq!(change.after.as_deref(), Some(text(&bench).as_bytes()));
    assert!(text(&bench).contains("\"outputs\": []") && text(&bench).contains("\"execution_count\": null"));

    // The cells keep their numbers, so the next call needs no new `read`.
    let one = text(&bench);
    let new = json!({"cell_id": "cell-0", "edit_mode": "insert", "new_source": "# T", "cell_type": "markdown"});
    let outcome = call(&bench, new).await;
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    // The number 1 now belongs to another cell.
    let outcome = call(&bench, json!({"cell": 1, "mode": "delete"})).await;
    assert_eq!(outcome.code.as_deref(), Some("not_read"), "{}", outcome.output);
    read(&bench).await;
    let outcome = call(&bench, json!({"cell": 1, "mode": "delete"})).await;
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    assert_eq!(text(&bench), one);
}

#[tokio::test]
async fn refusals_say_why_and_change_nothing() {
    let fresh = Bench::with(&[("a.ipynb", NOTEBOOK), ("b.ipynb", "{\"nbformat\": 3}")]);
    let outcome = call(&fresh, json!({"cell": 0, "source": "x"})).await;
    assert_eq!(outcome.code.as_deref(), Some("not_read"));
    let outcome = fresh
        .call("notebook_edit", json!({"path": "b.ipynb", "cell": 0, "source": "x"}))
        .await;
    assert!(outcome.output.contains("nbformat 3"), "{}", outcome.output);

    let bench = bench().await;
    for (arguments, code) in [
        (json!({"cell": 9, "source": "x"}), "not_found"),
        (json!({"cell": 0}), "bad_arguments"),
        (json!({"source": "x"}), "bad_arguments"),
        (json!({"cell": 0, "source": "x", "mode": "move"}), "bad_arguments"),
        (json!({"cell": 0, "source": "x", "cell_type": "table"}), "bad_arguments"),
    ] {
        let outcome = call(&bench, arguments.clone()).await;
        assert_eq!(outcome.code.as_deref(), Some(code), "{arguments}: {}", outcome.output);
    }
    assert_eq!(text(&bench), NOTEBOOK);
    bench.write("a.ipynb", NOTEBOOK.replace("4", "4 "));
    let outcome = call(&bench, json!({"cell": 0, "source": "x"})).await;
    assert_eq!(outcome.code.as_deref(), Some("conflict"), "{}", outcome.output);
}

#[tokio::test]
async fn an_id_cannot_bring_text_into_the_source() {
    let notebook = r##"{"cells": [{"cell_type": "code", "execution_count": null, "id": "a\nimport evil", "metadata": {}, "outputs": [],
        "source": "x"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;
    let bench = bench_with(notebook).await;
    assert!(!read(&bench).await.contains("\nimport evil"));
    let outcome = call(&bench, json!({"cell": 0, "source": "y"})).await;
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    assert!(text(&bench).contains("\"source\": \"y\""), "{}", text(&bench));
}

#[tokio::test]
async fn attached_images_are_not_lost() {
    let notebook = r##"{"cells": [{"attachments": {"a.png": {"image/png": "AA=="}}, "cell_type": "markdown", "metadata": {}, "source": "x"}],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 4}"##;
    let bench = bench_with(notebook).await;
    let outcome = call(&bench, json!({"cell": 0, "source": "y", "cell_type": "raw"})).await;
    assert_eq!(outcome.code.as_deref(), Some("attachments"), "{}", outcome.output);
    let outcome = call(&bench, json!({"cell": 0, "source": "y"})).await;
    assert_eq!(outcome.status, CallStatus::Ok, "{}", outcome.output);
    assert!(text(&bench).contains("AA=="));
}
