//! Reads new and changed files into the store, on several threads.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use benchdog_files::beneath::Held;
use benchdog_files::walker;
use rustix::fs::{AtFlags, fstat, readlinkat, statat};
use rustix::io::Errno;

use crate::error::CheckpointError;
use crate::folders::Body;
use crate::id::ContentId;
use crate::stat::{self, Stat};
use crate::state::{Content, FileState, Kind, NotCovered};
use crate::store::{Batch, Squeezer, lock};
use crate::walk::{Unread, not_covered};

/// Minimum number of files for each additional thread. With fewer files, the thread costs more time than it saves.
const MIN_PER_THREAD: usize = 8;

/// Maximum number of attempts to read a file that changes during the read. The result of the last attempt is stored,
/// and the next capture reads the file again.
const ATTEMPTS: usize = 3;

/// The new item of a file that was read. `None` if the file disappeared.
pub(crate) type Outcome = Option<Body>;

/// Applies `work` to all jobs on several threads. Returns the results in the order of the jobs.
pub(crate) fn in_parallel<J: Sync, R: Send, S>(
    jobs: &[J],
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &J) -> Result<R, CheckpointError> + Sync,
) -> Result<Vec<R>, CheckpointError> {
    let threads = walker::threads().min(jobs.len() / MIN_PER_THREAD).max(1);
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let run = || {
        let mut state = start();
        let mut results = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(at) else { return results };
            match work(&mut state, job) {
                Ok(result) => results.push((at, result)),
                Err(error) => {
                    next.store(jobs.len(), Ordering::Relaxed);
                    lock(&failure).get_or_insert(error);
                    return results;
                }
            }
        }
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut all = run();
        for other in others {
            all.extend(other.join().unwrap_or_default());
        }
        all
    });
    if let Some(error) = lock(&failure).take() {
        return Err(error);
    }
    all.sort_unstable_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

pub(crate) fn read_all(
    root: &Held,
    unread: &[Unread],
    max_file: u64,
    batch: &Batch<'_>,
) -> Result<Vec<Outcome>, CheckpointError> {
    let start = || (Squeezer::new(), Vec::new());
    in_parallel(unread, start, |(squeezer, buffer), one| {
        let path = Path::new(OsStr::from_bytes(&one.path));
        if one.is_link {
            return read_link(root, path, batch, squeezer);
        }
        match read_file(root, path, max_file, buffer) {
            Ok(Bytes::All { stat, trusted }) => {
                let id = batch.put(buffer, squeezer)?;
                Ok(Some(Body::File { stat, id, trusted }))
            }
            Ok(Bytes::TooMany(stat)) => Ok(Some(not_covered(Kind::File, &stat, NotCovered::TooLarge))),
            Err(error) => Ok(unreadable(root, path, Kind::File, &error)),
        }
    })
}

/// Returns the state of a path on disk, for a comparison with `like`. Reads the content only if `like` has stored
/// content.
pub(crate) fn state_of(root: &Held, path: &[u8], like: &FileState, buffer: &mut Vec<u8>) -> Option<FileState> {
    let path = Path::new(OsStr::from_bytes(path));
    let folder = root.folder(path.parent().unwrap_or(path)).ok()?;
    let raw = statat(folder.as_fd(), path.file_name()?, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let (stat, kind) = (Stat::of(&raw), stat::kind(&raw));
    let state = |mode, size, content| FileState {
        kind,
        mode,
        size,
        content,
    };
    Some(match (kind, like.content) {
        (_, Content::NotCovered { why, .. }) => {
            let size = if kind == Kind::Folder { 0 } else { stat.size };
            let stamp = if kind == Kind::Folder { 0 } else { stat.stamp() };
            state(stat.mode, size, Content::NotCovered { why, stamp })
        }
        (Kind::Folder, _) => state(stat.mode, 0, Content::Folder),
        (Kind::Link, _) => {
            let target = readlinkat(folder.as_fd(), path.file_name()?, Vec::new()).ok()?;
            let target = target.into_bytes();
            state(0, target.len() as u64, Content::Stored(ContentId::of(&target)))
        }
        (Kind::File, _) => {
            let Bytes::All { stat, .. } = read_file(root, path, u64::MAX, buffer).ok()? else {
                return None;
            };
            state(stat.mode, stat.size, Content::Stored(ContentId::of(buffer)))
        }
        (Kind::Special, _) => {
            let (why, stamp) = (NotCovered::Special, stat.stamp());
            state(stat.mode, stat.size, Content::NotCovered { why, stamp })
        }
    })
}

enum Bytes {
    All { stat: Stat, trusted: bool },
    TooMany(Stat),
}

fn read_file(root: &Held, path: &Path, max_file: u64, buffer: &mut Vec<u8>) -> io::Result<Bytes> {
    let mut attempt = 1;
    loop {
        let now = stat::now();
        let file = root.file(path)?;
        let before = Stat::of(&fstat(&file)?);
        buffer.clear();
        (&file).take(max_file.saturating_add(1)).read_to_end(buffer)?;
        let stat = Stat::of(&fstat(&file)?);
        let len = buffer.len() as u64;
        if len > max_file {
            return Ok(Bytes::TooMany(stat));
        }
        let is_whole = before == stat && len == stat.size;
        if is_whole || attempt == ATTEMPTS {
            // Store the length of the bytes that were read, because a growing file may already have another size.
            let trusted = is_whole && !stat.is_racy(now);
            return Ok(Bytes::All {
                stat: Stat { size: len, ..stat },
                trusted,
            });
        }
        attempt += 1;
    }
}

fn read_link(root: &Held, path: &Path, batch: &Batch<'_>, squeezer: &mut Squeezer) -> Result<Outcome, CheckpointError> {
    let target = || -> io::Result<(Stat, Vec<u8>)> {
        let (parent, name) = (path.parent().unwrap_or(path), path.file_name().unwrap_or_default());
        let folder = root.folder(parent)?;
        let target = readlinkat(folder.as_fd(), name, Vec::new())?.into_bytes();
        let raw = statat(folder.as_fd(), name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok((Stat::of(&raw), target))
    };
    match target() {
        Ok((stat, target)) => {
            let id = batch.put(&target, squeezer)?;
            let size = target.len() as u64;
            Ok(Some(Body::Link {
                stat: Stat { size, ..stat },
                id,
            }))
        }
        Err(error) => Ok(unreadable(root, path, Kind::Link, &error)),
    }
}

fn unreadable(root: &Held, path: &Path, kind: Kind, error: &io::Error) -> Outcome {
    let is_gone = matches!(
        errno_of(error),
        Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO | Errno::INVAL) | None
    );
    if is_gone {
        return None;
    }
    let folder = root.folder(path.parent().unwrap_or(path)).ok()?;
    let raw = statat(folder.as_fd(), path.file_name()?, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    Some(not_covered(kind, &Stat::of(&raw), NotCovered::Unreadable))
}

fn errno_of(error: &io::Error) -> Option<Errno> {
    error.raw_os_error().map(Errno::from_raw_os_error)
}
