use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio::sync::mpsc;

use crate::bench::{Bench, run};
use crate::files::{FilesPlan, PlannedFile};
use crate::{Prepared, Refusal, Registry};
use benchdog_base::id::CallId;
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::permission::{Decision, Kept, PartKept};
use benchdog_security::workspace::{Buffers, Reply, Unanswered};

/// An editor with one text. Records each text that it should write.
#[derive(Default)]
struct Editor {
    open: Mutex<String>,
    given: Mutex<Vec<String>>,
    writes: Mutex<Writes>,
    silent: Mutex<bool>,
}

/// The text that the editor saves when it should write, and its answer.
#[derive(Default, Clone)]
enum Writes {
    #[default]
    Whole,
    Formatted(&'static str, Option<Result<(), Unanswered>>),
    Nothing(Option<Result<(), Unanswered>>),
}

struct Offered(Arc<Editor>);

impl Buffers for Offered {
    fn read(&self, _: PathBuf) -> Reply<String> {
        let open = self.0.open.lock().unwrap().clone();
        let is_silent = *self.0.silent.lock().unwrap();
        Box::pin(async move { if is_silent { Err(Unanswered::Silent) } else { Ok(open) } })
    }

    fn write(&self, path: PathBuf, text: String) -> Reply<()> {
        let (saved, answer) = match self.0.writes.lock().unwrap().clone() {
            Writes::Whole => (Some(text.clone()), Some(Ok(()))),
            Writes::Formatted(text, answer) => (Some(text.to_owned()), answer),
            Writes::Nothing(answer) => (None, answer),
        };
        if let Some(saved) = saved {
            std::fs::write(path, saved).unwrap();
        }
        self.0.given.lock().unwrap().push(text);
        Box::pin(async move {
            match answer {
                Some(answer) => answer,
                None => std::future::pending().await,
            }
        })
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
    edits(bench, &[json!({"old": old, "new": new})]).await
}

async fn edits(bench: &Bench, edits: &[serde_json::Value]) -> Result<Prepared, Refusal> {
    let arguments = json!({"path": "a.txt", "edits": edits});
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
            gbk(&format!("{CHINESE}one\n")),
            format!("{CHINESE}{CHINESE}one\n"),
            gbk(&format!("{CHINESE}{CHINESE}ONE\n")),
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

const CHINESE: &str = "本文件使用国标编码，内容为中文说明文字，用于测试编辑。\n";

fn gbk(text: &str) -> Vec<u8> {
    let charset = benchdog_base::charset::Charset::from_name("gbk").unwrap();
    charset.encode(text).unwrap()
}

#[tokio::test]
async fn an_editor_that_reads_as_utf_8_does_not_destroy_other_encodings() {
    let disk = gbk(&format!("{CHINESE}one\n"));
    let open = String::from_utf8_lossy(&disk).into_owned();
    let (bench, editor) = bench(&disk, &open);
    let prepared = edit(&bench, "one", "ONE")
        .await
        .map_err(|refusal| refusal.outcome.output)
        .unwrap();
    let outcome = allowed(&bench, prepared).await;
    assert_eq!(on_disk(&bench), gbk(&format!("{CHINESE}ONE\n")), "{}", outcome.output);
    assert!(editor.given.lock().unwrap().is_empty());
}

#[tokio::test]
async fn unsaved_text_that_the_encoding_cannot_hold_is_refused() {
    let disk = gbk(&format!("{CHINESE}one\n"));
    let lossy = String::from_utf8_lossy(&disk).into_owned();
    for (open, word) in [
        (format!("{lossy}typed\n"), "another encoding"),
        (format!("{CHINESE}one 🐕\n"), "U+1F415"),
    ] {
        let (bench, _) = bench(&disk, &open);
        let refused = edit(&bench, "one", "ONE").await.err().unwrap().outcome;
        assert_eq!(refused.code.as_deref(), Some("encoding"));
        assert!(refused.output.contains(word), "{}", refused.output);
        assert_eq!(on_disk(&bench), disk);
    }
}

#[tokio::test]
async fn unsaved_text_of_a_file_with_mixed_line_ends_is_refused() {
    let (bench, _) = bench("one\r\ntwo\n", "one\ntwo\ntyped\n");
    let refused = edit(&bench, "one", "ONE").await.err().unwrap().outcome;
    assert_eq!(refused.code.as_deref(), Some("unsaved"), "{}", refused.output);
}

/// Accepts an edit of the line `one` in unsaved text. Before the edit runs, `change` changes the editor or the disk.
async fn edited(
    kept: Kept,
    change: impl FnOnce(&Bench, &Editor),
) -> (benchdog_domain::tool::Outcome, Bench, Arc<Editor>) {
    let (bench, editor) = bench(LINES, &format!("{LINES}typed\n"));
    let arguments = [("one", "ONE"), ("nine", "NINE")].map(|(old, new)| json!({"old": old, "new": new}));
    let prepared = edits(&bench, &arguments)
        .await
        .map_err(|refusal| refusal.outcome.output)
        .unwrap();
    change(&bench, &editor);
    let outcome = run(prepared, &Decision::Once { kept }, &bench.cx, mpsc::channel(16).0).await;
    (outcome, bench, editor)
}

const LINES: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

#[tokio::test]
async fn a_file_that_is_deleted_or_becomes_binary_after_the_review_is_a_conflict() {
    for content in [None, Some(b"\0\x01binary\0".as_slice())] {
        let (outcome, bench, editor) = edited(Kept::All, |bench, _| match content {
            None => std::fs::remove_file(bench.root().join("a.txt")).unwrap(),
            Some(bytes) => bench.write("a.txt", bytes),
        })
        .await;
        assert_eq!(outcome.code.as_deref(), Some("conflict"), "{}", outcome.output);
        assert_eq!(std::fs::read(bench.root().join("a.txt")).ok().as_deref(), content);
        assert!(editor.given.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_changed_disk_is_reported_as_a_change_whatever_the_editor_answers() {
    let refused = Unanswered::Refused("locked".to_owned());
    for answer in [Ok(()), Err(Unanswered::Silent), Err(refused)] {
        let writes = Writes::Formatted("other\n", Some(answer));
        let (outcome, _bench, _editor) = edited(Kept::All, |_, editor| *editor.writes.lock().unwrap() = writes).await;
        assert_eq!(outcome.changes.len(), 1, "{}", outcome.output);
        assert_eq!(outcome.changes[0].after.as_deref(), Some(b"other\n".as_slice()));
        assert!(outcome.output.contains("read the file again"), "{}", outcome.output);
    }
}

#[tokio::test]
async fn a_refused_hunk_is_reported_if_the_editor_formats_the_file() {
    let files = vec![Some(PartKept::Hunks(vec![true, false]))];
    let (outcome, _bench, _editor) = edited(Kept::Parts { files }, |_, editor| {
        *editor.writes.lock().unwrap() = Writes::Formatted("other\n", Some(Ok(())));
    })
    .await;
    assert!(
        outcome.output.contains("kept 1 of 2 hunks") && outcome.output.contains("+NINE"),
        "{}",
        outcome.output
    );
    assert!(outcome.changes[0].in_part);
}

#[tokio::test]
async fn nothing_is_sent_after_an_interrupt_and_a_late_write_is_told() {
    for is_early in [true, false] {
        let (mut bench, editor) = bench("one\n", "one\ntyped\n");
        *editor.writes.lock().unwrap() = Writes::Nothing(None);
        let (stopper, stop) = crate::Stop::pair();
        bench.cx.stop = stop;
        let prepared = edit(&bench, "one", "ONE")
            .await
            .map_err(|refusal| refusal.outcome.output)
            .unwrap();
        if is_early {
            stopper.stop();
        }
        let stops = async {
            while editor.given.lock().unwrap().is_empty() && !is_early {
                tokio::task::yield_now().await;
            }
            stopper.stop();
        };
        let (outcome, ()) = tokio::join!(allowed(&bench, prepared), stops);
        assert_eq!(outcome.code.as_deref(), Some("cancelled"), "{}", outcome.output);
        assert_eq!(editor.given.lock().unwrap().is_empty(), is_early);
        assert_eq!(
            outcome.output.contains("may still write it"),
            !is_early,
            "{}",
            outcome.output
        );
        assert_eq!(on_disk(&bench), b"one\n");
    }
}

#[tokio::test]
async fn a_proposal_equal_to_the_buffer_is_saved() {
    let (bench, _editor) = bench("one\n", "one\ntyped\n");
    let path = bench.cx.workspace.resolve("a.txt").unwrap();
    let text: Arc<[u8]> = b"one\ntyped\n".as_slice().into();
    let disk: Arc<[u8]> = b"one\n".as_slice().into();
    let file = PlannedFile::content(path, Some(Arc::clone(&text)), text, Vec::new()).over_unsaved(Some(disk));
    let changes = vec![file.map_err(|refusal| refusal.outcome.output).unwrap()];
    let outcome = crate::files::editor::carry(&FilesPlan { changes }, &Kept::All, &bench.cx)
        .await
        .unwrap();
    assert_eq!(on_disk(&bench), b"one\ntyped\n", "{}", outcome.output);
    assert!(!outcome.output.contains("already"), "{}", outcome.output);
}

#[tokio::test]
async fn a_silent_editor_does_not_change_a_pending_proposal() {
    let (bench, editor) = bench("one\n", "one\n");
    *editor.silent.lock().unwrap() = true;
    let known: Option<Arc<[u8]>> = Some(b"one\n".as_slice().into());
    let files = vec![("a.txt".to_owned(), known)];
    let workspace = Arc::clone(&bench.cx.workspace);
    let (now, files) = tokio::task::spawn_blocking(move || (crate::read_now(&workspace, &files), files))
        .await
        .unwrap();
    assert_eq!(now, files);
}
