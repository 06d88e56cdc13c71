//! Search in the files of a workspace by the words of a question, and by embeddings if a model for them is configured.
//!
//! Each search updates the index: the walker lists the files, and changed files are read. Links, ignored files and
//! secret files are never listed. Unlisted files are never shown, even if the index is stale or damaged.

mod embeddings;

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::chunks::{Chunk, chunks};
use super::rank::{Question, terms_of};
use super::{Builder, Index, Listed, Stamp};
use benchdog_base::charset::{self, Charset};
use benchdog_base::clock::Time;
use benchdog_files::beneath::{Held, Kind};
use benchdog_files::walker::{self, Flow, Found, Ignored};
pub use embeddings::{EmbedError, EmbeddingState, Embeddings};

/// Folder in the cache, with a subfolder for each workspace.
const FOLDER: &str = "retrieval";

/// The maximum size of a file in bytes. Larger files are data or generated.
const MOST_FILE: u64 = 256 << 10;

/// The maximum number of files in the index. `MOST_TEXT` limits their total bytes. Files nearer to the top folder have
/// priority.
const MOST_FILES: usize = 100_000;
const MOST_TEXT: u64 = 1 << 30;

/// Time limit of an update. The next search continues an incomplete update.
const PATIENCE: Duration = Duration::from_secs(60);

/// The maximum number of files that one search reads to score their chunks.
const MOST_READ: usize = 60;

/// Maximum number of hits in one file. A measurement with two hits per file found fewer relevant files among the ten
/// best hits.
const MOST_IN_FILE: usize = 1;

/// Time without use after which an index is deleted.
const UNUSED: Duration = Duration::from_hours(30 * 24);

/// Maximum number of lines of an excerpt. `LINE` is the maximum number of characters of a line.
const EXCERPT: usize = 5;
const LINE: usize = 160;

/// Number of bytes that are examined to detect a binary file.
const SAMPLE: usize = 8 << 10;

pub type IsSecret<'a> = &'a (dyn Fn(&Path) -> bool + Sync);

#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub root: &'a Path,
    pub cache: &'a Path,
    pub charset: Option<Charset>,
    pub is_secret: IsSecret<'a>,
    /// Whether another name of a file with several hard links is secret.
    pub is_secret_link: IsSecret<'a>,
    /// Whether a rule denies reading a file. Such a file is never a hit, and is never sent to a model.
    pub is_denied: IsSecret<'a>,
    /// `None` to rank by words only.
    pub embeddings: Option<Embeddings<'a>>,
    pub stop: &'a AtomicBool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub path: String,
    pub first: usize,
    pub last: usize,
    pub excerpt: Vec<(usize, String)>,
    pub score: f32,
}

#[derive(Debug, Default, PartialEq)]
pub struct Hits {
    pub hits: Vec<Hit>,
    pub files: usize,
    /// The number of files that are not indexed yet.
    pub pending: usize,
    /// The number of files beyond the limits of an index.
    pub omitted: usize,
    /// Whether the list of files was complete before the deadline.
    pub is_complete: bool,
    /// `None` without a model for embeddings.
    pub embeddings: Option<EmbeddingState>,
}

/// Returns the best chunks. Rebuilds a damaged index.
pub fn search(scope: &Scope<'_>, question: &str, most: usize) -> io::Result<Hits> {
    let until = Instant::now() + PATIENCE;
    let is_damaged = |error: &io::Error| matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof);
    match search_until(scope, question, most, until) {
        Err(error) if is_damaged(&error) => {
            Index::delete(&scope.folder());
            search_until(scope, question, most, until)
        }
        found => found,
    }
}

