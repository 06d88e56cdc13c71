//! Tests that damaged files give one clear error per session, and cause no loss elsewhere and no panic of the thread.

use super::*;
use benchdog_domain::notice::Notice;

fn damage(path: &Path, how: &str) {
    let mut bytes = std::fs::read(path).unwrap();
    match how {
        "empty" => bytes.clear(),
        "garbage" => bytes = b"not a database at all\n".repeat(500),
        "head" => bytes[..64].fill(0xA5),
        "half" => bytes.truncate(bytes.len() / 2),
        "tail cut" => bytes.truncate(bytes.len() - 1_000),
        "pages" => bytes[4_096..].iter_mut().step_by(7).for_each(|byte| *byte ^= 0x5A),
        other => panic!("no such damage: {other}"),
    }
    std::fs::write(path, bytes).unwrap();
}

const KINDS: [&str; 6] = ["empty", "garbage", "head", "half", "tail cut", "pages"];

#[test]
fn a_damaged_session_is_one_clear_error_and_the_others_are_untouched() {
    for kind in KINDS {
        let home = TempDir::new().unwrap();
        run(async {
            let storage = Storage::start(home.path()).unwrap();
            let hurt = stored(&storage, "/work", "hurt").await;
            let whole = stored(&storage, "/work", "whole").await;
            damage(&file(&home, &hurt), kind);
            match storage.open(&hurt, holder()).await {
                Err(error @ StorageError::Damaged { .. }) => {
                    assert!(error.to_string().contains(&hurt.0), "{kind}: {error}");
                }
                // If only free space was truncated, every entry may still be readable.
                Ok(Opening::Open { history, .. }) if kind == "tail cut" => {
                    assert_eq!(*history.entries(), [said(1, "hurt")]);
                }
                other => panic!("{kind}: {other:?}"),
            }
            let (_, log) = opened(storage.open(&whole, holder()).await.unwrap());
            assert_eq!(*log, [said(1, "whole")]);
            storage.append(&whole, vec![said(2, "on")], Vec::new()).await.unwrap();
            assert!(
                storage.list().await.unwrap().iter().any(|meta| meta.id == whole),
                "{kind}"
            );
        });
    }
}

#[test]
fn a_damaged_index_is_moved_aside_and_made_again_with_a_notice() {
    for kind in KINDS {
        let home = TempDir::new().unwrap();
        let index = home.path().join("index.redb");
        run(async {
            let storage = Storage::start(home.path()).unwrap();
            let one = stored(&storage, "/work", "first").await;
            let two = stored(&storage, "/work", "second").await;
            storage.remember_prompt("first").await.unwrap();
            storage.remember_prompt("second").await.unwrap();
            storage.list().await.unwrap();
            damage(&index, kind);
            storage.remember_prompt("third").await.unwrap();
            let listed: Vec<_> = storage.list().await.unwrap().into_iter().map(|meta| meta.id).collect();
            assert_eq!(listed, [two, one], "{kind}");
            assert_eq!(
                storage.history(9).await.unwrap(),
                ["first", "second", "third"],
                "{kind}"
            );
            let notices = storage.take_notices();
            let aside = std::fs::read_dir(home.path())
                .unwrap()
                .filter(|item| {
                    item.as_ref()
                        .unwrap()
                        .file_name()
                        .to_string_lossy()
                        .starts_with("index.redb.damaged-")
                })
                .count();
            if kind == "tail cut" && notices.is_empty() {
                return;
            }
            assert_eq!(notices[0].code(), "index_rebuilt", "{kind}: {notices:?}");
            assert_eq!(aside, 1, "{kind}");
        });
    }
}

#[test]
fn a_damaged_index_and_a_damaged_session_still_leave_the_rest() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let hurt = stored(&storage, "/work", "hurt").await;
        let whole = stored(&storage, "/work", "whole").await;
        storage.list().await.unwrap();
        damage(&file(&home, &hurt), "garbage");
        damage(&home.path().join("index.redb"), "garbage");
        let listed = storage.list().await.unwrap();
        assert_eq!(listed.iter().map(|meta| &meta.id).collect::<Vec<_>>(), [&whole]);
        let notices = storage.take_notices();
        let codes: Vec<_> = notices.iter().map(Notice::code).collect();
        assert_eq!(codes, ["index_rebuilt", "session_damaged"]);
    });
}

#[test]
fn any_flipped_bytes_end_in_an_answer() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let id = stored(&storage, "/work", "hurt").await;
        let path = file(&home, &id);
        let sound = std::fs::read(&path).unwrap();
        // Most of a small file is unread zeros, so damage only the rest.
        let used: Vec<usize> = (0..sound.len()).filter(|at| sound[*at] != 0).collect();
        let mut dice = fastrand::Rng::with_seed(42);
        let mut refused = 0;
        for _ in 0..150 {
            let mut bytes = sound.clone();
            for _ in 0..4 {
                bytes[used[dice.usize(..used.len())]] = dice.u8(..);
            }
            std::fs::write(&path, bytes).unwrap();
            match storage.read_session(&id).await {
                Ok(_) => {}
                Err(StorageError::Damaged { .. }) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
        assert!(refused > 0, "no damage was ever noticed");
        std::fs::write(&path, sound).unwrap();
        assert_eq!(storage.read_session(&id).await.unwrap().1.len(), 1);
    });
}

#[test]
fn a_full_or_forbidden_disk_is_told_and_the_session_goes_on_when_it_is_over() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        // A folder has the name of the session file, so the first entry cannot be written.
        let path = file(&home, &meta.id);
        std::fs::create_dir_all(path.join("in the way")).unwrap();
        let refused = storage.append(&meta.id, vec![said(1, "hello")], Vec::new()).await;
        assert!(matches!(refused, Err(StorageError::Io { .. })), "{refused:?}");
        std::fs::remove_dir_all(&path).unwrap();
        storage
            .append(&meta.id, vec![said(1, "hello")], Vec::new())
            .await
            .unwrap();
        assert_eq!(storage.read_session(&meta.id).await.unwrap().1.len(), 1);
    });
}

#[test]
fn a_body_with_other_bytes_than_its_name_says_is_not_handed_out() {
    let home = TempDir::new().unwrap();
    run(async {
        let storage = Storage::start(home.path()).unwrap();
        let meta = session("/work");
        storage.create(meta.clone(), holder()).await.unwrap();
        let name = BlobId::of(b"what it should be");
        let wrong: Arc<[u8]> = Arc::from(&b"what it is"[..]);
        storage
            .append(&meta.id, vec![said(1, "hello")], vec![(name.clone(), wrong)])
            .await
            .unwrap();
        let refused = storage.blob(&meta.id, &name).await;
        assert!(matches!(refused, Err(StorageError::Damaged { .. })), "{refused:?}");
    });
}
