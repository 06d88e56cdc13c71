//! The index: segments in a folder. If several segments contain a source, the newest of them is valid for the source,
//! so no list of valid parts is needed.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::builder::{Builder, each_doc};
use super::segment::{self, Segment, Stamp};
use super::terms::Pattern;

/// Number of segments above which small segments are merged, because each segment adds about a millisecond to a search.
const MANY: usize = 8;
const SMALL: u64 = 6 << 20;

#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    /// Oldest first.
    pub(super) segments: Vec<Segment>,
    /// Indexes by source id: the newest segment that contains the source, and the source in this segment.
    pub(super) current: HashMap<String, (usize, usize)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: String,
    pub stamp: Stamp,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Candidate {
    pub source: String,
    pub numbers: Vec<u32>,
}

impl Index {
    /// Opens all segments. Deletes damaged segments, whose sources the next update reads again.
    pub fn open(folder: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let mut index = Self {
            folder: folder.to_owned(),
            segments: Vec::new(),
            current: HashMap::new(),
        };
        index.load()?;
        Ok(index)
    }

    /// Deletes the segments of a damaged index. The next update reads all sources again.
    pub(super) fn delete(folder: &Path) {
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            if file.path().extension().is_some_and(|ending| ending == "seg") {
                let _ = fs::remove_file(file.path());
            }
        }
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
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) if matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => {
                    let _ = fs::remove_file(&path);
                }
                Err(error) => return Err(error),
            }
        }
        self.segments.sort_by_key(|segment| segment.number);
        self.current.clear();
        for (at, segment) in self.segments.iter().enumerate() {
            let sources = segment.sources.iter().enumerate();
            self.current
                .extend(sources.map(|(place, source)| (source.id.clone(), (at, place))));
        }
        for (at, place) in self.current.values() {
            let source = self
                .segments
                .get_mut(*at)
                .and_then(|segment| segment.sources.get_mut(*place));
            if let Some(source) = source {
                source.is_current = true;
            }
        }
        Ok(())
    }

    /// Returns the sources with documents that may match, with the highest rank first, at most `most`. Omits sources
    /// without a rank.
    pub fn candidates<R: Ord>(
        &self,
        patterns: &[Pattern],
        most: usize,
        rank: impl Fn(&str) -> Option<R>,
    ) -> io::Result<Vec<Candidate>> {
        let mut ranked = Vec::new();
        let mut matching = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let docs = segment.matching(patterns)?;
            for (place, source) in segment.sources.iter().enumerate() {
                let is_candidate = || segment.docs_of(place).any(|doc| docs.has(doc));
                if source.is_current && is_candidate() {
                    ranked.extend(rank(&source.id).map(|rank| (Reverse(rank), at, place)));
                }
            }
            matching.push(docs);
        }
        ranked.sort();
        ranked.truncate(most);
        let mut candidates = Vec::new();
        for (_, at, place) in ranked {
            let (Some(segment), Some(docs)) = (self.segments.get(at), matching.get(at)) else {
                continue;
            };
            candidates.extend(segment.candidate(place, docs)?);
        }
        Ok(candidates)
    }

    /// Reads the sources that changed since they were indexed. Does nothing while another process updates the index.
    ///
    /// `read` gets the number of remaining sources, and the index in `listed` of the source to read. `read` adds the
    /// documents of this source, or returns `false` to end the update.
    ///
    /// Sources for which `is_gone` is true are removed from the index.
    pub fn update(
        &mut self,
        listed: &[Listed],
        is_gone: &dyn Fn(&str) -> bool,
        read: &mut dyn FnMut(usize, usize, &mut Builder) -> bool,
    ) -> io::Result<()> {
        if self.changed(listed).is_empty() && self.gone(listed, is_gone).is_empty() {
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
        let (changed, gone) = (self.changed(listed), self.gone(listed, is_gone));
        let next = self.segments.last().map_or(1, |last| last.number + 1);
        let mut written = Written {
            folder: &self.folder,
            next,
            built: Builder::default(),
        };
        let merged = self.merge(&mut written, &gone)?;
        for (at, place) in changed.iter().enumerate() {
            let Some(source) = listed.get(*place) else { continue };
            written.built.source(source.id.clone(), source.stamp);
            if !read(changed.len() - at, *place, &mut written.built) {
                written.built.read_again();
                break;
            }
            written.flush_if_full()?;
        }
        written.flush()?;
        for path in merged {
            let _ = fs::remove_file(path);
        }
        self.load()
    }

    pub(super) fn changed(&self, listed: &[Listed]) -> Vec<usize> {
        let is_changed = |source: &Listed| {
            let known = self.current.get(&source.id);
            let known = known.and_then(|(at, place)| self.segments.get(*at)?.sources.get(*place));
            known.is_none_or(|known| known.stamp != source.stamp)
        };
        let places = listed.iter().enumerate();
        places
            .filter(|(_, source)| is_changed(source))
            .map(|(place, _)| place)
            .collect()
    }

    /// Returns the indexed sources that are not in `listed` and for which `is_gone` is true. A source may be missing in
    /// `listed` for other reasons than deletion.
    fn gone(&self, listed: &[Listed], is_gone: &dyn Fn(&str) -> bool) -> HashSet<String> {
        let listed: HashSet<&str> = listed.iter().map(|source| source.id.as_str()).collect();
        let unlisted = self.current.keys().filter(|id| !listed.contains(id.as_str()));
        unlisted.filter(|id| is_gone(id)).cloned().collect()
    }

    /// Copies the valid parts of old segments into new segments, and returns the files of the old segments. Selects
    /// mostly stale segments, segments with deleted sources, and small segments if there are many.
    fn merge(&self, written: &mut Written<'_>, gone: &HashSet<String>) -> io::Result<Vec<PathBuf>> {
        let are_many = self.segments.len() >= MANY;
        let mut merged = Vec::new();
        for segment in &self.segments {
            let all = segment.sources.iter().enumerate();
            let valid: Vec<_> = all
                .filter(|(_, source)| source.is_current && !gone.contains(&source.id))
                .collect();
            let has_deleted = segment.sources.iter().any(|source| gone.contains(&source.id));
            let is_stale = has_deleted || valid.len() * 2 < segment.sources.len();
            if is_stale || (are_many && segment.bytes() < SMALL) {
                add(&mut written.built, segment, valid.into_iter().map(|(place, _)| place))?;
                merged.push(segment.path.clone());
                written.flush_if_full()?;
            }
        }
        Ok(merged)
    }
}

struct Written<'f> {
    folder: &'f Path,
    next: u64,
    built: Builder,
}

impl Written<'_> {
    fn flush_if_full(&mut self) -> io::Result<()> {
        if self.built.is_full() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.built.is_empty() {
            segment::write(self.folder, self.next, &self.built)?;
            self.next += 1;
            self.built = Builder::default();
        }
        Ok(())
    }
}

fn add(built: &mut Builder, segment: &Segment, valid: impl Iterator<Item = usize>) -> io::Result<()> {
    let numbers = segment.docs()?;
    let mut moved: Vec<Option<u32>> = vec![None; numbers.len()];
    for place in valid {
        let Some(source) = segment.sources.get(place) else {
            continue;
        };
        built.source(source.id.clone(), source.stamp);
        for doc in segment.docs_of(place) {
            if let (Some(number), Some(moved)) = (numbers.get(doc), moved.get_mut(doc)) {
                *moved = Some(built.document(*number));
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
