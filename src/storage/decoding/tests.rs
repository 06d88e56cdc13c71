use std::path::Path;
use std::thread::Builder;

use super::{MOST_THREADS, each_entry_by};
use crate::error::StorageError;
use crate::rows::{Part, Row};

fn row(id: u64) -> String {
    let text = "a word ".repeat(1_170);
    format!(r#"{{"v":1,"id":{id},"turn":1,"time":1,"kind":"user","text":"{text}"}}"#)
}

fn read(rows: impl Iterator<Item = Result<(u64, Option<u32>), redb::Error>>) -> Read {
    read_by(Builder::new, rows)
}

type Read = (Vec<u64>, Result<Result<(), StorageError>, redb::Error>);

fn read_by(thread: fn() -> Builder, mut rows: impl Iterator<Item = Result<(u64, Option<u32>), redb::Error>>) -> Read {
    let mut ids = Vec::new();
    let part = |used: Part| {
        let mut part = used.emptied();
        while !part.is_full()
            && let Some(next) = rows.next()
        {
            let (id, sum) = next?;
            let bytes = row(id);
            part.push(&Row {
                id,
                bytes: bytes.as_bytes(),
                sum,
            });
        }
        Ok(part)
    };
    let read = each_entry_by(
        thread,
        Path::new("a log"),
        part,
        |row| row.entry(),
        |entry| ids.push(entry.id.0),
    );
    (ids, read)
}

/// Number of rows that fill more parts than there are threads.
const MANY: u64 = (3 * MOST_THREADS * Part::BYTES / 8_000) as u64 + 7;

#[test]
fn each_entry_of_a_long_log_comes_once_and_in_its_order() {
    for count in [0, 1, MANY] {
        let (ids, read) = read((1..=count).map(|id| Ok((id, None))));
        assert!(matches!(read, Ok(Ok(()))));
        assert_eq!(ids, (1..=count).collect::<Vec<_>>());
    }
}

#[test]
fn where_the_system_refuses_threads_the_log_is_read_without_them() {
    // Thread creation fails, because no machine can allocate a stack of this size.
    let refused = || Builder::new().stack_size(1 << 47);
    assert!(refused().spawn(|| ()).is_err());
    let (ids, read) = read_by(refused, (1..=MANY).map(|id| Ok((id, None))));
    assert!(matches!(read, Ok(Ok(()))), "{read:?}");
    assert_eq!(ids, (1..=MANY).collect::<Vec<_>>());
}

#[test]
fn what_cannot_be_decoded_or_read_is_told_and_no_later_entry_comes() {
    for damaged in [1, MANY / 2, MANY] {
        let rows = (1..=MANY).map(|id| Ok((id, (id == damaged).then_some(1))));
        let (ids, read) = read(rows);
        let error = read.expect("the rows can be read").expect_err("one is damaged");
        assert!(error.to_string().contains(&format!("entry {damaged} ")), "{error}");
        assert!(ids.iter().all(|id| *id < damaged));
    }
    let rows = (1..=MANY).map(|id| match id {
        MANY => Err(redb::Error::Corrupted("a page".to_owned())),
        id => Ok((id, None)),
    });
    assert!(read(rows).1.is_err());
}
