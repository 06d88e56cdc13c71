//! Index of all file names in the workspace, usable while a background thread reads the names.
//!
//! The first query starts the thread. A stale index still answers at once, while the thread reads the names again.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::beneath::Kind;
use super::folder;
use super::fuzzy::{self, Chunk};
use super::git::{self, Marks};
use super::walker::{self, Flow, Found, Ignored, Levels};
use benchdog_protocol::{FolderItem, FoundPath};

/// Number of paths in a chunk, small so that the first paths are usable soon.
const CHUNK: usize = 4096;

/// Maximum number of ignored files. Build folders may contain millions, which are rarely needed.
const MOST_IGNORED: usize = 200_000;

const MOST: usize = 2_000_000;

/// Maximum wait of a query during the first reading, enough for a complete answer in a small folder.
const FIRST_WAIT: Duration = Duration::from_millis(30);

/// Age after which the index is stale.
const FRESH: Duration = Duration::from_secs(1);

const RECENT: usize = 100;

/// The shared index. Dropping the last clone stops the thread.
#[derive(Clone)]
pub struct FileIndex(Arc<Inner>);

struct Inner {
    root: PathBuf,
    levels: Levels,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    chunks: Vec<Arc<Chunk>>,
    reading: bool,
    read: Option<(Instant, Duration)>,
    recent: VecDeque<String>,
    marks: Option<(Instant, Arc<Marks>)>,
}

impl FileIndex {
    pub fn start(root: &Path, levels: Levels) -> Self {
        Self(Arc::new(Inner {
            root: root.to_path_buf(),
            levels,
            state: Mutex::default(),
            changed: Condvar::new(),
        }))
    }

    pub(crate) fn refresh(&self) {
        let mut state = self.0.lock();
        if state.reading {
            return;
        }
        state.reading = true;
        let inner = Arc::downgrade(&self.0);
        let thread = std::thread::Builder::new().name("file index".to_owned());
        if thread.spawn(move || read(&inner)).is_err() {
            state.reading = false;
        }
    }

    pub fn touch(&self, path: &str) {
        let mut state = self.0.lock();
        state.recent.retain(|known| known != path);
        state.recent.push_front(path.to_owned());
        state.recent.truncate(RECENT);
    }

    /// Returns the best paths, and whether the thread is still reading. Never call it on the drawing thread, because it
    /// takes milliseconds.
    pub fn find(&self, query: &str, limit: usize) -> (Vec<FoundPath>, bool) {
        if self.is_stale() {
            self.refresh();
        }
        let state = self.reads_within(FIRST_WAIT);
        let chunks = state.chunks.clone();
        let recent = state.favoured();
        let scanning = state.is_first_reading();
        drop(state);
        let mut found = fuzzy::best(&chunks, query, &recent, limit);
        // git lists a nested repository without a slash at the end, so the index may contain the folder twice. Add the
        // slash and remove duplicates.
        let mut seen = HashSet::new();
        for FoundPath { path, .. } in &mut found {
            if !path.ends_with('/') && self.0.root.join(&*path).is_dir() {
                path.push('/');
            }
        }
        found.retain(|found| seen.insert(found.path.clone()));
        (found, scanning)
    }

    /// Returns the best matches, the number of all matches, and whether the thread is still reading.
    ///
    /// Never call it on the drawing thread, because it takes milliseconds.
    pub fn narrowed(&self, query: &str, limit: usize) -> (Vec<FolderItem>, usize, bool) {
        if self.is_stale() {
            self.refresh();
        }
        let state = self.reads_within(FIRST_WAIT);
        let chunks = state.chunks.clone();
        let marks = state.marks.as_ref().map(|(_, marks)| Arc::clone(marks));
        let scanning = state.is_first_reading();
        drop(state);
        let (left, all) = fuzzy::filter_tree(&chunks, query, limit);
        let item = |(path, ignored): (String, bool)| {
            let folder = path.ends_with('/');
            let path = path.trim_end_matches('/').to_owned();
            let marks = marks.as_ref().filter(|_| !ignored);
            FolderItem {
                git: marks.and_then(|marks| marks.of(&path)),
                path,
                folder,
                ignored,
            }
        };
        (left.into_iter().map(item).collect(), all, scanning)
    }

    fn reads_within(&self, patience: Duration) -> MutexGuard<'_, State> {
        let state = self.0.lock();
        let read = self
            .0
            .changed
            .wait_timeout_while(state, patience, |state| state.is_first_reading());
        read.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Returns one level of the tree, with git letters at most a second old.
    pub fn folder(&self, path: &str) -> io::Result<Vec<FolderItem>> {
        folder::folder(&self.0.root, path, &self.marks())
    }

