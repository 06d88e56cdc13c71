//! Unsaved text in the form of the file, and a buffer that changes after the review.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio::sync::mpsc;

use crate::bench::{Bench, run};
use crate::{Prepared, Refusal, Registry};
use benchdog_base::id::CallId;
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::permission::{Decision, Kept};
use benchdog_security::workspace::{Buffers, Reply, Unanswered};

/// An editor with one text. It records the texts that it receives.
#[derive(Default)]
struct Editor {
    open: Mutex<String>,
    given: Mutex<Vec<String>>,
}

struct Offered(Arc<Editor>);

impl Buffers for Offered {
    fn read(&self, _: PathBuf) -> Reply<String> {
        let open = self.0.open.lock().unwrap().clone();
        Box::pin(async move { Ok::<_, Unanswered>(open) })
    }

    fn write(&self, path: PathBuf, text: String) -> Reply<()> {
        std::fs::write(path, &text).unwrap();
        self.0.given.lock().unwrap().push(text);
        Box::pin(async { Ok(()) })
    }

    fn can_write(&self) -> bool {
        true
    }
}

fn bench(on_disk: impl AsRef<[u8]>, open: &str) -> (Bench, Arc<Editor>) {
    let mut bench = Bench::new();
    bench.write("a.txt", on_disk);
    let editor = Arc::new(Editor::default());
    open.clone_into(&mut editor.open.lock().unwrap());
    let workspace = bench
        .cx
        .workspace
        .with_buffers(Arc::new(Offered(Arc::clone(&editor))), |_| true);
    bench.cx.workspace = Arc::new(workspace);
    (bench, editor)
}

/// Prepares an edit on a thread that may block, as sessions do.
async fn edit(bench: &Bench, old: &str, new: &str) -> Result<Prepared, Refusal> {
    let arguments = json!({"path": "a.txt", "edits": [{"old": old, "new": new}]});
    let call = ToolCall {
        id: CallId("call".to_owned()),
        name: "edit".to_owned(),
        arguments: Arguments::Object(arguments.as_object().unwrap().clone()),
    };
    let cx = bench.cx.clone();
    tokio::task::spawn_blocking(move || Registry::builtin().prepare(&call, &cx))
        .await
        .unwrap()
}

async fn allowed(bench: &Bench, prepared: Prepared) -> benchdog_domain::tool::Outcome {
    let decision = Decision::Once { kept: Kept::All };
    run(prepared, &decision, &bench.cx, mpsc::channel(16).0).await
}

fn on_disk(bench: &Bench) -> Vec<u8> {
    std::fs::read(bench.root().join("a.txt")).unwrap()
}

#[tokio::test]
async fn the_file_keeps_its_mark_line_ends_and_encoding() {
    let gbk = |text: &str| {
        benchdog_base::charset::Charset::from_name("gbk")
            .unwrap()
            .encode(text)
            .unwrap()
    };
    let chinese = "本文件使用国标编码，内容为中文说明文字，用于测试编辑。\n";
    let cases: [(Vec<u8>, String, Vec<u8>); 3] = [
        (
            b"\xef\xbb\xbfone\r\ntwo\r\n".to_vec(),
            "one\nTYPED\ntwo".to_owned(),
            b"\xef\xbb\xbfONE\r\nTYPED\r\ntwo\r\n".to_vec(),
        ),
        (
            b"one\ntwo".to_vec(),
            "one\ntwo\nTYPED".to_owned(),
            b"ONE\ntwo\nTYPED".to_vec(),
        ),
        (
            gbk(&format!("{chinese}one\n")),
            format!("{chinese}{chinese}one\n"),
            gbk(&format!("{chinese}{chinese}ONE\n")),
        ),
    ];
    for (disk, open, after) in cases {
        let (bench, editor) = bench(disk, &open);
        let prepared = edit(&bench, "one", "ONE")
            .await
            .map_err(|refusal| refusal.outcome.output)
            .unwrap();
        let outcome = allowed(&bench, prepared).await;
        assert_eq!(
            String::from_utf8_lossy(&on_disk(&bench)),
            String::from_utf8_lossy(&after),
            "{}",
            outcome.output
        );
        let given = editor.given.lock().unwrap().clone();
        assert!(given.iter().all(|text| !text.contains(['\r', '\u{feff}'])), "{given:?}");
        assert_eq!(given.len(), 1);
    }
}

#[tokio::test]
async fn a_buffer_that_changes_after_the_review_is_a_conflict() {
    for open in ["one\n", "one\ntyped\n"] {
        let (bench, editor) = bench("one\n", open);
        let prepared = edit(&bench, "one", "ONE")
            .await
            .map_err(|refusal| refusal.outcome.output)
            .unwrap();
        "one\nmore\n".clone_into(&mut editor.open.lock().unwrap());
        let outcome = allowed(&bench, prepared).await;
        assert_eq!(outcome.code.as_deref(), Some("conflict"), "{}", outcome.output);
        assert_eq!(on_disk(&bench), b"one\n");
        assert!(editor.given.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_file_that_changes_on_disk_after_the_review_is_a_conflict() {
    let (bench, editor) = bench("one\n", "one\ntyped\n");
    let prepared = edit(&bench, "one", "ONE")
        .await
        .map_err(|refusal| refusal.outcome.output)
        .unwrap();
    bench.write("a.txt", "other\n");
    let outcome = allowed(&bench, prepared).await;
    assert_eq!(outcome.code.as_deref(), Some("conflict"), "{}", outcome.output);
    assert_eq!(on_disk(&bench), b"other\n");
    assert!(editor.given.lock().unwrap().is_empty());
}
