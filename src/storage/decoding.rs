//! Decodes database rows to log entries. Several threads decode a long log while the caller reads it.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, Scope, available_parallelism};

use super::error::StorageError;
use super::rows::{Part, Row};
use benchdog_base::panics;

/// Maximum number of decoder threads. Further threads would only wait for the disk.
const MOST_THREADS: usize = 4;

pub(super) type Decode<T> = fn(&Row<'_>) -> Result<T, String>;

type Entries<T> = Result<Vec<T>, StorageError>;

/// Reads and decodes entries in order, and passes each to `take`. Few parts are in memory at a time. The outer error is
/// a read error, and the inner error means invalid content.
pub(super) fn each_entry<T: Send>(
    path: &Path,
    read: impl FnMut(Part) -> Result<Part, redb::Error>,
    decode: Decode<T>,
    take: impl FnMut(T),
) -> Result<Result<(), StorageError>, redb::Error> {
    each_entry_by(Builder::new, path, read, decode, take)
}

/// Like `each_entry`, with a custom thread builder for tests. If the system refuses a new thread, existing threads or
/// the caller's thread decode the entries.
fn each_entry_by<T: Send>(
    thread: fn() -> Builder,
    path: &Path,
    mut read: impl FnMut(Part) -> Result<Part, redb::Error>,
    decode: Decode<T>,
    mut take: impl FnMut(T),
) -> Result<Result<(), StorageError>, redb::Error> {
    std::thread::scope(|scope| {
        let mut decoders = Decoders::new((scope, thread), path, decode);
        let last = loop {
            let part = read(decoders.spare.pop().unwrap_or_default())?;
            if !part.is_full() {
                break part;
            }
            match decoders.push(part) {
                Ok(entries) => entries.into_iter().for_each(&mut take),
                Err(error) => return Ok(Err(error)),
            }
        };
        let begun = std::iter::from_fn(|| decoders.oldest());
        for entries in begun.chain([decoded(path, &last, decode)]) {
            match entries {
                Ok(entries) => entries.into_iter().for_each(&mut take),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    })
}

/// Decoder threads. They are reused for all parts of a log, because new threads would fragment memory.
struct Decoders<'scope, 'env, T> {
    scope: &'scope Scope<'scope, 'env>,
    thread: fn() -> Builder,
    path: &'env Path,
    decode: Decode<T>,
    most: usize,
    busy: VecDeque<Decoder<T>>,
    spare: Vec<Part>,
}

struct Decoder<T> {
    parts: SyncSender<Part>,
    decoded: Receiver<(Part, Entries<T>)>,
}

impl<'scope, 'env, T: Send + 'scope> Decoders<'scope, 'env, T> {
    fn new(
        (scope, thread): (&'scope Scope<'scope, 'env>, fn() -> Builder),
        path: &'env Path,
        decode: Decode<T>,
    ) -> Self {
        Self {
            scope,
            thread,
            path,
            decode,
            most: available_parallelism().map_or(1, usize::from).min(MOST_THREADS),
            busy: VecDeque::new(),
            spare: Vec::new(),
        }
    }

    /// Passes a part to a decoder. If all threads are busy, waits for the oldest part and returns its entries.
    fn push(&mut self, part: Part) -> Entries<T> {
        if self.busy.len() < self.most {
            if let Ok(decoder) = Decoder::start((self.scope, (self.thread)()), self.path, self.decode) {
                self.give(decoder, part);
                return Ok(Vec::new());
            }
            self.most = self.busy.len();
        }
        let Some(decoder) = self.busy.pop_front() else {
            let entries = decoded(self.path, &part, self.decode);
            self.spare.push(part);
            return entries;
        };
        let entries = self.entries(&decoder);
        self.give(decoder, part);
        entries
    }

    fn give(&mut self, decoder: Decoder<T>, part: Part) {
        // A failed send means that the thread has ended. The receiver reports that.
        let _ = decoder.parts.send(part);
        self.busy.push_back(decoder);
    }

    fn oldest(&mut self) -> Option<Entries<T>> {
        let decoder = self.busy.pop_front()?;
        Some(self.entries(&decoder))
    }

    fn entries(&mut self, decoder: &Decoder<T>) -> Entries<T> {
        let Ok((part, entries)) = decoder.decoded.recv() else {
            return Err(undecodable(self.path));
        };
        self.spare.push(part);
        entries
    }
}

impl<T: Send> Decoder<T> {
    fn start<'scope, 'env>(
        (scope, thread): (&'scope Scope<'scope, 'env>, Builder),
        path: &'env Path,
        decode: Decode<T>,
    ) -> io::Result<Self>
    where
        T: 'scope,
    {
        let (parts, given) = sync_channel::<Part>(1);
        let (done, entries) = sync_channel(1);
        thread.spawn_scoped(scope, move || {
            for part in given {
                let entries = panics::caught(|| decoded(path, &part, decode)).unwrap_or_else(|| Err(undecodable(path)));
                if done.send((part, entries)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self {
            parts,
            decoded: entries,
        })
    }
}

fn decoded<T>(path: &Path, part: &Part, decode: Decode<T>) -> Entries<T> {
    part.rows()
        .map(|row| decode(&row))
        .collect::<Result<_, _>>()
        .map_err(|reason| StorageError::damaged(path, reason))
}

fn undecodable(path: &Path) -> StorageError {
    StorageError::damaged(path, "an entry cannot be decoded")
}

#[cfg(test)]
mod tests;
