use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use super::{Format, SessionsError, delete, fork, list, list_deleted, show};
use benchdog_base::clock::Time;
use benchdog_base::environment::Folders;
use benchdog_base::id::{CallId, EntryId, SessionId, TurnId};
use benchdog_base::text::is_hostile;
use benchdog_domain::agent::AgentName;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::session::{LeaseHolder, SessionMeta};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_storage::{Storage, StorageError};
use benchdog_tools::scratch::Scratch;

pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(work)
}

pub(crate) fn meta() -> SessionMeta {
    SessionMeta {
        id: SessionId::fresh(),
        title: String::new(),
        workspace: "/work".to_owned(),
        created: Time(1_700_000_000_000),
        updated: Time(1_700_000_000_000),
        model: None,
        agent: AgentName::default(),
        entries: 0,
        window: None,
        parent: None,
        tag: None,
        forked_from: None,
    }
}

pub(crate) fn holder() -> LeaseHolder {
    LeaseHolder {
        pid: 1,
        host: "bench".to_owned(),
        tty: None,
        started: Time(0),
        detached: false,
    }
}

async fn stored(storage: &Storage, prompt: &str) -> SessionId {
    let meta = meta();
    let bodies = [
        Body::User {
            text: prompt.to_owned(),
            mentions: Vec::new(),
            notes: Vec::new(),
        },
        Body::ToolResult {
            call: CallId("c1".to_owned()),
            tool: "bash".to_owned(),
            title: "cat notes.md".to_owned(),
            status: CallStatus::Ok,
            summary: Summary::Words("3 lines".to_owned()),
            output: "```\nred \u{1b}[31m text\n".to_owned(),
            truncated: false,
            notes: Vec::new(),
            took_ms: 4,
            places: Vec::new(),
            images: Vec::new(),
        },
    ];
    let entries = (1..).zip(bodies).map(|(id, body)| {
        Arc::new(Entry {
            id: EntryId(id),
            turn: TurnId(1),
            time: Time(1_700_000_060_000),
            body,
        })
    });
    storage.create(meta.clone(), holder()).await.unwrap();
    storage.append(&meta.id, entries.collect(), Vec::new()).await.unwrap();
    storage.release(&meta.id).await;
    meta.id
}

async fn text_of(storage: &Storage, id: &str, format: Format) -> String {
    let mut out = Vec::new();
    show(storage, id, format, &mut out).await.unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_list_is_a_line_a_session_and_json_for_scripts() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let mut out = Vec::new();
        list(&storage, Format::Text, &mut out).await.unwrap();
        assert_eq!(out, b"There are no sessions yet.\n");
        let id = stored(&storage, "fix \u{1b}[2J it").await;
        out.clear();
        list(&storage, Format::Text, &mut out).await.unwrap();
        let line = String::from_utf8(out.clone()).unwrap();
        assert_eq!(
            line,
            format!("{}  2023-11-14 22:14Z      2 entries  /work  fix  it\n", id.short())
        );
        out.clear();
        list(&storage, Format::Json, &mut out).await.unwrap();
        let all: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(all[0]["id"], id.0.as_str());
        out.clear();
        list_deleted(home.path(), Format::Text, &mut out).unwrap();
        assert_eq!(out, b"There are no deleted sessions.\n");
        storage.trash(&id).await.unwrap();
        out.clear();
        list_deleted(home.path(), Format::Text, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), line);
    });
}

#[test]
fn a_shown_session_reads_in_order_and_cannot_steer_the_terminal() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "read my notes").await;
        let text = text_of(&storage, id.short(), Format::Text).await;
        assert!(!text.contains('\u{1b}'));
        assert!(text.contains("## User\n\nread my notes\n"));
        assert!(
            text.contains("### bash cat notes.md: 3 lines\n\n````\n```\nred  text\n````\n"),
            "{text}"
        );
    });
}

