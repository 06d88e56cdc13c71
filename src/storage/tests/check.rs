//! Tests the detection of a changed byte, a lost page or a lost entry, and the recovery of the readable part.

use redb::{Database, TableDefinition};

use super::super::check::{Repair, check};
use super::*;
use benchdog_domain::damage::{Checked, Flaw};

const ENTRIES: TableDefinition<u64, &[u8]> = TableDefinition::new("entries");
const SUMS: TableDefinition<u64, u32> = TableDefinition::new("sums");

/// Creates a session of many pages: `entries` prompts of 3 KB. Also returns the list of sessions.
async fn long(storage: &Storage, entries: u64) -> (SessionId, Vec<SessionMeta>) {
    let meta = session("/work");
    storage.create(meta.clone(), holder()).await.unwrap();
    for id in 1..=entries {
        let text = format!("prompt {id} {}", "long ".repeat(600));
        storage
            .append(&meta.id, vec![said(id, &text)], Vec::new())
            .await
            .unwrap();
    }
    storage.release(&meta.id).await;
    let listed = storage.list().await.unwrap();
    (meta.id, listed)
}

fn checked(home: &TempDir, id: &SessionId, listed: &[SessionMeta], repair: Repair) -> Checked {
    check(home.path(), id, listed.iter().find(|meta| meta.id == *id), repair).unwrap()
}

fn missing(from: u64, upto: u64) -> Flaw {
    Flaw::Missing {
        from: EntryId(from),
        upto: EntryId(upto),
    }
}

fn asks(call: &str) -> Body {
    Body::Assistant {
        text: String::new(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls: vec![ToolCall {
            id: CallId(call.to_owned()),
            name: "read".to_owned(),
            arguments: Arguments::Raw(String::new()),
        }],
        model: ModelRef::none(),
        usage: None,
        error: None,
    }
}

fn place(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).position(|here| here == wanted).unwrap()
}

#[test]
fn a_changed_letter_is_found_and_the_rest_is_saved() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let (id, listed) = long(&storage, 9).await;
        let path = file(&home, &id);
        let mut bytes = std::fs::read(&path).unwrap();
        let letter = b"prompt 4 l";
        while let Some(at) = bytes.windows(letter.len()).position(|here| here == letter) {
            bytes[at] = b'P';
        }
        std::fs::write(&path, &bytes).unwrap();
        let refused = storage.open(&id, holder()).await;
        let Err(error @ StorageError::Damaged { .. }) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(error.code(), "session_damaged");
        assert!(error.to_string().contains("entry 4 is not what was written"), "{error}");
        let told = checked(&home, &id, &listed, Repair::IntoNew);
        assert_eq!((told.flaws, told.read, told.written), (vec![missing(4, 4)], 8, 9));
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "the damaged file is as it was");
        let (meta, log) = opened(storage.open(&told.saved.unwrap(), holder()).await.unwrap());
        let ids: Vec<u64> = log.iter().map(|entry| entry.id.0).collect();
        assert_eq!(ids, [1, 2, 3, 5, 6, 7, 8, 9]);
        assert_eq!((meta.workspace.as_str(), meta.entries), ("/work", 9));
        storage
            .append(&meta.id, vec![said(10, "on")], Vec::new())
            .await
            .unwrap();
        storage.release(&meta.id).await;
        assert_eq!(checked(&home, &meta.id, &[], Repair::No).flaws, []);
    });
}

#[test]
fn an_entry_or_a_description_that_is_gone_or_replaced_is_found() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let (id, listed) = long(&storage, 3).await;
        assert_eq!(checked(&home, &id, &listed, Repair::No).flaws, []);
        let database = Database::open(file(&home, &id)).unwrap();
        let transaction = database.begin_write().unwrap();
        transaction.open_table(ENTRIES).unwrap().remove(2).unwrap();
        transaction.commit().unwrap();
        drop(database);
        let refused = storage.read_session(&id).await.unwrap_err();
        assert!(refused.to_string().contains("entry 2 is missing"), "{refused}");
        assert_eq!(checked(&home, &id, &listed, Repair::No).written, 3);
        let other = stored(&storage, "/work", "hello").await;
        let meta: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");
        let database = Database::open(file(&home, &other)).unwrap();
        let transaction = database.begin_write().unwrap();
        let changed = serde_json::to_vec(&session("/elsewhere")).unwrap();
        transaction
            .open_table(meta)
            .unwrap()
            .insert("session", changed.as_slice())
            .unwrap();
        transaction.commit().unwrap();
        drop(database);
        let refused = storage.open(&other, holder()).await.unwrap_err();
        assert!(refused.to_string().contains("description was changed"), "{refused}");
    });
}

