//! Tests that entries are read as they were written, in order, in every format version.

use benchdog_domain::failure::Cut;
use benchdog_domain::message::{Seal, Sealed};
use benchdog_domain::note::Note;
use proptest::prelude::{Strategy, any, proptest};

use super::*;

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
fn long_results_come_back_whole_as_far_as_they_are_held() {
    let home = TempDir::new().unwrap();
    let meta = session("/work");
    let long = |id: u64| result("c1", &format!("{id}: a \"line\"\n").repeat(130_000));
    let log: Vec<_> = (1..=30)
        .map(|id| {
            if id % 2 == 1 {
                said(id, "ask")
            } else {
                entry(id, long(id))
            }
        })
        .collect();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        storage.create(meta.clone(), holder()).await.unwrap();
        storage.append(&meta.id, log.clone(), Vec::new()).await.unwrap();
        storage.release(&meta.id).await;
        let bytes = file(&home, &meta.id).metadata().unwrap().len();
        assert!(bytes >= 24 << 20, "{bytes} bytes are read whole");
        let (_, found) = opened(storage.open(&meta.id, holder()).await.unwrap());
        let held = found
            .iter()
            .filter(|entry| matches!(entry.body, Body::ToolResult { .. }));
        assert!((4..12).contains(&held.count()));
        assert!(found.iter().all(|entry| log.contains(entry)));
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
        (text, proptest::collection::vec(text, 0..3)).prop_map(|(text, notes)| Body::User {
            text,
            mentions: Vec::new(),
            notes: notes
                .into_iter()
                .enumerate()
                .map(|(place, text)| match place {
                    0 => Note::from(text),
                    1 => Note::rules("src/a", text),
                    _ => Note::repository(text),
                })
                .collect()
        }),
        (text, text, any::<bool>()).prop_map(|(text, raw, cut)| Body::Assistant {
            text,
            reasoning: String::new(),
            seals: vec![
                Seal {
                    upto: 0,
                    text: 0,
                    calls: 0,
                    sealed: Sealed::Signature(raw.clone()),
                },
                Seal {
                    upto: 7,
                    text: 2,
                    calls: 1,
                    sealed: Sealed::Withheld(raw.clone()),
                },
            ],
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
            error: cut.then_some(Cut::Interrupted),
        }),
        (text, text, any::<u64>()).prop_map(|(output, title, took)| Body::ToolResult {
            call: CallId("c1".to_owned()),
            tool: "bash".to_owned(),
            title,
            status: CallStatus::Ok,
            summary: Summary::NotRun,
            output,
            truncated: false,
            notes: Vec::new(),
            took_ms: took >> 12,
            places: Vec::new(),
            images: Vec::new()
        }),
        (text, any::<bool>()).prop_map(|(path, new)| Body::Change {
            call: CallId("c1".to_owned()),
            path,
            before: (!new).then(|| BlobId::of(b"before")),
            after: Some(BlobId::of(b"after")),
            added: 1,
            removed: 0,
            moved: Vec::new(),
            undoes: if new { vec![EntryId(7)] } else { Vec::new() },
            in_part: new,
            mode_before: new.then_some(0o600),
            job: new.then_some(benchdog_domain::job::JobId(1)),
        }),
        proptest::strategy::Just(Body::TurnEnded {
            outcome: TurnOutcome::ValidationFailed,
            steps: 3,
            usage: benchdog_domain::budget::Usage::default(),
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
