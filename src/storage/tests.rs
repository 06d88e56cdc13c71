//! Storage as its callers use it: sessions that survive, one writer each, an index that heals.

mod crash;
mod damage;
mod index;
mod speed;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::{Strategy, any, proptest};
use tempfile::TempDir;

use super::{Opening, Storage, StorageError};
use crate::base::clock::Time;
use crate::base::id::{BlobId, CallId, EntryId, SessionId, TurnId};
use crate::domain::agent::{AgentName, ModelRef};
use crate::domain::entry::{Body, Entry, TurnOutcome};
use crate::domain::message::{Arguments, ToolCall};
use crate::domain::session::{LeaseHolder, SessionMeta};
use crate::domain::tool::CallStatus;

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

fn holder() -> LeaseHolder {
    LeaseHolder {
        pid: std::process::id(),
        host: "bench".to_owned(),
        tty: Some("/dev/pts/3".to_owned()),
        started: Time(1_000),
    }
}

fn session(workspace: &str) -> SessionMeta {
    SessionMeta {
        id: SessionId::fresh(),
        title: String::new(),
        workspace: workspace.to_owned(),
        created: Time(1_000),
        updated: Time(1_000),
        model: None,
        agent: AgentName::default(),
        entries: 0,
    }
}

fn said(id: u64, text: &str) -> Arc<Entry> {
    entry(
        id,
        Body::User {
            text: text.to_owned(),
            notes: Vec::new(),
        },
    )
}

fn entry(id: u64, body: Body) -> Arc<Entry> {
    Arc::new(Entry {
        id: EntryId(id),
        turn: TurnId(1),
        time: Time(1_000 + i64::try_from(id).unwrap()),
        body,
    })
}

/// A session with one prompt, released.
async fn stored(storage: &Storage, workspace: &str, prompt: &str) -> SessionId {
    let meta = session(workspace);
    storage.create(meta.clone(), holder()).await.unwrap();
    storage
        .append(&meta.id, vec![said(1, prompt)], Vec::new())
        .await
        .unwrap();
    storage.release(&meta.id).await;
    meta.id
}

fn file(home: &TempDir, id: &SessionId) -> std::path::PathBuf {
    home.path().join("sessions").join(format!("{id}.redb"))
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn opened(opening: Opening) -> (SessionMeta, Vec<Arc<Entry>>) {
    match opening {
        Opening::Open { meta, entries } => (meta, entries),
        Opening::Held(holder) => panic!("held by {holder:?}"),
    }
}

#[test]
fn what_was_appended_is_there_after_a_restart() {
    let home = TempDir::new().unwrap();
    let meta = session("/work");
    let entries = vec![said(1, "  \nfix the rounding\nplease"), said(2, "and the test")];
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        storage.create(meta.clone(), holder()).await.unwrap();
        storage.append(&meta.id, entries.clone(), Vec::new()).await.unwrap();
        storage
            .append(&meta.id, vec![said(3, "more")], Vec::new())
            .await
            .unwrap();
    });
    let (found, log) = run(async {
        let storage = Storage::start(home.path()).unwrap();
        opened(storage.open(&meta.id, holder()).await.unwrap())
    });
    assert_eq!(log.len(), 3);
    assert_eq!(log[..2], entries[..]);
    assert_eq!(found.title, "fix the rounding");
    assert_eq!((found.entries, found.updated), (3, Time(1_003)));
}

#[test]
fn a_session_nothing_was_said_in_leaves_nothing_behind() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        storage.describe(meta.clone()).await.unwrap();
        assert_eq!(storage.list().await.unwrap(), Vec::new());
        storage.release(&meta.id).await;
    });
    assert_eq!(std::fs::read_dir(home.path().join("sessions")).unwrap().count(), 0);
    assert!(!home.path().join("index.redb").exists());
}

#[test]
fn a_new_session_is_listed_while_it_is_open() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![said(1, "hello")], Vec::new())
            .await
            .unwrap();
        let listed = storage.list().await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].title, "hello");
    });
}