fn search_until(scope: &Scope<'_>, text_of_question: &str, most: usize, until: Instant) -> io::Result<Hits> {
    let Listing {
        files: listed,
        omitted,
        is_complete,
    } = list(scope, until)?;
    let held = Held::open(scope.root)?;
    let index = update(scope, &held, &listed, until)?;
    let allowed = listed.iter().filter(|file| !(scope.is_denied)(Path::new(&file.id)));
    let now: HashMap<&str, Stamp> = allowed.map(|file| (file.id.as_str(), file.stamp)).collect();
    let files = Files {
        held: &held,
        listed: &listed,
        now: &now,
        is_complete,
    };
    let mut question = Question::of(text_of_question);
    let mut hits = Vec::new();
    for path in question.best(&index, &now, MOST_READ)? {
        if scope.is_cancelled() {
            break;
        }
        // Ignore a file that was deleted in the meantime. A changed file contributes its current chunks.
        if let Some(text) = read_text(scope, &held, &path) {
            hits.extend(best_chunks(&question, &path, &text));
        }
    }
    hits.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| one.path.cmp(&other.path))
    });
    let mut state = None;
    if let Some(model) = scope.embeddings.filter(|_| !scope.is_cancelled()) {
        let (near, of_model) = embeddings::rank(scope, &model, &files, text_of_question, &hits);
        hits = embeddings::fuse(scope, &model, &held, &question, hits, &near, most);
        state = Some(of_model);
    }
    hits.truncate(most);
    Ok(Hits {
        hits,
        files: listed.len(),
        pending: index.changed(&listed).len(),
        omitted,
        is_complete,
        embeddings: state,
    })
}

struct Files<'f> {
    held: &'f Held,
    listed: &'f [Listed],
    /// The files that no rule forbids reading.
    now: &'f HashMap<&'f str, Stamp>,
    is_complete: bool,
}

impl Scope<'_> {
    fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self, until: Instant) -> bool {
        self.is_cancelled() || Instant::now() > until
    }

    fn folder(&self) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        self.root.hash(&mut hasher);
        self.cache.join(FOLDER).join(format!("{:016x}", hasher.finish()))
    }
}

pub(super) struct Listing {
    pub(super) files: Vec<Listed>,
    omitted: usize,
    is_complete: bool,
}

pub(super) fn list(scope: &Scope<'_>, until: Instant) -> io::Result<Listing> {
    let held = Held::open(scope.root)?;
    let all = Mutex::new(Vec::new());
    let is_stopped = AtomicBool::new(false);
    let (held, all_ref, stopped_ref) = (&held, &all, &is_stopped);
    walker::walk(scope.root, Ignored::Skipped, || {
        let mut batch = Batch {
            files: Vec::new(),
            all: all_ref,
        };
        move |found: Found| {
            if found.kind == Kind::File
                && !(scope.is_secret)(&found.path)
                && let Some(file) = stat_file(held, &found.path)
            {
                batch.files.push(file);
            }
            if !scope.is_over(until) {
                return Flow::On;
            }
            stopped_ref.store(true, Ordering::Relaxed);
            Flow::Stop
        }
    });
    let mut files = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let depth = |file: &Listed| file.id.matches('/').count();
    files.sort_unstable_by(|one, other| (depth(one), &one.id).cmp(&(depth(other), &other.id)));
    let found = files.len();
    let mut size = 0;
    let fit = files.iter().take(MOST_FILES).take_while(|file| {
        size += file.stamp.size;
        size <= MOST_TEXT
    });
    let count = fit.count();
    files.truncate(count);
    Ok(Listing {
        files,
        omitted: found - count,
        is_complete: !is_stopped.into_inner(),
    })
}

/// Returns `None` for an empty or large file, and for a name that is not UTF-8.
fn stat_file(held: &Held, path: &Path) -> Option<Listed> {
    let id = path.to_str()?;
    let stat = held.stat(path).ok()?;
    let fits = (1..=MOST_FILE).contains(&stat.size);
    fits.then(|| Listed {
        id: id.to_owned(),
        stamp: Stamp {
            // A time after the year 2262 does not fit. Any value may replace such a time.
            time: i64::try_from(stat.modified).unwrap_or_default(),
            size: stat.size,
        },
    })
}

struct Batch<'a> {
    files: Vec<Listed>,
    all: &'a Mutex<Vec<Listed>>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.append(&mut self.files);
    }
}

fn update(scope: &Scope<'_>, held: &Held, files: &[Listed], until: Instant) -> io::Result<Index> {
    let folder = scope.folder();
    let mut index = Index::open(&folder)?;
    // After the deadline, do not use the list, because it may be incomplete.
    if scope.is_over(until) {
        return Ok(index);
    }
    // Remove every unlisted file from the index: it is deleted, ignored, or beyond the limits.
    let is_gone = |_: &str| true;
    index.update(files, &is_gone, &mut |_, place, built| {
        if scope.is_over(until) {
            return false;
        }
        if let Some(file) = files.get(place)
            && let Some(text) = read_text(scope, held, &file.id)
        {
            add(built, &file.id, &text);
        }
        true
    })?;
    mark_used(&folder);
    delete_unused(&scope.cache.join(FOLDER));
    Ok(index)
}