    pub fn forget_marks(&self) {
        self.0.lock().marks = None;
    }

    fn marks(&self) -> Arc<Marks> {
        if let Some((at, marks)) = &self.0.lock().marks
            && at.elapsed() < FRESH
        {
            return Arc::clone(marks);
        }
        let marks = Arc::new(git::marks(&self.0.root));
        self.0.lock().marks = Some((Instant::now(), Arc::clone(&marks)));
        marks
    }

    fn is_stale(&self) -> bool {
        match self.0.lock().read {
            None => true,
            // A slow reading is followed by a longer pause before the next reading.
            Some((at, took)) => at.elapsed() > FRESH.max(took * 5),
        }
    }
}

impl State {
    fn is_first_reading(&self) -> bool {
        self.reading && self.read.is_none()
    }

    fn favoured(&self) -> Vec<String> {
        let mut paths: Vec<String> = self.recent.iter().cloned().collect();
        if let Some((_, marks)) = &self.marks {
            let room = RECENT.saturating_sub(paths.len());
            let changed: Vec<String> = marks
                .paths()
                .filter(|path| self.recent.iter().all(|known| known != path))
                .filter(|path| marks.of(path) != Some('D'))
                .take(room)
                .map(str::to_owned)
                .collect();
            paths.extend(changed);
        }
        paths
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(inner: &Weak<Inner>) {
    let started = Instant::now();
    let Some((root, levels, first)) = inner
        .upgrade()
        .map(|inner| (inner.root.clone(), inner.levels, inner.lock().read.is_none()))
    else {
        return;
    };
    let from = (root.as_path(), levels);
    let collected = Arc::new(Mutex::new(Vec::new()));
    let take = |chunk: Chunk| {
        let chunk = Arc::new(chunk);
        // Publish names at once only during the first reading. A later reading replaces all names when it is complete.
        if first && let Some(inner) = inner.upgrade() {
            inner.lock().chunks.push(Arc::clone(&chunk));
        }
        collected.lock().unwrap_or_else(PoisonError::into_inner).push(chunk);
    };
    let hasher = RandomState::new();
    let known = names(inner, from, Ignored::Skipped, MOST, &take, &hasher, &HashSet::new());
    names(inner, from, Ignored::Included, MOST_IGNORED, &take, &hasher, &known);
    let Some(inner) = inner.upgrade() else { return };
    let mut state = inner.lock();
    state.chunks = std::mem::take(&mut *collected.lock().unwrap_or_else(PoisonError::into_inner));
    state.reading = false;
    state.read = Some((Instant::now(), started.elapsed()));
    inner.changed.notify_all();
}

/// Calls `take` with the names that are not in `known`, in chunks. Returns the hashes of all names.
fn names(
    inner: &Weak<Inner>,
    from: (&Path, Levels),
    ignored: Ignored,
    most: usize,
    take: &(impl Fn(Chunk) + Sync),
    hasher: &RandomState,
    known: &HashSet<u64>,
) -> HashSet<u64> {
    let seen = Mutex::new(HashSet::new());
    let extra = ignored == Ignored::Included;
    let count = std::sync::atomic::AtomicUsize::new(0);
    walker::walk_within(from, ignored, || {
        let mut batch = Batch {
            chunk: Chunk::new(extra),
            hashes: Vec::new(),
            take,
            seen: &seen,
            extra,
        };
        let (count, hasher) = (&count, hasher);
        move |found: Found| {
            let mut path = walker::shown(&found.path);
            if found.kind == Kind::Folder {
                path.push('/');
            }
            let hash = hasher.hash_one(&path);
            if known.contains(&hash) {
                return Flow::On;
            }
            batch.add(&path, hash);
            let full = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= most;
            if full || inner.strong_count() == 0 {
                Flow::Stop
            } else {
                Flow::On
            }
        }
    });
    seen.into_inner().unwrap_or_else(PoisonError::into_inner)
}

struct Batch<'a, T: Fn(Chunk)> {
    chunk: Chunk,
    hashes: Vec<u64>,
    take: &'a T,
    seen: &'a Mutex<HashSet<u64>>,
    extra: bool,
}

impl<T: Fn(Chunk)> Batch<'_, T> {
    fn add(&mut self, path: &str, hash: u64) {
        self.chunk.push(path);
        self.hashes.push(hash);
        if self.chunk.len() >= CHUNK {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.chunk.len() == 0 {
            return;
        }
        (self.take)(std::mem::replace(&mut self.chunk, Chunk::new(self.extra)));
        let hashes = self.hashes.drain(..);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).extend(hashes);
    }
}

impl<T: Fn(Chunk)> Drop for Batch<'_, T> {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests;
