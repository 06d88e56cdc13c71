mod check;
mod crash;
mod damage;
mod entries;
mod index;
mod lease;
mod speed;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use super::{Opening, Storage, StorageError};
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, CallId, EntryId, SessionId, TurnId};
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::session::{LeaseHolder, SessionMeta};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;

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
        detached: false,
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
        window: None,
        parent: None,
        tag: None,
        forked_from: None,
    }
}

fn said(id: u64, text: &str) -> Arc<Entry> {
    entry(
        id,
        Body::User {
            text: text.to_owned(),
            mentions: Vec::new(),
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

fn result(call: &str, output: &str) -> Body {
    Body::ToolResult {
        call: CallId(call.to_owned()),
        tool: "read".to_owned(),
        title: String::new(),
        status: CallStatus::Ok,
        summary: Summary::Empty,
        output: output.to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    }
}

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
        Opening::Open { meta, history } => (meta, history.entries().to_vec()),
        other => panic!("{other:?}"),
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
fn a_session_that_began_with_a_command_is_called_by_it() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        let command = Body::Shell {
            call: None,
            command: "ls -l".to_owned(),
            output: String::new(),
            summary: Summary::Words("exit 0".to_owned()),
            status: CallStatus::Ok,
            findings: Vec::new(),
        };
        let log = vec![entry(1, command), said(2, "what is in it?")];
        storage.append(&meta.id, log, Vec::new()).await.unwrap();
        assert_eq!(storage.list().await.unwrap()[0].title, "!ls -l");
    });
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
            entry(
                2,
                Body::Model {
                    model: model.clone(),
                    with: None,
                    until_then: None,
                },
            ),
            entry(
                3,
                Body::Agent {
                    agent: AgentName("plan".to_owned()),
                    until_then: None,
                },
            ),
        ];
        storage.append(&meta.id, entries, Vec::new()).await.unwrap();
        let (found, _) = storage.read_session(&meta.id).await.unwrap();
        assert_eq!((found.model, found.agent.0.as_str()), (Some(model), "plan"));
    });
}

#[test]
fn the_title_of_a_stored_session_changes_and_that_of_an_open_one_does_not() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![said(1, "one")], Vec::new())
            .await
            .unwrap();
        let held = storage.retitle(&meta.id, "two".to_owned(), holder()).await;
        let Err(StorageError::Held { session, holder: own }) = held else {
            panic!("{held:?}")
        };
        let process = format!("process {} on `bench` (/dev/pts/3)", own.pid);
        let detached = LeaseHolder {
            detached: true,
            ..own.clone()
        };
        for (holder, place) in [
            (own, process),
            (
                detached,
                format!("a detached workbench. `benchdog attach {}` shows it", session.short()),
            ),
        ] {
            let session = session.clone();
            let told = StorageError::Held { session, holder }.to_string();
            assert_eq!(told, format!("the session `{}` is open in {place}", meta.id));
        }
        storage.release(&meta.id).await;
        storage.retitle(&meta.id, "two".to_owned(), holder()).await.unwrap();
        let (found, log) = storage.read_session(&meta.id).await.unwrap();
        assert_eq!((found.title.as_str(), log.len()), ("two", 1));
        let (id, short) = (meta.id.0.get(..12).unwrap(), meta.id.short());
        for part in [id, short.get(..5).unwrap(), short] {
            assert_eq!(storage.find_one(part).await.unwrap(), meta.id, "{part}");
        }
        let listed = storage.list().await.unwrap();
        assert_eq!(
            listed.iter().map(|meta| meta.title.as_str()).collect::<Vec<_>>(),
            ["two"]
        );
        opened(storage.open(&meta.id, holder()).await.unwrap());
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