#[test]
fn a_file_without_checksums_opens_and_goes_on() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let (id, listed) = long(&storage, 3).await;
        let database = Database::open(file(&home, &id)).unwrap();
        let transaction = database.begin_write().unwrap();
        transaction.delete_table(SUMS).unwrap();
        transaction.commit().unwrap();
        drop(database);
        opened(storage.open(&id, holder()).await.unwrap());
        storage.append(&id, vec![said(4, "on")], Vec::new()).await.unwrap();
        storage.release(&id).await;
        assert_eq!(checked(&home, &id, &listed, Repair::No).flaws, []);
        assert_eq!(storage.read_session(&id).await.unwrap().1.len(), 4);
    });
}

#[test]
fn a_result_without_its_call_is_told_and_not_saved() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        let log = vec![said(1, "look"), entry(2, result("nobody's", ""))];
        storage.append(&meta.id, log, Vec::new()).await.unwrap();
        storage.release(&meta.id).await;
        let told = checked(&home, &meta.id, &[], Repair::IntoNew);
        assert_eq!((told.flaws, told.read), (vec![Flaw::Orphaned { entry: EntryId(2) }], 1));
        assert_eq!(storage.read_session(&told.saved.unwrap()).await.unwrap().1.len(), 1);
    });
}

#[test]
fn a_result_behind_its_call_is_no_flaw_also_beside_one_that_is() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        for (log, flaws) in [
            (vec![asks("one"), result("one", "")], Vec::new()),
            (
                vec![asks("one"), result("one", ""), result("nobody's", "")],
                vec![Flaw::Orphaned { entry: EntryId(3) }],
            ),
        ] {
            let meta = session("/work");
            storage.create(meta.clone(), holder()).await.unwrap();
            let log = (1..).zip(log).map(|(id, body)| entry(id, body)).collect();
            storage.append(&meta.id, log, Vec::new()).await.unwrap();
            storage.release(&meta.id).await;
            let told = checked(&home, &meta.id, &[], Repair::No);
            assert_eq!((told.flaws, told.read), (flaws, 2));
        }
    });
}

#[test]
fn of_a_torn_file_every_entry_that_stands_in_it_is_saved() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let (id, listed) = long(&storage, 12).await;
        let path = file(&home, &id);
        let sound = std::fs::read(&path).unwrap();
        let half = place(&sound, b"prompt 7 l");
        for (how, bytes) in [
            ("cut", sound[..half].to_vec()),
            ("no head", [vec![0; 4_096], sound[4_096..].to_vec()].concat()),
            ("other text", b"no session\n".repeat(400)),
        ] {
            std::fs::write(&path, &bytes).unwrap();
            let told = checked(&home, &id, &listed, Repair::IntoNew);
            assert_eq!(told.written, 12, "{how}: {told:?}");
            assert!(!told.flaws.is_empty(), "{how}");
            let standing = (1..=12).filter(|id| {
                let begins = format!("prompt {id} {}", "long ".repeat(600));
                bytes.windows(begins.len()).any(|here| here == begins.as_bytes())
            });
            assert_eq!(told.read, standing.count() as u64, "{how}: {told:?}");
            let Some(saved) = told.saved else { continue };
            let (meta, _) = opened(storage.open(&saved, holder()).await.unwrap());
            assert_eq!(meta.workspace, "/work", "{how}");
            storage.append(&saved, vec![said(13, "on")], Vec::new()).await.unwrap();
        }
        assert_eq!(storage.list().await.unwrap().len(), 3, "two were saved");
    });
}

#[test]
fn what_only_the_list_still_knows_is_told() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let (id, mut listed) = long(&storage, 2).await;
        listed[0].entries = 4;
        let told = checked(&home, &id, &listed, Repair::No);
        assert_eq!((told.flaws, told.read, told.written), (vec![missing(3, 4)], 2, 4));
    });
}
