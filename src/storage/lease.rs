//! Locks for open sessions: `<id>.lock` is locked while a session is open. The kernel releases the lock when the
//! process dies.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::StorageError;
use super::folder::{Presence, open_private};
use benchdog_base::disk::is_full;
use benchdog_domain::session::LeaseHolder;

/// Maximum time to retry a locked session. The index thread may lock a session briefly, to check whether its process
/// has crashed.
const GLANCE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct Lease {
    path: PathBuf,
    file: File,
}

pub(super) enum Taken {
    Lease(Lease),
    Held(LeaseHolder),
}

impl Lease {
    pub(super) fn take(path: &Path, holder: &LeaseHolder) -> Result<Taken, StorageError> {
        let failed = |error| StorageError::io("lock", path, error);
        let until = Instant::now() + GLANCE;
        loop {
            if let Some(mut lease) = Self::try_take(path).map_err(failed)? {
                // On a full disk, the holder cannot be written to the file, but the lock is valid.
                match lease.write(holder) {
                    Err(error) if !is_full(&error) => return Err(failed(error)),
                    Err(_) | Ok(()) => {}
                }
                return Ok(Taken::Lease(lease));
            }
            if Instant::now() >= until {
                return Ok(Taken::Held(holder_of(path)));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(super) fn try_take(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let file = open_private(path, Presence::May)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The previous holder may have deleted the file between our open and our lock.
            if same_file(path, &file) {
                return Ok(Some(Self {
                    path: path.to_path_buf(),
                    file,
                }));
            }
        }
    }

    fn write(&mut self, holder: &LeaseHolder) -> io::Result<()> {
        let text = serde_json::to_string(holder)?;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())
    }

    pub(super) fn remove(self) {
        // If the removal fails, the next list only reads the session again.
        let _ = fs::remove_file(&self.path);
        drop(self.file);
    }
}

fn same_file(path: &Path, file: &File) -> bool {
    match (fs::metadata(path), file.metadata()) {
        (Ok(named), Ok(open)) => (named.dev(), named.ino()) == (open.dev(), open.ino()),
        _ => false,
    }
}

/// Returns the process recorded in a lock file, with `pid` 0 if the file is unreadable.
pub(super) fn holder_of(path: &Path) -> LeaseHolder {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_string(&mut text));
    read.ok()
        .and_then(|_| serde_json::from_str(&text).ok())
        .unwrap_or_else(|| LeaseHolder {
            pid: 0,
            host: String::new(),
            tty: None,
            started: benchdog_base::clock::Time(0),
            detached: false,
        })
}
