//! Rows become entries. A long log is checked and decoded by several threads, while the next part of it is read.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, available_parallelism};

use super::error::StorageError;
use super::rows::Row;
use crate::base::panics;
use crate::domain::entry::Entry;

/// What is read of a log at a time. A log that is not longer is decoded where it is read.
const PART_BYTES: usize = 128 << 10;

/// More threads than this wait for the disk.
const MOST_THREADS: usize = 4;

type Entries = Result<Vec<Arc<Entry>>, StorageError>;

/// Hands over the entries of the rows, in their order. However many there are, a few parts of them are in memory at any time.
///
/// The outer error is that of reading the rows, the inner one that of what stands in them.
pub(super) fn each_entry(
    path: &Path,
    rows: impl Iterator<Item = Result<Row, redb::Error>>,
    mut take: impl FnMut(Arc<Entry>),
) -> Result<Result<(), StorageError>, redb::Error> {
    std::thread::scope(|scope| {
        let mut decoders = Decoders::new(scope, path);
        let (mut part, mut bytes) = (Vec::new(), 0);
        for row in rows {
            let row = row?;
            bytes += row.bytes.len();
            part.push(row);
            if bytes > PART_BYTES {
                bytes = 0;
                match decoders.push(std::mem::take(&mut part)) {
                    Ok(entries) => entries.into_iter().for_each(&mut take),
                    Err(error) => return Ok(Err(error)),
                }
            }
        }
        let begun = std::iter::from_fn(|| decoders.oldest());
        for entries in begun.chain([decoded(path, &part)]) {
            match entries {
                Ok(entries) => entries.into_iter().for_each(&mut take),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    })
}

/// Threads that decode parts in turns. Each lives as long as its log is read: one for each part would leave the memory of the
/// one before it half used.
struct Decoders<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    path: &'env Path,
    most: usize,
    /// Those with a part, in the order of the parts.
    busy: VecDeque<Decoder>,
}

struct Decoder {
    parts: SyncSender<Vec<Row>>,
    entries: Receiver<Entries>,
}

impl<'scope, 'env> Decoders<'scope, 'env> {
    fn new(scope: &'scope Scope<'scope, 'env>, path: &'env Path) -> Self {
        Self {
            scope,
            path,
            most: available_parallelism().map_or(1, usize::from).min(MOST_THREADS),
            busy: VecDeque::new(),
        }
    }

    /// Gives a part to a thread that has none, and what the oldest part came to where every thread had one.
    fn push(&mut self, part: Vec<Row>) -> Entries {
        if self.busy.len() < self.most {
            self.give(Decoder::start(self.scope, self.path), part);
            return Ok(Vec::new());
        }
        let Some(decoder) = self.busy.pop_front() else {
            return Ok(Vec::new());
        };
        let entries = decoder.entries(self.path);
        self.give(decoder, part);
        entries
    }

    fn give(&mut self, decoder: Decoder, part: Vec<Row>) {
        // A thread that is gone says so when it is asked for the entries.
        let _ = decoder.parts.send(part);
        self.busy.push_back(decoder);
    }

    /// What the oldest part that a thread has came to.
    fn oldest(&mut self) -> Option<Entries> {
        self.busy.pop_front().map(|decoder| decoder.entries(self.path))
    }
}

impl Decoder {
    fn start<'scope, 'env>(scope: &'scope Scope<'scope, 'env>, path: &'env Path) -> Self {
        let (parts, given) = sync_channel::<Vec<Row>>(1);
        let (done, entries) = sync_channel(1);
        scope.spawn(move || {
            for part in given {
                let entries = panics::caught(|| decoded(path, &part)).unwrap_or_else(|| Err(undecodable(path)));
                if done.send(entries).is_err() {
                    return;
                }
            }
        });
        Self { parts, entries }
    }

    fn entries(&self, path: &Path) -> Entries {
        self.entries.recv().unwrap_or_else(|_| Err(undecodable(path)))
    }
}

fn decoded(path: &Path, rows: &[Row]) -> Entries {
    rows.iter()
        .map(|row| row.entry().map(Arc::new))
        .collect::<Result<_, _>>()
        .map_err(|reason| StorageError::damaged(path, reason))
}

fn undecodable(path: &Path) -> StorageError {
    StorageError::damaged(path, "an entry cannot be decoded")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{MOST_THREADS, PART_BYTES, each_entry};
    use crate::storage::error::StorageError;
    use crate::storage::rows::Row;

    /// A stored prompt of 8 KB.
    fn row(id: u64) -> Row {
        let text = "a word ".repeat(1_170);
        let bytes = format!(r#"{{"v":1,"id":{id},"turn":1,"time":1,"kind":"user","text":"{text}"}}"#).into_bytes();
        Row { id, bytes, sum: None }
    }

    /// The numbers that were handed over, and what was wrong.
    fn read(
        rows: impl Iterator<Item = Result<Row, redb::Error>>,
    ) -> (Vec<u64>, Result<Result<(), StorageError>, redb::Error>) {
        let mut ids = Vec::new();
        let read = each_entry(Path::new("a log"), rows, |entry| ids.push(entry.id.0));
        (ids, read)
    }

    /// More parts than there are threads, and some more rows.
    const MANY: u64 = (3 * MOST_THREADS * PART_BYTES / 8_000) as u64 + 7;

    #[test]
    fn each_entry_of_a_long_log_comes_once_and_in_its_order() {
        for count in [0, 1, MANY] {
            let (ids, read) = read((1..=count).map(|id| Ok(row(id))));
            assert!(matches!(read, Ok(Ok(()))));
            assert_eq!(ids, (1..=count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_cannot_be_decoded_or_read_is_told_and_no_later_entry_comes() {
        for damaged in [1, MANY / 2, MANY] {
            let rows = (1..=MANY).map(|id| {
                let mut row = row(id);
                if id == damaged {
                    row.sum = Some(1);
                }
                Ok(row)
            });
            let (ids, read) = read(rows);
            let error = read.expect("the rows can be read").expect_err("one is damaged");
            assert!(error.to_string().contains(&format!("entry {damaged} ")), "{error}");
            assert!(ids.iter().all(|id| *id < damaged));
        }
        let rows = (1..=MANY).map(|id| match id {
            MANY => Err(redb::Error::Corrupted("a page".to_owned())),
            id => Ok(row(id)),
        });
        assert!(read(rows).1.is_err());
    }
}
