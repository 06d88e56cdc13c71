//! Measures the cost of an entry, and prints it. The limits are loose, because other work shares the machine.

use std::time::{Duration, Instant};

use super::*;

fn middle(mut costs: Vec<Duration>) -> (Duration, Duration) {
    costs.sort();
    (costs[costs.len() / 2], costs[costs.len() * 99 / 100])
}

#[test]
fn an_entry_is_durable_within_milliseconds() {
    let home = TempDir::new_in(std::env::temp_dir()).unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let (mut firsts, mut appends, mut after_pause) = (Vec::new(), Vec::new(), Vec::new());
        let text = "x".repeat(1_000);
        for _ in 0..10 {
            let meta = session("/work");
            storage.create(meta.clone(), holder()).await.unwrap();
            let begun = Instant::now();
            storage
                .append(&meta.id, vec![said(1, &text)], Vec::new())
                .await
                .unwrap();
            firsts.push(begun.elapsed());
            for id in 2..32 {
                let begun = Instant::now();
                storage
                    .append(&meta.id, vec![said(id, &text)], Vec::new())
                    .await
                    .unwrap();
                appends.push(begun.elapsed());
            }
            tokio::time::sleep(super::super::writer::BURST * 2).await;
            let begun = Instant::now();
            storage
                .append(&meta.id, vec![said(40, &text)], Vec::new())
                .await
                .unwrap();
            after_pause.push(begun.elapsed());
            storage.release(&meta.id).await;
        }
        let (first, _) = middle(firsts);
        let (append, worst) = middle(appends);
        let (reopened, _) = middle(after_pause);
        println!("first {first:?}  append p50 {append:?} p99 {worst:?}  after a pause {reopened:?}");
        assert!(append < Duration::from_millis(50), "{append:?}");
        assert!(first < Duration::from_millis(500), "{first:?}");
    });
}

#[test]
fn five_thousand_sessions_slow_neither_the_start_nor_a_first_entry() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let first = stored(&storage, "/work", "the one").await;
        storage.list().await.unwrap();
        let rows = (0..5_000).map(|n| {
            let meta = session(&format!("/other/{n}"));
            // These sessions are never opened, so hard links to one file are sufficient.
            std::fs::hard_link(file(&home, &first), file(&home, &meta.id)).unwrap();
            super::super::index_file::Change::Row(Box::new(meta))
        });
        futures::future::join_all(rows.map(|row| storage.change(row)))
            .await
            .into_iter()
            .for_each(|done| done.unwrap());
        drop(storage);
        let begun = Instant::now();
        let storage = Storage::start(home.path()).unwrap();
        let started = begun.elapsed();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![said(1, "hello")], Vec::new())
            .await
            .unwrap();
        let appended = begun.elapsed();
        let begun = Instant::now();
        assert_eq!(
            storage.newest_in("/other/77", None).await.unwrap().unwrap().workspace,
            "/other/77"
        );
        let found = begun.elapsed();
        println!("start {started:?}  first entry on disk {appended:?}  newest in a folder {found:?}");
        assert!(started < Duration::from_millis(10), "{started:?}");
        assert!(appended < Duration::from_millis(500), "{appended:?}");
        assert!(found < Duration::from_secs(2), "{found:?}");
    });
}
