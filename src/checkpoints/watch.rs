//! Watches all folders below the root, so that a capture examines only changed names.
//!
//! The kernel queues an event before a write returns. So a capture that drains the queue sees all earlier writes.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use benchdog_files::beneath::Held;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;

use crate::folders::{At, Folder, Folders};

const READ: usize = 64 << 10;

/// Names with changes, grouped by folder.
pub(crate) type Dirty = BTreeMap<At, BTreeMap<Box<[u8]>, Seen>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seen {
    /// Changed content or mode of a file, or changed mode of a folder.
    Changed,
    /// The name may now belong to another file or folder.
    Replaced,
}

/// The event queue overflowed, so the changes are unknown.
#[derive(Debug)]
pub(crate) struct Overflow;

pub(crate) struct Watcher {
    events: OwnedFd,
    folders: HashMap<i32, At>,
    /// Further indexes of a watched folder that has several paths, such as through a bind mount.
    twins: HashMap<i32, Vec<At>>,
    added: AtomicUsize,
    max: usize,
    is_full: AtomicBool,
}

impl Watcher {
    pub(crate) fn new(max: usize) -> io::Result<Self> {
        Ok(Self {
            events: inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?,
            folders: HashMap::new(),
            twins: HashMap::new(),
            added: AtomicUsize::new(0),
            max,
            is_full: AtomicBool::new(false),
        })
    }

    /// Watches a folder. Returns `None` above the limit. `is_full` is then true.
    pub(crate) fn add(&self, folder: &Held) -> Option<i32> {
        let changes = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::MODIFY
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::ATTRIB
            | WatchFlags::ONLYDIR
            | WatchFlags::EXCL_UNLINK;
        // Use the descriptor, because the path may already lead to another folder.
        let path = format!("/proc/self/fd/{}", folder.as_fd().as_raw_fd());
        let watch = if self.added.fetch_add(1, Ordering::Relaxed) < self.max {
            inotify::add_watch(&self.events, path, changes).ok()
        } else {
            None
        };
        if watch.is_none() {
            self.is_full.store(true, Ordering::Relaxed);
        }
        watch
    }

    /// Returns a descriptor that is readable while changes are queued. Never read from it, because the next capture
    /// would miss these changes.
    pub(crate) fn events(&self) -> io::Result<OwnedFd> {
        self.events.try_clone()
    }

    pub(crate) fn len(&self) -> usize {
        self.folders.len()
    }

    /// Forgets which watch belongs to which folder. The next full walk registers all folders again.
    pub(crate) fn restart(&mut self) {
        self.folders.clear();
        self.twins.clear();
        self.added.store(0, Ordering::Relaxed);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Registers the folders of these watches. A moved folder keeps its watch.
    pub(crate) fn register(&mut self, new: impl Iterator<Item = (At, Option<i32>)>, folders: &Folders) {
        for (at, watch) in new {
            let Some(watch) = watch else { continue };
            let other = self.folders.insert(watch, at).filter(|other| *other != at);
            if let Some(other) = other.filter(|other| is_watched(folders, *other, watch)) {
                self.twins.entry(watch).or_default().push(other);
            }
        }
        self.added.store(self.folders.len(), Ordering::Relaxed);
    }

    /// Removes the watches of removed folders. Keeps the watch of a folder that is still watched through another path.
    pub(crate) fn forget<'f>(&mut self, removed: impl Iterator<Item = &'f Folder>, folders: &Folders) {
        for watch in removed.filter_map(|folder| folder.watch) {
            let mut places = self.twins.remove(&watch).unwrap_or_default();
            places.extend(self.folders.remove(&watch));
            places.retain(|at| is_watched(folders, *at, watch));
            match places.pop() {
                Some(at) => {
                    self.folders.insert(watch, at);
                }
                None => {
                    // The kernel itself removes the watch of a deleted folder.
                    let _ = inotify::remove_watch(&self.events, watch);
                }
            }
            if !places.is_empty() {
                self.twins.insert(watch, places);
            }
        }
        self.added.store(self.folders.len(), Ordering::Relaxed);
    }

    /// Returns the changes since the last call, without waiting.
    pub(crate) fn drain(&mut self, folders: &Folders) -> Result<Dirty, Overflow> {
        let mut buffer = vec![MaybeUninit::uninit(); READ];
        let mut reader = Reader::new(&self.events, &mut buffer);
        let mut dirty = Dirty::new();
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::WOULDBLOCK) => return Ok(dirty),
                Err(Errno::INTR) => continue,
                Err(_) => return Err(Overflow),
            };
            let flags = event.events();
            if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
                return Err(Overflow);
            }
            let Some(at) = self.folders.get(&event.wd()).copied() else {
                continue;
            };
            let twins = self.twins.get(&event.wd()).into_iter().flatten().copied();
            let places: Vec<At> = twins.chain([at]).collect();
            if flags.contains(ReadFlags::IGNORED) {
                self.folders.remove(&event.wd());
                self.twins.remove(&event.wd());
            }
            if flags.intersects(ReadFlags::IGNORED | ReadFlags::UNMOUNT) {
                // The folder is gone. Mark its name, because the parent gets no event after an unmount.
                for folder in places.into_iter().filter_map(|at| folders.get(at)) {
                    see(&mut dirty, folder.parent, &folder.name, Seen::Replaced);
                }
                continue;
            }
            let Some(name) = event.file_name() else { continue };
            let replaces = ReadFlags::CREATE | ReadFlags::DELETE | ReadFlags::MOVED_FROM | ReadFlags::MOVED_TO;
            let seen = if flags.intersects(replaces) {
                Seen::Replaced
            } else {
                Seen::Changed
            };
            for at in places {
                see(&mut dirty, at, name.to_bytes(), seen);
            }
        }
    }
}

fn is_watched(folders: &Folders, at: At, watch: i32) -> bool {
    folders.get(at).is_some_and(|folder| folder.watch == Some(watch))
}

pub(crate) fn see(dirty: &mut Dirty, at: At, name: &[u8], seen: Seen) {
    let names = dirty.entry(at).or_default();
    match names.get_mut(name) {
        Some(known) => *known = seen.max(*known),
        None => {
            names.insert(name.into(), seen);
        }
    }
}
