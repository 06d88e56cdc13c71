//! Opens redb files with timeouts and small caches, and distinguishes damage from other errors.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use redb::{
    Builder, Database, Durability, ReadOnlyDatabase, ReadTransaction, ReadableDatabase, TransactionError,
    WriteTransaction,
};

use super::error::StorageError;
use super::folder::{Presence, open_private};
use benchdog_base::chance::chance;
use benchdog_base::panics;

/// Timeout for opening a file that another process uses.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Page cache per file in bytes. A log is read once from start to end, so only the inner pages of the B-tree must be
/// cached.
const CACHE: usize = 512 << 10;

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    builder
}

pub(super) fn open_writable(path: &Path, presence: Presence, patience: Duration) -> Result<Database, StorageError> {
    retrying(path, patience, || {
        let file = open_private(path, presence)?;
        if presence == Presence::Must && file.metadata()?.len() == 0 {
            return Err(redb::Error::Corrupted("the file is empty".to_owned()));
        }
        Ok(builder().create_file(file)?)
    })
}

/// A database opened for reading. `Repaired` is open for writing, because redb repairs a file only if it is open for
/// writing.
pub(super) enum Readable {
    Shared(ReadOnlyDatabase),
    Repaired(Database),
}

impl Readable {
    pub(super) fn begin_read(&self) -> Result<ReadTransaction, TransactionError> {
        match self {
            Self::Shared(database) => database.begin_read(),
            Self::Repaired(database) => database.begin_read(),
        }
    }
}

pub(super) fn open_readable(path: &Path, patience: Duration) -> Result<Readable, StorageError> {
    open_readable_while(path, patience, || true)
}

/// Opens a file for reading, after a repair if necessary. If another process uses the file, retries for at most
/// `patience`, or until `wanted` returns `false`.
pub(super) fn open_readable_while(
    path: &Path,
    patience: Duration,
    wanted: impl Fn() -> bool,
) -> Result<Readable, StorageError> {
    retrying_while(path, patience, wanted, || match builder().open_read_only(path) {
        Ok(database) => Ok(Readable::Shared(database)),
        Err(redb::DatabaseError::RepairAborted) => Ok(Readable::Repaired(builder().open(path)?)),
        Err(error) => Err(error.into()),
    })
}

/// Opens a file for reading, and leaves it unchanged. If redb must repair it, opens an unlinked temporary copy instead.
pub(super) fn open_unchanged(path: &Path, patience: Duration) -> Result<Readable, StorageError> {
    retrying(path, patience, || match builder().open_read_only(path) {
        Ok(database) => Ok(Readable::Shared(database)),
        Err(redb::DatabaseError::RepairAborted) => {
            let mut copy = unnamed(path)?;
            io::copy(&mut File::open(path)?, &mut copy)?;
            Ok(Readable::Repaired(builder().create_file(copy)?))
        }
        Err(error) => Err(error.into()),
    })
}

fn unnamed(beside: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let folder = beside.parent().unwrap_or(Path::new("."));
    let made = open(
        folder,
        OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC,
        Mode::RUSR | Mode::WUSR,
    );
    Ok(File::from(made?))
}

/// Begins a transaction with a durable commit. A process killed after the commit leaves a file that needs no repair.
pub(super) fn begin_durable(database: &Database) -> Result<WriteTransaction, redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction.set_durability(Durability::Immediate)?;
    transaction.set_quick_repair(true);
    Ok(transaction)
}

/// Runs `work`. Treats panics as damage, because redb asserts on some kinds of damage.
pub(super) fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, StorageError> {
    match panics::caught(work) {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(classify(path, error)),
        None => Err(StorageError::damaged(path, "its pages contradict each other")),
    }
}

/// Closes a database. Ignores errors, because the next open reports them again.
pub(super) fn close(database: Database) {
    let _ = panics::caught(|| drop(database));
}

fn retrying<T>(
    path: &Path,
    patience: Duration,
    open: impl FnMut() -> Result<T, redb::Error>,
) -> Result<T, StorageError> {
    retrying_while(path, patience, || true, open)
}

fn retrying_while<T>(
    path: &Path,
    patience: Duration,
    wanted: impl Fn() -> bool,
    mut open: impl FnMut() -> Result<T, redb::Error>,
) -> Result<T, StorageError> {
    let until = Instant::now() + patience;
    let mut step = 0;
    loop {
        match guarded(path, &mut open) {
            Err(StorageError::Busy { .. }) if Instant::now() < until && wanted() => {
                std::thread::sleep(pause(step));
                step += 1;
            }
            other => return other,
        }
    }
}

/// Returns the delay before the given retry: 0.2 to about 4 ms. Random jitter keeps processes from retrying at the same
/// time.
fn pause(step: u32) -> Duration {
    Duration::from_micros(200 << step.min(4)) + Duration::from_millis(1).mul_f64(chance())
}

fn classify(path: &Path, error: redb::Error) -> StorageError {
    match error {
        redb::Error::DatabaseAlreadyOpen => StorageError::Busy {
            path: path.to_path_buf(),
        },
        redb::Error::UpgradeRequired(version) => other_version(path, format!("its format is {version}")),
        // redb has no error variant for a newer file format.
        redb::Error::Corrupted(reason) if reason.contains("file format version") => other_version(path, reason),
        redb::Error::Corrupted(reason) => StorageError::damaged(path, reason),
        redb::Error::Io(error) if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) => {
            StorageError::damaged(path, error.to_string())
        }
        redb::Error::Io(error) => StorageError::io("open or write", path, error),
        // After a failed write, redb rejects all operations. The write error was reported earlier.
        redb::Error::PreviousIo => StorageError::io("write", path, io::Error::other("an earlier write failed")),
        other => StorageError::damaged(path, other.to_string()),
    }
}

fn other_version(path: &Path, reason: String) -> StorageError {
    StorageError::OtherVersion {
        path: path.to_path_buf(),
        reason,
    }
}
