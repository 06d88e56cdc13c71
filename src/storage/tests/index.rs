//! Tests of the index: stored data, concurrent use, and repair.

use super::super::index_file::TrustAnswer;
use super::super::trash;
use super::*;

#[test]
fn prompts_come_back_newest_last_and_the_same_twice_is_one() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        assert_eq!(storage.history(10).await.unwrap(), Vec::<String>::new());
        for text in ["one", "two", "two", "one", "three\nlines"] {
            storage.remember_prompt(text).await.unwrap();
        }
    });
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let all = storage.history(usize::MAX).await.unwrap();
        assert_eq!(all, ["one", "two", "one", "three\nlines"]);
        assert_eq!(storage.history(2).await.unwrap(), ["one", "three\nlines"]);
    });
}

#[test]
fn the_history_is_bounded_and_the_oldest_go_first() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let all: Vec<_> = (0..10_050).map(|n| format!("prompt {n}")).collect();
        futures::future::join_all(all.iter().map(|text| storage.remember_prompt(text)))
            .await
            .into_iter()
            .for_each(|done| done.unwrap());
        let kept = storage.history(usize::MAX).await.unwrap();
        assert_eq!(kept.len(), 10_000);
        assert_eq!(kept[0], "prompt 50");
        assert_eq!(kept[9_999], "prompt 10049");
    });
}

#[test]
fn how_things_are_shown_is_kept_for_the_next_start_and_the_newest_counts() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        assert_eq!(storage.view("diff.layout").await.unwrap(), "");
        storage.keep_view("diff.layout", "unified").await.unwrap();
        storage.keep_view("diff.layout", "side_by_side").await.unwrap();
        storage.keep_view("other", "unified").await.unwrap();
    });
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        assert_eq!(storage.view("diff.layout").await.unwrap(), "side_by_side");
        assert_eq!(storage.view("nothing").await.unwrap(), "");
    });
}

#[test]
fn drafts_and_trust_belong_to_their_folder() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let answer = TrustAnswer {
            trusted: true,
            hash: "abc".to_owned(),
        };
        storage.save_draft("/a", "half a thought").await.unwrap();
        storage.save_draft("/b", "另一個").await.unwrap();
        storage.set_trust("/a", answer.clone()).await.unwrap();
        assert_eq!(storage.draft("/a").await.unwrap().text, "half a thought");
        assert_eq!(storage.draft("/b").await.unwrap().text, "另一個");
        assert_eq!(storage.draft("/c").await.unwrap().text, "");
        // If a folder has several open sessions, the draft key of each further session has a suffix.
        storage.save_draft("/a\0one", "beside").await.unwrap();
        storage.save_draft("/aa\0two", "of another folder").await.unwrap();
        let beside = storage.drafts_of("/a\0").await.unwrap();
        assert_eq!(beside, [("/a\0one".to_owned(), "beside".to_owned())]);
        storage.save_draft("/a\0one", "").await.unwrap();
        assert_eq!(storage.drafts_of("/a\0").await.unwrap(), []);
        assert_eq!(storage.trust("/a").await.unwrap(), Some(answer));
        assert_eq!(storage.trust("/b").await.unwrap(), None);
        storage.save_draft("/a", "").await.unwrap();
        assert_eq!(storage.draft("/a").await.unwrap().text, "");
    });
}

#[test]
fn a_first_prompt_is_part_of_the_draft_until_it_is_forgotten() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        storage.save_draft("/a", "half").await.unwrap();
        storage.keep_first_prompt("/a", "half a thought".to_owned()).await;
        storage.keep_first_prompt("/a\0one", "beside".to_owned()).await;
        let beside = [("/a\0one".to_owned(), "beside".to_owned())];
        assert_eq!(storage.drafts_of("/a\0").await.unwrap(), beside);
        storage.forget_first_prompt("/a\0one");
        assert_eq!(storage.drafts_of("/a\0").await.unwrap(), []);
        storage.save_draft("/b", "typed since").await.unwrap();
        storage.keep_first_prompt("/b", "sent".to_owned()).await;
        assert_eq!(storage.draft("/c").await.unwrap().text, "");
        assert_eq!(storage.draft("/a").await.unwrap().text, "half a thought");
        assert_eq!(storage.draft("/b").await.unwrap().text, "sent\n\ntyped since");
    });
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        assert_eq!(storage.draft("/a").await.unwrap().text, "half a thought");
        assert_eq!(storage.draft("/b").await.unwrap().text, "sent\n\ntyped since");
    });
}