#[test]
fn entries_are_never_written_over() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![said(1, "first"), said(2, "second")], Vec::new())
            .await
            .unwrap();
        let again = storage.append(&meta.id, vec![said(2, "instead")], Vec::new()).await;
        assert!(matches!(again, Err(StorageError::OutOfOrder { .. })), "{again:?}");
        let (_, log) = storage.read_session(&meta.id).await.unwrap();
        assert_eq!(*log, [said(1, "first"), said(2, "second")]);
    });
}

#[test]
fn nothing_is_written_to_a_session_that_is_not_open() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "/work", "hello").await;
        let refused = storage.append(&id, vec![said(2, "late")], Vec::new()).await;
        assert!(matches!(refused, Err(StorageError::NotOpen(_))), "{refused:?}");
    });
}

#[test]
fn bodies_are_stored_once_by_hash() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        let bytes: Arc<[u8]> = (0..1_000_000_u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let blob = BlobId::of(&bytes);
        for id in 1..=8 {
            storage
                .append(&meta.id, vec![said(id, "again")], vec![(blob.clone(), bytes.clone())])
                .await
                .unwrap();
        }
        assert_eq!(storage.blob(&meta.id, &blob).await.unwrap().as_deref(), Some(&*bytes));
        assert_eq!(storage.blob(&meta.id, &BlobId::of(b"other")).await.unwrap(), None);
        storage.release(&meta.id).await;
        assert_eq!(storage.blob(&meta.id, &blob).await.unwrap().as_deref(), Some(&*bytes));
        let size = std::fs::metadata(file(&home, &meta.id)).unwrap().len();
        assert!(size < 4_000_000, "eight copies of one body take {size} bytes");
    });
}

#[test]
fn folders_and_files_are_closed_to_others_also_where_they_were_open() {
    let home = TempDir::new().unwrap();
    let data = home.path().join("data");
    std::fs::create_dir_all(data.join("sessions")).unwrap();
    for open in [&data, &data.join("sessions")] {
        std::fs::set_permissions(open, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    run(async {
        let storage = Storage::start(&data).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![said(1, "hello")], Vec::new())
            .await
            .unwrap();
        storage.remember_prompt("hello").await.unwrap();
        let mut seen = 0;
        for folder in [&data, &data.join("sessions")] {
            assert_eq!(mode(folder), 0o700, "{}", folder.display());
            for item in std::fs::read_dir(folder).unwrap() {
                let path = item.unwrap().path();
                if path.is_file() {
                    assert_eq!(mode(&path), 0o600, "{}", path.display());
                    seen += 1;
                }
            }
        }
        assert!(seen >= 3, "session, lock and index were looked at");
    });
}

#[test]
fn a_session_has_one_writer_and_the_second_is_told_who() {
    let home = TempDir::new().unwrap();
    run(async {
        let first = Storage::start(home.path()).unwrap();
        let second = Storage::start(home.path()).unwrap();
        let id = stored(&first, "/work", "hello").await;
        opened(first.open(&id, holder()).await.unwrap());
        let mut other = holder();
        other.pid = 77;
        assert_eq!(second.open(&id, other.clone()).await.unwrap(), Opening::Held(holder()));
        assert!(matches!(second.delete(&id).await, Err(StorageError::Held { .. })));
        // Reading needs no lease.
        assert_eq!(second.read_session(&id).await.unwrap().1.len(), 1);
        first.release(&id).await;
        opened(second.open(&id, other).await.unwrap());
    });
}

#[test]
fn a_lock_file_of_a_dead_process_locks_nobody_out() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "/work", "hello").await;
        let lock = home.path().join("sessions").join(format!("{id}.lock"));
        std::fs::write(lock, r#"{"pid":1,"host":"gone","tty":null,"started":5}"#).unwrap();
        opened(storage.open(&id, holder()).await.unwrap());
    });
}