fn add(built: &mut Builder, path: &str, text: &str) {
    for chunk in chunks(text) {
        let (terms, length) = terms_of(path, text.get(chunk.bytes).unwrap_or_default());
        let doc = built.document(length);
        for term in &terms {
            built.posting(term, doc);
        }
    }
}

/// Returns the decoded text of a file. `None` if the file is binary, is a hard link to a secret file, or cannot be
/// read.
pub(super) fn read_text(scope: &Scope<'_>, held: &Held, path: &str) -> Option<String> {
    read_file(scope, held, path).ok().flatten()
}

fn read_file(scope: &Scope<'_>, held: &Held, path: &str) -> io::Result<Option<String>> {
    let path = Path::new(path);
    let file = held.file(path)?;
    if file.metadata()?.nlink() > 1 && (scope.is_secret_link)(path) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(MOST_FILE).read_to_end(&mut bytes)?;
    if let Some((_, text)) = charset::decoded(&bytes, scope.charset) {
        return Ok(Some(text));
    }
    let sample = bytes.get(..SAMPLE).unwrap_or(&bytes);
    Ok((!sample.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

fn best_chunks(question: &Question, path: &str, text: &str) -> Vec<Hit> {
    let (of_path, path_length) = question.path_counts(path);
    let chunks: Vec<(Chunk, Vec<u32>, u32)> = chunks(text)
        .into_iter()
        .map(|chunk| {
            let (counts, length) = question.counts(text.get(chunk.bytes.clone()).unwrap_or_default());
            (chunk, add_counts(&counts, &of_path), length + path_length)
        })
        .collect();
    let none = vec![0; question.terms.len()];
    let file = chunks.iter().fold(none, |all, (_, counts, _)| add_counts(&all, counts));
    let scored = chunks
        .into_iter()
        .map(|(chunk, counts, length)| (question.score(path, &counts, length, &file), chunk));
    let mut scored: Vec<(f32, Chunk)> = scored.filter(|(score, _)| *score > 0.0).collect();
    scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    scored.truncate(MOST_IN_FILE);
    let scored = scored.into_iter();
    scored
        .map(|(score, chunk)| hit_of(question, path, text, chunk, score))
        .collect()
}

fn hit_of(question: &Question, path: &str, text: &str, chunk: Chunk, score: f32) -> Hit {
    Hit {
        path: path.to_owned(),
        first: chunk.first,
        last: chunk.last,
        excerpt: excerpt(question, text.get(chunk.bytes).unwrap_or_default(), chunk.first),
        score,
    }
}

fn add_counts(one: &[u32], other: &[u32]) -> Vec<u32> {
    one.iter().zip(other).map(|(one, other)| one + other).collect()
}

fn excerpt(question: &Question, chunk: &str, first: usize) -> Vec<(usize, String)> {
    let lines: Vec<&str> = chunk.lines().collect();
    let counts: Vec<Vec<u32>> = lines.iter().map(|line| question.counts(line).0).collect();
    let weight = |window: &[Vec<u32>]| {
        let none = vec![0; question.terms.len()];
        question.weight(&window.iter().fold(none, |all, counts| add_counts(&all, counts)))
    };
    let windows = counts.windows(EXCERPT.min(counts.len().max(1))).map(weight);
    let mut best = (0, -1.0);
    for (at, weight) in windows.enumerate() {
        if weight > best.1 {
            best = (at, weight);
        }
    }
    let lines = lines.into_iter().enumerate().skip(best.0).take(EXCERPT);
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| (first + at, truncate(line))).collect()
}

fn truncate(line: &str) -> String {
    let line = line.trim_end();
    match line.char_indices().nth(LINE) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line.to_owned(),
    }
}

fn mark_used(folder: &Path) {
    let options = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .to_owned();
    // If this fails, the index is only deleted too early and built again.
    if let Ok(file) = options.open(folder.join("used")) {
        let _ = file.set_modified(now());
    }
}

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(Time::now().0).unwrap_or_default())
}

fn delete_unused(all: &Path) {
    let Ok(folders) = fs::read_dir(all) else { return };
    for folder in folders.flatten().map(|folder| folder.path()) {
        let used = fs::symlink_metadata(folder.join("used")).and_then(|used| used.modified());
        if used.is_ok_and(|used| used.elapsed().is_ok_and(|since| since > UNUSED)) {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

#[cfg(test)]
mod tests;