#[test]
fn what_was_just_said_is_read_back_at_once() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        // The first request is not awaited, but the read sees its data.
        let saving = storage.save_draft("/a", "draft");
        let reading = storage.draft("/a");
        let (saved, read) = tokio::join!(saving, reading);
        saved.unwrap();
        assert_eq!(read.unwrap().text, "draft");
    });
}

#[test]
fn a_session_in_the_trash_comes_back_whole_until_a_day_has_passed() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "/a", "kept").await;
        let other = stored(&storage, "/a", "other").await;
        let before = storage.read_session(&id).await.unwrap();
        storage.trash(&id).await.unwrap();
        let listed: Vec<_> = storage.list().await.unwrap().into_iter().map(|meta| meta.id).collect();
        assert_eq!(listed, [other]);
        assert_eq!(trash::list(home.path()), std::slice::from_ref(&before.0));
        trash::empty(home.path());
        assert_eq!(trash::restore(home.path(), id.short()).unwrap(), id);
        assert_eq!(storage.list().await.unwrap().len(), 2);
        assert_eq!(storage.read_session(&id).await.unwrap(), before);
        storage.trash(&id).await.unwrap();
        let held = home.path().join("trash").join(format!("{id}.redb"));
        let yesterday = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
        let file = std::fs::File::options().write(true).open(&held).unwrap();
        file.set_modified(yesterday).unwrap();
        trash::empty(home.path());
        assert!(!held.exists());
        assert!(matches!(
            trash::restore(home.path(), &id.0),
            Err(StorageError::NotFound(_))
        ));
    });
}

#[test]
fn the_session_of_a_terminal_comes_before_newer_ones_until_the_terminal_is_another() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let older = stored(&storage, "/a", "older").await;
        let newer = stored(&storage, "/a", "newer").await;
        let other = stored(&storage, "/b", "other").await;
        let device = home.path().join("tty");
        std::fs::write(&device, "").unwrap();
        let terminal = device.to_str().unwrap();
        let found = |folder: &'static str| async {
            let found = storage.newest_in(folder, Some(terminal)).await.unwrap();
            found.unwrap().id
        };
        assert_eq!(found("/a").await, newer);
        storage.use_in_terminal(terminal, &older).await.unwrap();
        assert_eq!(found("/a").await, older);
        assert_eq!(found("/b").await, other, "it is of another folder");
        // The name of the terminal device is used again.
        let late = home.path().join("late");
        std::fs::write(&late, "").unwrap();
        std::fs::rename(&late, &device).unwrap();
        assert_eq!(found("/a").await, newer);
    });
}

#[test]
fn lists_are_newest_first_and_newest_in_looks_at_the_folder() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let older = stored(&storage, "/a", "older").await;
        let other = stored(&storage, "/b", "other").await;
        let newer = stored(&storage, "/a", "newer").await;
        let listed: Vec<_> = storage.list().await.unwrap().into_iter().map(|meta| meta.id).collect();
        assert_eq!(listed, [newer.clone(), other.clone(), older.clone()]);
        assert_eq!(storage.newest_in("/b", None).await.unwrap().unwrap().id, other);
        assert_eq!(storage.newest_in("/c", None).await.unwrap(), None);
        let latest = || async { storage.latest_in("/a").await.unwrap().map(|meta| meta.id) };
        assert_eq!(latest().await, Some(newer.clone()));
        assert_eq!(storage.latest_in("/c").await.unwrap(), None);
        // Work in the older session makes it the newest.
        opened(storage.open(&older, holder()).await.unwrap());
        storage
            .append(&older, vec![said(9, "again")], Vec::new())
            .await
            .unwrap();
        storage.release(&older).await;
        assert_eq!(storage.newest_in("/a", None).await.unwrap().unwrap().id, older);
        assert_eq!(latest().await, Some(older.clone()));
        assert_eq!(storage.find(older.short()).await.unwrap()[0].id, older);
        assert_eq!(storage.find(&newer.0).await.unwrap().len(), 1);
        assert_eq!(storage.find("").await.unwrap(), Vec::new());
        storage.delete(&older).await.unwrap();
        assert_eq!(latest().await, None, "a deleted session is not named");
    });
}

