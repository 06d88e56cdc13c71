//! The index: segments in the cache folder. A session's newest segment counts, so nothing else says which parts are valid.

use std::collections::{HashMap, HashSet};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::builder::{Builder, each_doc};
use super::query::Query;
use super::searchable::searchable;
use super::segment::{self, Segment, Stamp};
use benchdog_base::id::{EntryId, SessionId};
use benchdog_domain::session::SessionMeta;
use benchdog_storage::{StorageError, direct};

const FOLDER: &str = "search";

/// With this many segments, the small ones are merged. Each costs a search about a millisecond.
const MANY: usize = 8;
const SMALL: u64 = 6 << 20;

#[derive(Debug)]
pub(super) struct Index {
    folder: PathBuf,
    /// Oldest first.
    segments: Vec<Segment>,
}

/// A session, and its entries that may match.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) session: SessionId,
    pub(super) entries: Vec<EntryId>,
}

impl Index {
    /// Opens all segments. A damaged one is deleted: its sessions are read again.
    pub(super) fn open(cache: &Path) -> io::Result<Self> {
        let folder = cache.join(FOLDER);
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let mut index = Self {
            folder,
            segments: Vec::new(),
        };
        index.load()?;
        Ok(index)
    }

    fn load(&mut self) -> io::Result<()> {
        self.segments.clear();
        for file in fs::read_dir(&self.folder)? {
            let path = file?.path();
            let number = path
                .file_name()
                .and_then(|name| name.to_str()?.strip_suffix(".seg")?.parse().ok());
            let Some(number) = number else { continue };
            match Segment::open(&path, number) {
                Ok(segment) => self.segments.push(segment),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) => drop(fs::remove_file(&path)),
            }
        }
        self.segments.sort_by_key(|segment| segment.number);
        Ok(())
    }

    /// Returns the segment of each session, and its place there.
    fn current(&self) -> HashMap<&SessionId, (usize, usize)> {
        let mut current = HashMap::new();
        for (at, segment) in self.segments.iter().enumerate() {
            for (place, session) in segment.sessions.iter().enumerate() {
                current.insert(&session.id, (at, place));
            }
        }
        current
    }

    pub(super) fn candidates(&self, query: &Query) -> io::Result<Vec<Candidate>> {
        let patterns = query.patterns();
        let current = self.current();
        let mut candidates = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let matching = segment.matching(&patterns)?;
            if matching.is_empty() {
                continue;
            }
            let entries = segment.docs()?;
            for (place, session) in segment.sessions.iter().enumerate() {
                if current.get(&session.id) != Some(&(at, place)) {
                    continue;
                }
                let docs = segment.docs_of(place).filter(|doc| matching.has(*doc));
                let entries: Vec<EntryId> = docs
                    .filter_map(|doc| Some(EntryId(u64::from(*entries.get(doc)?))))
                    .collect();
                if !entries.is_empty() {
                    candidates.push(Candidate {
                        session: session.id.clone(),
                        entries,
                    });
                }
            }
        }
        Ok(candidates)
    }

    /// Reads the sessions that changed since they were indexed. Leaves it to another process that is doing so.
    pub(super) fn update(
        &mut self,
        data: &Path,
        sessions: &[SessionMeta],
        progress: &mut dyn FnMut(usize),
    ) -> io::Result<()> {
        if self.changed(sessions).is_empty() && self.gone(data, sessions).is_empty() {
            return Ok(());
        }
        let lock = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(self.folder.join("lock"))?;
        if lock.try_lock().is_err() {
            return Ok(());
        }
        self.load()?;
        let (changed, gone) = (self.changed(sessions), self.gone(data, sessions));
        let mut number = self.segments.last().map_or(1, |last| last.number + 1);
        let mut built = Builder::default();
        let merged = self.merge(&mut built, &gone)?;
        for (at, meta) in changed.iter().enumerate() {
            progress(changed.len() - at);
            built.session(meta.id.clone(), Stamp::of(meta));
            let read = direct::each_entry(data, &meta.id, |entry| {
                if let Some((_, text)) = searchable(&entry.body) {
                    built.entry(entry.id, &text);
                }
            });
            // A session that is being written is read with the next search. A damaged one, when it has changed.
            if let Err(StorageError::Busy { .. }) = read {
                built.read_again();
            }
            if built.is_full() {
                segment::write(&self.folder, number, &built)?;
                number += 1;
                built = Builder::default();
            }
        }
        if !built.is_empty() {
            segment::write(&self.folder, number, &built)?;
        }
        for path in merged {
            let _ = fs::remove_file(path);
        }
        self.load()
    }

    fn changed<'s>(&self, sessions: &'s [SessionMeta]) -> Vec<&'s SessionMeta> {
        let current = self.current();
        let is_changed = |meta: &&SessionMeta| {
            let known = current.get(&meta.id);
            let known = known.and_then(|(at, place)| self.segments.get(*at)?.sessions.get(*place));
            known.is_none_or(|known| known.stamp != Stamp::of(meta))
        };
        sessions.iter().filter(is_changed).collect()
    }

    /// Returns the indexed sessions that were deleted. Their words must not stay. A list may lack sessions for other reasons.
    fn gone(&self, data: &Path, sessions: &[SessionMeta]) -> HashSet<SessionId> {
        let listed: HashSet<&SessionId> = sessions.iter().map(|meta| &meta.id).collect();
        let unlisted = self.current().into_keys().filter(|id| !listed.contains(id));
        let is_gone = |id: &&SessionId| direct::path(data, id).is_ok_and(|path| !path.exists());
        unlisted.filter(is_gone).cloned().collect()
    }

    /// Adds the valid parts of small segments, if there are many, and of segments that are mostly out of date or contain deleted
    /// sessions. Returns the files that are no longer needed.
    fn merge(&self, built: &mut Builder, gone: &HashSet<SessionId>) -> io::Result<Vec<PathBuf>> {
        let current = self.current();
        let are_many = self.segments.len() >= MANY;
        let mut merged = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let is_valid = |place: usize, id: &SessionId| current.get(id) == Some(&(at, place)) && !gone.contains(id);
            let all = segment.sessions.iter().enumerate();
            let valid: Vec<_> = all.filter(|(place, session)| is_valid(*place, &session.id)).collect();
            let has_deleted = segment.sessions.iter().any(|session| gone.contains(&session.id));
            let is_stale = has_deleted || valid.len() * 2 < segment.sessions.len();
            if is_stale || (are_many && segment.bytes() < SMALL) {
                add(built, segment, valid.into_iter().map(|(place, _)| place))?;
                merged.push(segment.path.clone());
            }
        }
        Ok(merged)
    }
}

/// Adds the given sessions of a segment.
fn add(built: &mut Builder, segment: &Segment, valid: impl Iterator<Item = usize>) -> io::Result<()> {
    let entries = segment.docs()?;
    let mut moved: Vec<Option<u32>> = vec![None; entries.len()];
    for place in valid {
        let Some(session) = segment.sessions.get(place) else {
            continue;
        };
        built.session(session.id.clone(), session.stamp);
        for doc in segment.docs_of(place) {
            if let (Some(entry), Some(moved)) = (entries.get(doc), moved.get_mut(doc)) {
                *moved = Some(built.document(*entry));
            }
        }
    }
    segment.each_term(|term, postings| {
        each_doc(postings, |doc| {
            let doc = usize::try_from(doc)
                .ok()
                .and_then(|doc| moved.get(doc).copied().flatten());
            if let Some(doc) = doc {
                built.posting(term, doc);
            }
        });
    })
}
