mod scale;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use super::{Found, Index, Query, Searcher};
use crate::tests::{holder, meta, run};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, SessionId, TurnId};
use benchdog_base::text::places;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::session::SessionMeta;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_storage::Storage;

pub(super) fn user(text: &str) -> Body {
    Body::User {
        text: text.to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    }
}

pub(super) fn ran(title: &str, output: &str) -> Body {
    Body::ToolResult {
        call: CallId("c".to_owned()),
        tool: "bash".to_owned(),
        title: title.to_owned(),
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

fn entries(from: u64, bodies: Vec<Body>, time: i64) -> Vec<Arc<Entry>> {
    let entries = (from..).zip(bodies).map(|(id, body)| {
        Arc::new(Entry {
            id: EntryId(id),
            turn: TurnId(1),
            time: Time(time),
            body,
        })
    });
    entries.collect()
}

pub(super) async fn stored(storage: &Storage, bodies: Vec<Body>, time: i64) -> SessionId {
    let meta = SessionMeta {
        updated: Time(time),
        created: Time(time),
        ..meta()
    };
    storage.create(meta.clone(), holder()).await.unwrap();
    storage
        .append(&meta.id, entries(1, bodies, time), Vec::new())
        .await
        .unwrap();
    storage.release(&meta.id).await;
    meta.id
}

async fn found(storage: &Storage, home: &Path, query: &str) -> Vec<Found> {
    let sessions = storage.list().await.unwrap();
    let searcher = Searcher::open(home, home, sessions, &mut |_| ()).unwrap();
    searcher.search(&Query::of(query)).unwrap()
}

fn hits(found: &[Found]) -> Vec<(SessionId, Vec<u64>)> {
    let entries = |found: &Found| found.hits.iter().map(|hit| hit.entry.0).collect();
    found
        .iter()
        .map(|found| (found.meta.id.clone(), entries(found)))
        .collect()
}

#[test]
fn prompts_titles_and_the_beginning_of_outputs_are_found_newest_session_first() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let long = format!("error: mismatched types\n{}the end", "line\n".repeat(20));
        let old = stored(
            &storage,
            vec![user("fix the date bug"), ran("cargo check -p dates", &long)],
            1_000,
        )
        .await;
        let new = stored(
            &storage,
            vec![
                user("修复日期错误"),
                user("Update the DATE format in src/date_format.rs"),
            ],
            2_000,
        )
        .await;
        for (query, wanted) in [
            ("date", vec![(new.clone(), vec![2]), (old.clone(), vec![1, 2])]),
            ("DATE bug", vec![(old.clone(), vec![1])]),
            ("\"the date\"", vec![(new.clone(), vec![2]), (old.clone(), vec![1])]),
            ("\"format the\"", vec![]),
            ("ormat.r", vec![(new.clone(), vec![2])]),
            ("日期", vec![(new.clone(), vec![1])]),
            ("复日期错", vec![(new.clone(), vec![1])]),
            ("期", vec![(new.clone(), vec![1])]),
            ("日错", vec![]),
            ("mismatched", vec![(old.clone(), vec![2])]),
            ("bash check", vec![(old.clone(), vec![2])]),
            ("end", vec![]),
            ("nowhere", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(hits(&found(&storage, home.path(), query).await), wanted, "{query}");
        }
    });
}

#[test]
fn whole_words_come_before_parts_of_words() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let whole = stored(&storage, vec![user("updates"), user("the date"), user("dates")], 1_000).await;
        let part = stored(&storage, vec![user("everything is updated")], 2_000).await;
        let found = found(&storage, home.path(), "date").await;
        assert_eq!(hits(&found), [(whole, vec![1, 2, 3]), (part, vec![1])]);
        assert!(found.iter().all(|found| found.has_all_words));
    });
}

#[test]
fn if_no_entry_has_all_words_the_sessions_with_most_of_them_are_found_best_first() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let best = stored(&storage, vec![user("a parser"), user("the date bug is back")], 1_000).await;
        let half = stored(&storage, vec![user("修复日期错误: fixed the clock")], 2_000).await;
        stored(&storage, vec![user("fixed")], 3_000).await;
        let most = found(&storage, home.path(), "fixed the date bug").await;
        assert_eq!(hits(&most), [(best.clone(), vec![2]), (half.clone(), vec![1])]);
        assert!(most.iter().all(|found| !found.has_all_words));
        let cjk = found(&storage, home.path(), "修复 时间 错误").await;
        assert_eq!(hits(&cjk), [(half, vec![1])]);
        assert_eq!(hits(&found(&storage, home.path(), "nowhere at home").await), []);
    });
}