#[test]
fn a_reader_gets_in_between_bursts() {
    let home = TempDir::new().unwrap();
    run(async {
        let writer = Storage::start(home.path()).unwrap();
        let reader = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        writer.create(meta.clone(), holder()).await.unwrap();
        for id in 1..=5 {
            writer
                .append(&meta.id, vec![said(id, "line")], Vec::new())
                .await
                .unwrap();
            let (_, log) = reader.read_session(&meta.id).await.unwrap();
            assert_eq!(log.len() as u64, id);
        }
    });
}

#[test]
fn a_new_title_reaches_the_session_file_without_another_entry() {
    let home = TempDir::new().unwrap();
    let id = run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "/work", "hello").await;
        let (meta, _) = opened(storage.open(&id, holder()).await.unwrap());
        let renamed = SessionMeta {
            title: "greetings".to_owned(),
            entries: 99,
            ..meta
        };
        storage.describe(renamed).await.unwrap();
        id
    });
    std::fs::remove_file(home.path().join("index.redb")).unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let (meta, _) = storage.read_session(&id).await.unwrap();
        assert_eq!((meta.title.as_str(), meta.entries), ("greetings", 1));
        assert_eq!(storage.list().await.unwrap(), vec![meta]);
    });
}

#[test]
fn model_and_agent_of_a_session_follow_its_log() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        let model = ModelRef {
            provider: "local".to_owned(),
            id: "org/model".to_owned(),
        };
        let entries = vec![
            said(1, "hello"),
            entry(2, Body::Model { model: model.clone() }),
            entry(
                3,
                Body::Agent {
                    agent: AgentName("plan".to_owned()),
                },
            ),
        ];
        storage.append(&meta.id, entries, Vec::new()).await.unwrap();
        let (found, _) = storage.read_session(&meta.id).await.unwrap();
        assert_eq!((found.model, found.agent.0.as_str()), (Some(model), "plan"));
    });
}

#[test]
fn a_fork_has_the_entries_up_to_the_chosen_one_and_the_bodies() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        let body: Arc<[u8]> = Arc::from(&b"old bytes"[..]);
        let blob = BlobId::of(&body);
        storage
            .append(
                &meta.id,
                vec![said(1, "one"), said(2, "two"), said(3, "three")],
                vec![(blob.clone(), body)],
            )
            .await
            .unwrap();
        let fork = session("/work");
        storage.fork(&meta.id, Some(EntryId(2)), fork.clone()).await.unwrap();
        let (found, log) = opened(storage.open(&fork.id, holder()).await.unwrap());
        assert_eq!(*log, [said(1, "one"), said(2, "two")]);
        assert_eq!(found.title, "one");
        assert_eq!(
            storage.blob(&fork.id, &blob).await.unwrap().as_deref(),
            Some(&b"old bytes"[..])
        );
        storage
            .append(&fork.id, vec![said(3, "elsewhere")], Vec::new())
            .await
            .unwrap();
        assert_eq!(storage.read_session(&meta.id).await.unwrap().1.len(), 3);
    });
}

#[test]
fn a_deleted_session_is_gone_from_disk_and_lists() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "/work", "hello").await;
        let kept = stored(&storage, "/work", "stay").await;
        storage.delete(&id).await.unwrap();
        let listed = storage.list().await.unwrap();
        assert_eq!(listed.iter().map(|meta| &meta.id).collect::<Vec<_>>(), [&kept]);
        assert!(matches!(
            storage.open(&id, holder()).await,
            Err(StorageError::NotFound(_))
        ));
        assert!(!file(&home, &id).exists());
    });
}

#[test]
fn a_long_log_comes_back_in_order() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        let log: Vec<_> = (1..=301).map(|id| said(id, &"x".repeat(9_000))).collect();
        storage.append(&meta.id, log.clone(), Vec::new()).await.unwrap();
        assert_eq!(storage.read_session(&meta.id).await.unwrap().1, log);
    });
}