/// The clock was sixty years ahead, and was then corrected.
#[test]
fn a_list_is_in_the_order_in_which_sessions_grew_whatever_the_clock_said() {
    let home = TempDir::new().unwrap();
    let listed = |storage: Storage| async move {
        let all = storage.list().await.unwrap();
        all.into_iter().map(|meta| meta.title).collect::<Vec<_>>()
    };
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let mut ids = Vec::new();
        for (time, prompt) in [(2_000_000_000_000, "ahead"), (1_000, "behind"), (0, "before 1970")] {
            let meta = SessionMeta {
                created: Time(time),
                updated: Time(time),
                ..session("/work")
            };
            storage.create(meta.clone(), holder()).await.unwrap();
            storage
                .append(&meta.id, vec![said(1, prompt)], Vec::new())
                .await
                .unwrap();
            storage.release(&meta.id).await;
            storage.list().await.unwrap();
            ids.push(meta.id);
        }
        assert_eq!(listed(storage.clone()).await, ["before 1970", "behind", "ahead"]);
        // Opening a session does not change the order. A new entry makes the session the newest.
        opened(storage.open(&ids[0], holder()).await.unwrap());
        storage.release(&ids[0]).await;
        opened(storage.open(&ids[1], holder()).await.unwrap());
        storage.append(&ids[1], vec![said(2, "on")], Vec::new()).await.unwrap();
        storage.release(&ids[1]).await;
        assert_eq!(listed(storage.clone()).await, ["behind", "before 1970", "ahead"]);
        assert_eq!(storage.newest_in("/work", None).await.unwrap().unwrap().id, ids[1]);
    });
}

#[test]
fn a_deleted_index_is_made_again_from_the_sessions() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        stored(&storage, "/a", "first prompt").await;
        stored(&storage, "/a", "second prompt").await;
        assert_eq!(storage.list().await.unwrap().len(), 2);
        std::fs::remove_file(home.path().join("index.redb")).unwrap();
        assert_eq!(storage.history(9).await.unwrap(), ["first prompt", "second prompt"]);
        assert_eq!(storage.list().await.unwrap().len(), 2);
        assert_eq!(storage.take_notices(), Vec::new());
    });
}

#[test]
fn a_session_file_put_back_from_a_backup_is_listed() {
    let home = TempDir::new().unwrap();
    let away = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "/a", "from the backup").await;
        stored(&storage, "/a", "stays").await;
        let kept = away.path().join("kept");
        std::fs::copy(file(&home, &id), &kept).unwrap();
        storage.delete(&id).await.unwrap();
        assert_eq!(storage.list().await.unwrap().len(), 1);
        std::fs::copy(&kept, file(&home, &id)).unwrap();
        let titles: Vec<_> = storage
            .list()
            .await
            .unwrap()
            .into_iter()
            .map(|meta| meta.title)
            .collect();
        assert_eq!(titles, ["stays", "from the backup"]);
    });
}

#[test]
fn a_session_file_deleted_by_hand_is_not_listed() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "/a", "gone").await;
        assert_eq!(storage.list().await.unwrap().len(), 1);
        std::fs::remove_file(file(&home, &id)).unwrap();
        assert_eq!(storage.list().await.unwrap(), Vec::new());
    });
}

#[test]
fn sixteen_threads_lose_nothing() {
    let home = TempDir::new().unwrap();
    std::thread::scope(|scope| {
        for worker in 0..16 {
            let home = home.path();
            scope.spawn(move || {
                run(async {
                    let storage = Storage::start(home).unwrap();
                    hammer(&storage, worker, 12).await;
                });
            });
        }
    });
    everything_is_there(&home, 16, 12);
}

#[test]
fn sixteen_processes_lose_nothing() {
    let home = TempDir::new().unwrap();
    let children: Vec<_> = (0..16)
        .map(|worker| super::crash::child("tests::index::child_hammers", home.path(), &worker.to_string()))
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    everything_is_there(&home, 16, 8);
}

/// Not a test: runs in each child process of `sixteen_processes_lose_nothing`.
#[test]
fn child_hammers() {
    let Some((home, worker)) = super::crash::orders() else {
        return;
    };
    run(async {
        hammer(&Storage::start(&home).unwrap(), worker, 8).await;
    });
}

/// Writes prompts and drafts. A busy index may delay the caller, but loses no data.
async fn hammer(storage: &Storage, worker: impl std::fmt::Display, prompts: usize) {
    for n in 0..prompts {
        let said = storage.remember_prompt(&format!("{worker}/{n}")).await;
        assert!(matches!(said, Ok(()) | Err(StorageError::Busy { .. })), "{said:?}");
        let drafted = storage.save_draft(&format!("/{worker}"), &n.to_string()).await;
        assert!(
            matches!(drafted, Ok(()) | Err(StorageError::Busy { .. })),
            "{drafted:?}"
        );
    }
}