#[test]
fn a_phrase_is_found_after_many_entries_that_only_have_its_words() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let mut bodies = vec![user("the date of a bug"); 20];
        bodies.push(user("the date bug"));
        let id = stored(&storage, bodies, 1_000).await;
        assert_eq!(
            hits(&found(&storage, home.path(), "\"date bug\"").await),
            [(id, vec![21])]
        );
    });
}

#[test]
fn only_changed_sessions_are_read_again_and_a_deleted_one_is_gone() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let one = stored(&storage, vec![user("alpha")], 1_000).await;
        let two = stored(&storage, vec![user("alpha beta")], 2_000).await;
        assert_eq!(found(&storage, home.path(), "alpha").await.len(), 2);
        storage.open(&one, holder()).await.unwrap();
        storage
            .append(&one, entries(2, vec![user("gamma")], 3_000), Vec::new())
            .await
            .unwrap();
        storage.release(&one).await;
        let sessions = storage.list().await.unwrap();
        let mut read = Vec::new();
        Searcher::open(home.path(), home.path(), sessions, &mut |left| read.push(left)).unwrap();
        assert_eq!(read, [1]);
        assert_eq!(
            hits(&found(&storage, home.path(), "gamma").await),
            [(one.clone(), vec![2])]
        );
        assert_eq!(
            hits(&found(&storage, home.path(), "alpha").await),
            [(one, vec![1]), (two.clone(), vec![1])]
        );
        storage.delete(&two).await.unwrap();
        assert_eq!(hits(&found(&storage, home.path(), "beta").await), []);
        for file in std::fs::read_dir(home.path().join("search")).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(places(&bytes, b"beta").is_empty(), "its words are gone, too");
        }
        assert_eq!(found(&storage, home.path(), "gamma").await.len(), 1);
    });
}

#[test]
fn many_small_updates_are_merged_and_every_session_is_still_found() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let mut ids = Vec::new();
        for number in 0..30 {
            ids.push(
                stored(
                    &storage,
                    vec![user(&format!("common word{number} 日期{number}"))],
                    number,
                )
                .await,
            );
            found(&storage, home.path(), "common").await;
        }
        let segments = std::fs::read_dir(home.path().join("search")).unwrap().count();
        assert!(segments <= 10, "{segments} files");
        for (number, id) in ids.iter().enumerate() {
            let hits = hits(&found(&storage, home.path(), &format!("word{number} 日期{number}")).await);
            assert!(hits.contains(&(id.clone(), vec![1])), "{number}: {hits:?}");
        }
        assert_eq!(found(&storage, home.path(), "common").await.len(), 30);
    });
}

#[test]
fn a_damaged_index_is_built_again_and_never_shows_a_wrong_hit() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, vec![user("alpha beta"), user("gamma")], 1_000).await;
        assert_eq!(found(&storage, home.path(), "alpha").await.len(), 1);
        let segment = std::fs::read_dir(home.path().join("search"))
            .unwrap()
            .map(|file| file.unwrap().path())
            .find(|path| path.extension().is_some_and(|ending| ending == "seg"))
            .unwrap();
        let whole = std::fs::read(&segment).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x41;
            std::fs::write(&segment, &flipped).unwrap();
            for query in ["alpha", "gamma", "delta"] {
                let searcher = Searcher {
                    data: home.path().to_owned(),
                    sessions: HashMap::from([(id.0.clone(), storage.list().await.unwrap().remove(0))]),
                    index: Index::open(home.path()).unwrap(),
                };
                let found = searcher.search(&Query::of(query));
                for hit in found.unwrap_or_default().iter().flat_map(|found| &found.hits) {
                    assert_eq!(hit.entry.0, if query == "alpha" { 1 } else { 2 }, "{query}, byte {at}");
                    assert_ne!(query, "delta");
                }
            }
        }
        std::fs::write(&segment, &whole[..whole.len() / 2]).unwrap();
        assert_eq!(hits(&found(&storage, home.path(), "alpha").await), [(id, vec![1])]);
    });
}
