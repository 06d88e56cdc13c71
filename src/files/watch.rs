//! Watches the folders that the tree pane lists and the folders of changed files.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::CStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Maximum number of watched folders. A new watch replaces the oldest.
const MOST: usize = 128;

/// Maximum number of watches for adding folders of changed files. The other watches are reserved for listed folders.
const MOST_BESIDE: usize = MOST / 2;

const GIT: &str = ".git";

const READ: usize = 16 * 1024;

pub struct Watch {
    root: PathBuf,
    events: AsyncFd<OwnedFd>,
    watched: Mutex<VecDeque<Watched>>,
}

struct Watched {
    number: i32,
    path: String,
}

/// Notifies about queued file system events, without reading them.
pub struct Queued(AsyncFd<OwnedFd>);

impl Queued {
    pub fn of(events: OwnedFd) -> io::Result<Self> {
        readable(events).map(Self)
    }

    /// Waits until events have been queued since the last call.
    pub async fn more(&self) -> io::Result<()> {
        self.0.readable().await?.clear_ready();
        Ok(())
    }
}

fn readable(events: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    #[expect(
        deprecated,
        reason = "the form that does not need `unsafe`; the descriptor is its own and open as long as it is"
    )]
    AsyncFd::with_interest(events, Interest::READABLE)
}

impl Watch {
    pub fn of(root: &Path) -> io::Result<Self> {
        let events = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
        let watch = Self {
            root: root.to_path_buf(),
            events: readable(events)?,
            watched: Mutex::default(),
        };
        // If this watch fails, the letters of `git status` change only with the next listing.
        let _ = watch.add(GIT);
        Ok(watch)
    }

    pub fn add(&self, path: &str) -> io::Result<()> {
        let mut watched = self.watched();
        let number = self.number(path)?;
        // Also remove an entry with the same number, because a renamed folder keeps its watch number.
        watched.retain(|known| known.number != number && known.path != path);
        watched.push_back(Watched {
            number,
            path: path.to_owned(),
        });
        let oldest = watched.iter().position(|known| known.path != GIT);
        if watched.len() > MOST
            && let Some(oldest) = oldest.and_then(|at| watched.remove(at))
        {
            let _ = inotify::remove_watch(&self.events, oldest.number);
        }
        Ok(())
    }

    pub fn add_beside(&self, path: &str) {
        let mut watched = self.watched();
        if watched.len() >= MOST_BESIDE || watched.iter().any(|known| known.path == path) {
            return;
        }
        match self.number(path) {
            // The folder is already watched under another path, through a link. Keep the path under which it was
            // listed.
            Ok(number) if watched.iter().any(|known| known.number == number) => {}
            Ok(number) => watched.push_back(Watched {
                number,
                path: path.to_owned(),
            }),
            // A folder without a watch only shows changes later, so this is not an error.
            Err(error) => tracing::debug!(code = error.raw_os_error(), "a folder is not watched"),
        }
    }

    /// Watches a folder and returns its watch number, which is the same for every path of the folder.
    fn number(&self, path: &str) -> io::Result<i32> {
        let changes = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::ONLYDIR
            | WatchFlags::DONT_FOLLOW;
        Ok(inotify::add_watch(&self.events, self.root.join(path), changes)?)
    }

    pub async fn changed(&self) -> io::Result<BTreeSet<String>> {
        loop {
            let mut ready = self.events.readable().await?;
            let (folders, is_new) = self.take()?;
            ready.clear_ready();
            if is_new {
                let _ = self.add(GIT);
            }
            if !folders.is_empty() {
                return Ok(folders);
            }
        }
    }

    /// Returns the changed folders, and whether a repository was created.
    fn take(&self) -> io::Result<(BTreeSet<String>, bool)> {
        let mut buffer = [MaybeUninit::uninit(); READ];
        let mut reader = Reader::new(&self.events, &mut buffer);
        let mut watched = self.watched();
        let (mut folders, mut is_new) = (BTreeSet::new(), false);
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::WOULDBLOCK) => return Ok((folders, is_new)),
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            let all = || {
                watched
                    .iter()
                    .map(|known| known.path.clone())
                    .filter(|path| path != GIT)
            };
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                folders.extend(all());
                continue;
            }
            let Some(at) = watched.iter().position(|known| known.number == event.wd()) else {
                continue;
            };
            if event.events().contains(ReadFlags::IGNORED) {
                // Report no change for a deleted folder, because its parent's watch reports it.
                watched.remove(at);
                continue;
            }
            let name = event.file_name().map(CStr::to_bytes).unwrap_or_default();
            match watched.get(at) {
                // A commit, a checkout or staging changes the letters of `git status`.
                Some(known) if known.path == GIT => {
                    if matches!(name, b"index" | b"HEAD") {
                        folders.extend(all());
                    }
                }
                Some(_) if name == GIT.as_bytes() => {
                    is_new = true;
                    folders.extend(all());
                }
                Some(known) => {
                    folders.insert(known.path.clone());
                }
                None => {}
            }
        }
    }

    fn watched(&self) -> MutexGuard<'_, VecDeque<Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