fn everything_is_there(home: &TempDir, workers: usize, prompts: usize) {
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let mut history = storage.history(usize::MAX).await.unwrap();
        history.sort();
        let mut wanted: Vec<_> = (0..workers)
            .flat_map(|worker| (0..prompts).map(move |n| format!("{worker}/{n}")))
            .collect();
        wanted.sort();
        assert_eq!(history, wanted);
        for worker in 0..workers {
            let draft = storage.draft(&format!("/{worker}")).await.unwrap();
            assert_eq!(draft.text, (prompts - 1).to_string());
        }
        assert_eq!(storage.take_notices(), Vec::new());
    });
}

#[test]
fn an_index_that_stays_busy_is_an_error_and_the_change_is_written_later() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        storage.remember_prompt("before").await.unwrap();
        let blocker = redb::Database::open(home.path().join("index.redb")).unwrap();
        let begun = std::time::Instant::now();
        let refused = storage.remember_prompt("meanwhile").await;
        assert!(matches!(refused, Err(StorageError::Busy { .. })), "{refused:?}");
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
        assert_eq!(storage.take_notices()[0].code(), "storage_busy");
        // A session does not wait for the index.
        let begun = std::time::Instant::now();
        let meta = session("/a");
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![said(1, "hello")], Vec::new())
            .await
            .unwrap();
        assert!(begun.elapsed() < Duration::from_millis(1_500), "{:?}", begun.elapsed());
        drop(blocker);
        assert_eq!(storage.history(9).await.unwrap(), ["before", "meanwhile"]);
    });
}

#[test]
fn sessions_are_listed_from_their_own_files_while_the_index_is_busy() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let mut ids = Vec::new();
        for _ in 0..3 {
            let meta = session("/a");
            storage.create(meta.clone(), holder()).await.unwrap();
            storage
                .append(&meta.id, vec![said(1, "hello")], Vec::new())
                .await
                .unwrap();
            storage.release(&meta.id).await;
            ids.push(meta.id);
        }
        let listed = |sessions: Vec<SessionMeta>| -> Vec<_> { sessions.into_iter().map(|found| found.id).collect() };
        let order = listed(storage.list().await.unwrap());
        let blocker = redb::Database::open(home.path().join("index.redb")).unwrap();
        let begun = std::time::Instant::now();
        let mut found = listed(storage.list().await.unwrap());
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        found.sort();
        ids.sort();
        assert_eq!(found, ids);
        drop(blocker);
        assert_eq!(
            listed(storage.list().await.unwrap()),
            order,
            "what the index knew stands"
        );
    });
}

#[test]
fn a_read_that_nobody_waits_for_any_more_holds_no_end() {
    let home = TempDir::new().unwrap();
    let storage = Storage::start(home.path()).unwrap();
    let blocker = run(async {
        storage.remember_prompt("before").await.unwrap();
        let blocker = redb::Database::open(home.path().join("index.redb")).unwrap();
        let given_up = tokio::time::timeout(Duration::from_millis(50), storage.history(9)).await;
        assert!(given_up.is_err(), "{given_up:?}");
        blocker
    });
    let begun = std::time::Instant::now();
    drop(storage);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    drop(blocker);
}

#[test]
fn the_end_of_the_program_does_not_wait_for_an_index_that_session_files_can_tell() {
    let home = TempDir::new().unwrap();
    let meta = session("/a");
    let storage = Storage::start(home.path()).unwrap();
    let blocker = run(async {
        storage.remember_prompt("before").await.unwrap();
        let blocker = redb::Database::open(home.path().join("index.redb")).unwrap();
        storage.create(meta.clone(), holder()).await.unwrap();
        storage
            .append(&meta.id, vec![said(1, "hello")], Vec::new())
            .await
            .unwrap();
        storage.release(&meta.id).await;
        blocker
    });
    assert_eq!(storage.take_notices(), Vec::new());
    let begun = std::time::Instant::now();
    drop(storage);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    drop(blocker);
    run(async {
        let listed = Storage::start(home.path()).unwrap().list().await.unwrap();
        let ids: Vec<_> = listed.into_iter().map(|found| found.id).collect();
        assert_eq!(ids, [meta.id]);
    });
}