#[test]
fn an_export_has_the_description_first_and_every_entry_unchanged() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "read my notes").await;
        let text = text_of(&storage, &id.0, Format::Jsonl).await;
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0]["session"]["id"], id.0.as_str());
        assert_eq!(
            (lines[1]["v"].as_u64(), &lines[1]["kind"]),
            (Some(1), &Value::from("user"))
        );
        assert_eq!(lines[2]["output"], "```\nred \u{1b}[31m text\n");
        assert_eq!(lines.len(), 3);
    });
}

#[test]
fn json_of_sessions_holds_no_character_that_steers_a_terminal_and_reads_back_the_same() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let prompt = "a\u{9b}31mb\u{202e}c\u{2066}d\u{feff}e\u{7f}f\u{2028}g";
        let id = stored(&storage, prompt).await;
        let jsonl = text_of(&storage, &id.0, Format::Jsonl).await;
        let json = text_of(&storage, &id.0, Format::Json).await;
        let mut listed = Vec::new();
        list(&storage, Format::Json, &mut listed).await.unwrap();
        list(&storage, Format::Jsonl, &mut listed).await.unwrap();
        let listed = String::from_utf8(listed).unwrap();
        for text in [&jsonl, &json, &listed] {
            assert!(!text.chars().any(is_hostile), "{text:?}");
        }
        let entry: Value = serde_json::from_str(jsonl.lines().nth(1).unwrap()).unwrap();
        let whole: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(entry["text"], prompt);
        assert_eq!(whole["entries"][0]["text"], prompt);
    });
}

#[test]
fn a_fork_prints_its_id_and_a_deleted_session_is_gone() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "read my notes").await;
        let mut out = Vec::new();
        fork(&storage, &id.0, Some(EntryId(1)), &mut out).await.unwrap();
        let copy = String::from_utf8(out).unwrap().trim().to_owned();
        let cache = home.path().join("cache");
        let kept = |id: &str| cache.join("outputs").join(id).join("bash-1.txt");
        for id in [&id.0, &copy] {
            std::fs::create_dir_all(kept(id).parent().unwrap()).unwrap();
            std::fs::write(kept(id), "a long output").unwrap();
        }
        assert!(!text_of(&storage, &copy, Format::Text).await.contains("bash"));
        let folders = folders(home.path());
        let scratch = Scratch::of(&folders.data, &id).unwrap();
        std::fs::write(scratch.path().join("note"), "not to stay").unwrap();
        delete(&storage, &folders, &id.0, &mut Vec::new()).await.unwrap();
        assert!(!scratch.path().exists());
        assert!(!kept(&id.0).parent().unwrap().exists() && kept(&copy).exists());
        let gone = show(&storage, &id.0, Format::Text, &mut Vec::new()).await;
        assert!(
            matches!(gone, Err(SessionsError::Storage(StorageError::NotFound(_)))),
            "{gone:?}"
        );
        assert!(text_of(&storage, &copy, Format::Text).await.contains("read my notes"));
    });
}

fn folders(home: &Path) -> Folders {
    Folders {
        config_file: home.join("config.jsonc"),
        data: home.join("data"),
        cache: home.join("cache"),
        logs: home.join("logs"),
        live: home.join("live"),
    }
}

#[test]
fn an_id_that_could_be_several_is_not_guessed() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let mut ids = Vec::new();
        for number in 1..=12 {
            ids.push(stored(&storage, &format!("prompt {number}")).await);
        }
        let shared: String = ids[0].0.chars().take(4).collect();
        let refused = delete(&storage, &folders(home.path()), &shared, &mut Vec::new()).await;
        let Err(SessionsError::Storage(error @ StorageError::Several { .. })) = refused else {
            panic!("{refused:?}")
        };
        let told = error.to_string();
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(
            lines[0],
            format!("`{shared}` could be any of 12 sessions; the newest are:")
        );
        assert_eq!(lines.len(), 11, "{told}");
        let newest = format!("  {}  2023-11-14 22:14Z  prompt 12", ids[11]);
        assert!(lines.contains(&newest.as_str()), "{told}");
    });
}
