//! Tests of leases: one writer for each session, a rejected second writer, and concurrent readers.

use super::*;

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
        let refused = second.open(&id, other.clone()).await.unwrap();
        assert!(matches!(refused, Opening::Held(who) if who == holder()));
        assert!(matches!(second.delete(&id).await, Err(StorageError::Held { .. })));
        assert_eq!(second.in_use().await.unwrap(), std::slice::from_ref(&id));
        // A read needs no lease.
        assert_eq!(second.read_session(&id).await.unwrap().1.len(), 1);
        first.release(&id).await;
        assert_eq!(second.in_use().await.unwrap(), []);
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
        assert_eq!(storage.in_use().await.unwrap(), []);
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
