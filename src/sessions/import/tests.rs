use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::import;
use crate::export::tests::{redactor, stored};
use crate::export::{Export, Form};
use crate::tests::run;
use benchdog_base::id::{BlobId, SessionId};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::tool::CallStatus;
use benchdog_security::redact::Redactor;
use benchdog_storage::Storage;

type Whole = (SessionMeta, Vec<Arc<Entry>>, Vec<(BlobId, Arc<[u8]>)>);

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/import")
        .join(name)
}

async fn whole(data: &Path, id: &SessionId) -> Whole {
    let storage = Storage::start(data).unwrap();
    let (meta, log) = storage.read_session(id).await.unwrap();
    (meta, log, storage.blobs(id).await.unwrap())
}

async fn exported(home: &TempDir, redactor: &Redactor) -> (SessionId, PathBuf) {
    let storage = Storage::start(home.path()).unwrap();
    let id = stored(&storage).await;
    let file = home.path().join("out.jsonl");
    let export = Export::of(&storage, &id.0, redactor).await.unwrap();
    export.create(Form::Jsonl, &file).unwrap();
    (id, file)
}

fn files(home: &Path) -> Vec<String> {
    let listed = std::fs::read_dir(home.join("sessions")).unwrap();
    let mut names: Vec<String> = listed
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.retain(|name| !name.ends_with(".lock"));
    names.sort();
    names
}