#[test]
fn an_id_is_never_a_path() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(&home.path().join("data")).unwrap();
        std::fs::write(home.path().join("precious.redb"), "x").unwrap();
        let id = SessionId("../../precious".to_owned());
        assert!(matches!(storage.delete(&id).await, Err(StorageError::NotFound(_))));
        assert!(home.path().join("precious.redb").exists());
    });
}

#[test]
fn entries_of_later_versions_survive_being_read_and_copied() {
    let text = r#"{"v":9,"id":2,"turn":1,"time":7,"kind":"hologram","depth":{"z":[1,2,3]}}"#;
    let later: Entry = serde_json::from_str(text).unwrap();
    assert!(matches!(later.body, Body::Unknown(_)));
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![said(1, "hello"), Arc::new(later)], Vec::new())
            .await
            .unwrap();
        let fork = session("/work");
        storage.fork(&meta.id, None, fork.clone()).await.unwrap();
        let (_, log) = storage.read_session(&fork.id).await.unwrap();
        let back: serde_json::Value = serde_json::to_value(log[1].as_ref()).unwrap();
        let sent: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(back, sent);
    });
}

fn bodies() -> impl Strategy<Value = Body> {
    let text = ".{0,40}";
    proptest::prop_oneof![
        (text, proptest::collection::vec(text, 0..3)).prop_map(|(text, notes)| Body::User { text, notes }),
        (text, text, any::<bool>()).prop_map(|(text, raw, cut)| Body::Assistant {
            text,
            reasoning: String::new(),
            calls: vec![ToolCall {
                id: CallId("c1".to_owned()),
                name: "bash".to_owned(),
                arguments: Arguments::Raw(raw),
            }],
            model: ModelRef {
                provider: "p".to_owned(),
                id: "a/b".to_owned(),
            },
            usage: None,
            error: cut.then(|| "cut".to_owned()),
        }),
        (text, text, any::<u64>()).prop_map(|(output, title, took)| Body::ToolResult {
            call: CallId("c1".to_owned()),
            tool: "bash".to_owned(),
            title,
            status: CallStatus::Ok,
            summary: String::new(),
            output,
            truncated: false,
            notes: Vec::new(),
            took_ms: took >> 12,
        }),
        (text, any::<bool>()).prop_map(|(path, new)| Body::Change {
            call: CallId("c1".to_owned()),
            path,
            before: (!new).then(|| BlobId::of(b"before")),
            after: Some(BlobId::of(b"after")),
            added: 1,
            removed: 0,
        }),
        proptest::strategy::Just(Body::TurnEnded {
            outcome: TurnOutcome::ValidationFailed,
            steps: 3,
            usage: crate::domain::budget::Usage::default(),
        }),
    ]
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]
    #[test]
    fn any_log_comes_back_as_it_was_written(log in proptest::collection::vec(bodies(), 1..12)) {
        let home = TempDir::new().unwrap();
        let entries: Vec<_> = (1_u64..).zip(log).map(|(id, body)| entry(id, body)).collect();
        run(async {
            let storage = Storage::start(home.path()).unwrap();
            let meta = session("/work");
            storage.create(meta.clone(), holder()).await.unwrap();
            for part in entries.chunks(3) {
                storage.append(&meta.id, part.to_vec(), Vec::new()).await.unwrap();
            }
            let (_, back) = storage.read_session(&meta.id).await.unwrap();
            assert_eq!(back, entries);
        });
    }
}

#[test]
fn starting_costs_next_to_nothing_and_opens_no_database() {
    let home = TempDir::new().unwrap();
    let mut costs: Vec<Duration> = (0..9)
        .map(|_| {
            let begun = std::time::Instant::now();
            let storage = Storage::start(home.path()).unwrap();
            let cost = begun.elapsed();
            drop(storage);
            cost
        })
        .collect();
    costs.sort();
    assert!(costs[4] < Duration::from_millis(2), "{costs:?}");
    assert!(!home.path().join("index.redb").exists());
}