#[test]
fn an_exported_session_comes_back_equal_and_twice_under_another_id() {
    let (home, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    run(async {
        let (id, file) = exported(&home, &Redactor::default()).await;
        let original = whole(home.path(), &id).await;
        let back = import(other.path(), &file, Path::new("/")).unwrap();
        assert_eq!(back[0].id, id);
        assert_eq!(whole(other.path(), &id).await, original);
        let again = import(other.path(), &file, Path::new("/")).unwrap();
        assert_ne!(again[0].id, id);
        let (meta, log, blobs) = whole(other.path(), &again[0].id).await;
        assert_eq!((&log, &blobs), (&original.1, &original.2));
        assert_eq!(SessionMeta { id, ..meta }, original.0);
        assert_eq!(Storage::start(other.path()).unwrap().list().await.unwrap().len(), 2);
    });
}

#[test]
fn a_redacted_session_can_be_imported() {
    let home = TempDir::new().unwrap();
    run(async {
        let (_, file) = exported(&home, &redactor()).await;
        let back = import(home.path(), &file, Path::new("/")).unwrap();
        let (_, log, blobs) = whole(home.path(), &back[0].id).await;
        let Body::Change { after, .. } = &log[3].body else {
            panic!("{:?}", log[3])
        };
        assert!(blobs.iter().any(|(id, _)| Some(id) == after.as_ref()));
    });
}

#[test]
fn a_damaged_file_is_one_error_with_its_line_and_leaves_no_session() {
    let (home, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    run(async {
        let (_, file) = exported(&home, &Redactor::default()).await;
        let text = std::fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let cut = text.get(..text.len() - 20).unwrap().to_owned();
        let swapped = [lines[0], lines[2], lines[1]].join("\n");
        let other_bytes = text.replace("let a = 1;\\n\"", "let a = 2;\\n\"");
        for (damaged, told) in [
            (cut, ":8` cannot be imported: EOF while parsing a string"),
            (swapped, ":3` cannot be imported: entry 1 comes after entry 2"),
            (other_bytes, "has other bytes than its name says"),
            ("{\"type\":\"page\"}\n".to_owned(), ": this is no session of Benchdog"),
            (String::new(), ": this is no session of Benchdog"),
            (
                "# aider chat started at 2025-06-19 14:32:16\n".to_owned(),
                ": it contains no prompt",
            ),
        ] {
            std::fs::write(&file, damaged).unwrap();
            let error = import(other.path(), &file, Path::new("/")).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
            let left = other.path().join("sessions").exists().then(|| files(other.path()));
            assert_eq!(left.unwrap_or_default(), Vec::<String>::new());
        }
    });
}

#[test]
fn an_imported_session_does_not_bring_an_agent_that_asks_less() {
    let home = TempDir::new().unwrap();
    run(async {
        let (_, file) = exported(&home, &Redactor::default()).await;
        let text = std::fs::read_to_string(&file).unwrap();
        let agent = r#"{"v":1,"id":9,"turn":1,"time":1,"kind":"agent","agent":"accept-edits"}"#;
        std::fs::write(&file, format!("{text}{agent}\n")).unwrap();
        let back = import(home.path(), &file, Path::new("/")).unwrap();
        let (meta, log, _) = whole(home.path(), &back[0].id).await;
        assert_eq!(meta.agent.0, "build");
        assert_eq!(History::of(log).standing_agent().unwrap().0, "build");
    });
}

/// Returns the imported sessions, and one line per entry of the first session.
fn told(name: &str) -> (Vec<SessionMeta>, Vec<String>) {
    let home = TempDir::new().unwrap();
    let metas = import(home.path(), &fixture(name), Path::new("/here")).unwrap();
    let (_, log, _) = run(whole(home.path(), &metas[0].id));
    let history = History::of(log.clone());
    assert!(
        !history.open_turn() && history.open_calls().next().is_none(),
        "{name} can be continued"
    );
    (metas, log.iter().map(|entry| line(&entry.body)).collect())
}

fn line(body: &Body) -> String {
    match body {
        Body::User { text, .. } => format!("user: {text}"),
        Body::Assistant {
            text,
            reasoning,
            calls,
            model,
            ..
        } => {
            let calls: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
            format!("assistant {model}: {text} [{reasoning}] {calls:?}")
        }
        Body::ToolResult {
            tool,
            title,
            status,
            output,
            ..
        } => {
            let status = match status {
                CallStatus::Ok => "ok",
                CallStatus::Error => "error",
                CallStatus::Cancelled => "cancelled",
                CallStatus::Denied => "denied",
            };
            format!("{tool} {title}: {status} {output}")
        }
        Body::TurnEnded { outcome, steps, .. } => format!("end: {outcome:?} {steps}"),
        Body::Notice(notice) => format!("notice: {}", notice.code()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_log_of_codex_has_its_prompts_calls_and_exit_codes() {
    let (metas, lines) = told("codex/rollout-2025-10-29.jsonl");
    assert_eq!(
        lines,
        [
            "notice: imported",
            "user: list the files, and fix the date",
            "assistant codex/gpt-5-codex:  [**Preparing to list**] [\"shell\", \"shell\"]",
            "shell bash -lc ls: ok date.py\nREADME.md\n",
            "shell bash -lc cat none: error cat: none: No such file or directory\n",
            "assistant codex/gpt-5-codex:  [] [\"apply_patch\"]",
            "apply_patch : ok Success. Updated the following files:\nM date.py\n",
            "assistant codex/gpt-5-codex: The date is fixed. [] []",
            "end: Done 3",
        ]
    );
    assert_eq!(metas[0].workspace, "/home/u/dates");
    assert_eq!(metas[0].title, "list the files, and fix the date");
    assert_eq!(metas[0].created.rfc3339(), "2025-10-29T00:59:38.317Z");
    assert_eq!(metas[0].updated.rfc3339(), "2025-10-29T01:00:01.001Z");
}

#[test]
fn a_log_of_claude_code_has_no_side_chain_and_no_local_command() {
    let (metas, lines) = told("claude.jsonl");
    assert_eq!(
        lines,
        [
            "notice: imported",
            "user: 修复日期错误",
            "assistant claude-code/claude-sonnet-4-5:  [Look first.] [\"Read\"]",
            "Read /home/u/dates/date.py: ok      1\tfmt = '%d/%m'",
            "assistant claude-code/claude-sonnet-4-5: 格式应该是 `%Y-%m-%d`。 [] []",
            "end: Done 2",
            "user: and the tests?",
            "assistant claude-code/claude-sonnet-4-5:  [] [\"Bash\"]",
            "Bash pytest -q: cancelled ",
            "end: Done 1",
        ]
    );
    assert_eq!(metas[0].title, "Fix of the date");
}

#[test]
fn a_log_of_vibe_is_found_by_its_folder_and_described_by_its_meta_file() {
    let lines = [
        "notice: imported",
        "user: fix the date in date.py",
        "assistant vibe/devstral-2: Reading it. [] [\"read_file\"]",
        "read_file date.py: ok path: date.py\ncontent: fmt = '%d/%m'",
        "assistant vibe/devstral-2: It should be `%Y-%m-%d`. [ISO 8601] []",
        "end: Done 2",
    ];
    for name in ["vibe", "vibe/meta.json", "vibe/messages.jsonl"] {
        let (metas, found) = told(name);
        assert_eq!(found, lines, "{name}");
        assert_eq!(
            (metas[0].title.as_str(), metas[0].workspace.as_str()),
            ("Date bug", "/home/u/dates")
        );
        assert_eq!(metas[0].created.rfc3339(), "2026-02-04T20:34:09.851Z");
    }
}

#[test]
fn an_export_of_opencode_has_its_tools_with_their_outcome() {
    let (metas, lines) = told("opencode.json");
    assert_eq!(
        lines,
        [
            "notice: imported",
            "user: fix the date",
            "assistant opencode/qwen3-coder: I look at it. [] [\"bash\"]",
            "bash cat date.py: ok fmt = '%d/%m'\n",
            "assistant opencode/qwen3-coder:  [] [\"edit\"]",
            "edit date.py: error oldString not found",
            "assistant opencode/qwen3-coder: Use ISO dates. [] []",
            "end: Done 3",
        ]
    );
    assert_eq!(
        (metas[0].title.as_str(), metas[0].workspace.as_str()),
        ("Date format", "/home/u/dates")
    );
}

#[test]
fn each_chat_of_aider_with_a_prompt_is_a_session() {
    let (metas, lines) = told("aider.chat.history.md");
    let titles: Vec<&str> = metas.iter().map(|meta| meta.title.as_str()).collect();
    assert_eq!(titles, ["fix the date", "add a test"]);
    assert_eq!(metas[0].created.rfc3339(), "2025-06-19T14:32:16.000Z");
    let answer = "Dates should follow ISO 8601.\n\n```python\n# not a heading\n> not a message of the program\n#### not a prompt\n```";
    assert_eq!(
        lines,
        [
            "notice: imported",
            "user: fix the date\nand say why",
            &format!("assistant aider/: {answer} [] []"),
            "end: Done 1",
            "user: is there a test?",
            "assistant aider/: No. [] []",
            "end: Done 1",
        ]
    );
}
