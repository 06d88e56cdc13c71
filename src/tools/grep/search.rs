//! Searches files in the order of their names, on several threads. Stops when the first files have enough matches.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use grep_matcher::{LineTerminator, Matcher};
use grep_searcher::{BinaryDetection, MmapChoice, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};

use super::{GrepPlan, Mode, names_carriage_return};
use benchdog_base::charset;
use benchdog_files::beneath::{Held, Kind};
use benchdog_files::walker::{self, Flow, Found, Ignored};
use benchdog_security::secrets::is_secret_path;

/// Maximum characters of a line. Longer lines are truncated around their match.
const MOST_LINE: usize = 500;

/// Maximum bytes of a line, because each thread buffers a line.
pub(super) const LONGEST_LINE: usize = 8 << 20;

/// Maximum bytes of a file to decode to UTF-8. Larger files are searched without decoding.
const MOST_DECODED: u64 = 4 << 20;

/// Time limit of a search, after which it returns the results so far.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Searched {
    pub(super) hits: Vec<Hits>,
    pub(super) files: usize,
    pub(super) secret: usize,
    pub(super) unfinished: bool,
    pub(super) long: usize,
    pub(super) binary: bool,
    pub(super) only_ignored: bool,
}

#[derive(Default)]
pub(super) struct Hits {
    pub(super) path: PathBuf,
    pub(super) lines: Vec<Line>,
    /// Number of matching lines, possibly more than `lines` contains.
    pub(super) matches: u64,
    binary: bool,
}

pub(super) enum Line {
    Match(u64, String),
    Context(u64, String),
    Break,
}

pub(super) fn search(plan: &GrepPlan, stop: &AtomicBool) -> io::Result<Searched> {
    let absolute = plan.path.absolute();
    let mut only_ignored = false;
    let (held, names) = if plan.single {
        let parent = absolute.parent().unwrap_or(Path::new("/"));
        let name = absolute.file_name().map(PathBuf::from).unwrap_or_default();
        (
            Held::open(parent)?,
            Names {
                paths: vec![name],
                secret: 0,
            },
        )
    } else {
        let mut names = names(plan, plan.ignored, &absolute);
        if names.paths.is_empty() && plan.ignored == Ignored::Skipped {
            names = self::names(plan, Ignored::Included, &absolute);
            only_ignored = !names.paths.is_empty();
        }
        (Held::open(&absolute)?, names)
    };
    let progress = Mutex::new(Progress {
        done: vec![None; names.paths.len()],
        through: 0,
        matches: 0,
        hits: Vec::new(),
    });
    let job = Job {
        plan,
        held: &held,
        paths: &names.paths,
        next: AtomicUsize::new(0),
        stop,
        enough: AtomicBool::new(false),
        until: Instant::now() + PATIENCE,
        progress: &progress,
        secret: AtomicUsize::new(names.secret),
        long: AtomicUsize::new(0),
    };
    let threads = walker::threads().min(names.paths.len().div_ceil(16)).max(1);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // If no more threads can be started, the existing threads do the work.
            if std::thread::Builder::new().spawn_scoped(scope, || job.work()).is_err() {
                break;
            }
        }
        job.work();
    });
    let (secret, long) = (job.secret.into_inner(), job.long.into_inner());
    let unfinished = job.enough.into_inner() || stop.load(Ordering::Relaxed) || Instant::now() > job.until;
    let mut progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.hits.sort_by_key(|(index, _)| *index);
    let binary = plan.single && progress.hits.iter().any(|(_, hits)| hits.binary);
    let hits = progress
        .hits
        .into_iter()
        .map(|(_, hits)| hits)
        .filter(|hits| !hits.binary && hits.matches > 0)
        .collect();
    Ok(Searched {
        hits,
        files: names.paths.len(),
        secret,
        long,
        unfinished,
        binary,
        only_ignored,
    })
}

struct Names {
    paths: Vec<PathBuf>,
    secret: usize,
}

fn names(plan: &GrepPlan, ignored: Ignored, root: &Path) -> Names {
    let all = Mutex::new(Names {
        paths: Vec::new(),
        secret: 0,
    });
    let (all_ref, prefix) = (&all, Path::new(plan.path.shown()));
    walker::walk(root, ignored, || {
        let mut batch = Batch {
            names: Names {
                paths: Vec::new(),
                secret: 0,
            },
            all: all_ref,
        };
        move |found: Found| {
            if found.kind == Kind::File && plan.glob.as_ref().is_none_or(|glob| glob.matches(&found.path)) {
                if is_secret_path(&prefix.join(&found.path)) {
                    batch.names.secret += 1;
                } else {
                    batch.names.paths.push(found.path);
                }
            }
            Flow::On
        }
    });
    let mut names = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    names
        .paths
        .sort_unstable_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
    names
}

struct Batch<'a> {
    names: Names,
    all: &'a Mutex<Names>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.paths.append(&mut self.names.paths);
        all.secret += self.names.secret;
    }
}

struct Job<'a> {
    plan: &'a GrepPlan,
    held: &'a Held,
    paths: &'a [PathBuf],
    next: AtomicUsize,
    stop: &'a AtomicBool,
    enough: AtomicBool,
    until: Instant,
    progress: &'a Mutex<Progress>,
    /// Files that were skipped because another hard link to them has the name of a secret file.
    secret: AtomicUsize,
    long: AtomicUsize,
}

struct Progress {
    done: Vec<Option<u64>>,
    through: usize,
    matches: u64,
    hits: Vec<(usize, Hits)>,
}

impl Progress {
    fn note(&mut self, index: usize, hits: Hits) {
        // In mode `files`, `matches` is 1 for each matching file.
        if let Some(slot) = self.done.get_mut(index) {
            *slot = Some(if hits.binary { 0 } else { hits.matches });
        }
        if hits.matches > 0 || hits.binary {
            self.hits.push((index, hits));
        }
        while let Some(Some(matches)) = self.done.get(self.through) {
            self.matches += matches;
            self.through += 1;
        }
    }
}

impl Job<'_> {
    fn work(&self) {
        let mut searcher = searcher(self.plan);
        loop {
            if self.enough.load(Ordering::Relaxed) || self.is_over() {
                return;
            }
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = self.paths.get(index) else { return };
            let hits = self.one(&mut searcher, path);
            let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.note(index, hits);
            // Search until there is one match more than can be shown, so that the report knows about omitted matches.
            let found = match self.plan.mode {
                Mode::Content => progress.matches,
                Mode::Files => progress.matches,
                // Counts are only correct if all files are searched.
                Mode::Count => 0,
            };
            if found > self.plan.limit as u64 && progress.through < self.paths.len() {
                self.enough.store(true, Ordering::Relaxed);
            }
        }
    }

    fn one(&self, searcher: &mut Searcher, path: &Path) -> Hits {
        let mut sink = Collect {
            plan: self.plan,
            hits: Hits {
                path: path.to_path_buf(),
                ..Hits::default()
            },
        };
        // A vanished or unreadable file has no matches.
        if let Ok(file) = self.held.file(path) {
            if self.is_secret_elsewhere(&file, path) {
                self.secret.fetch_add(1, Ordering::Relaxed);
                return sink.hits;
            }
            let searched = self.search(searcher, file, &mut sink);
            if searched.is_err_and(|error| is_long_line(&error)) {
                self.long.fetch_add(1, Ordering::Relaxed);
            }
        }
        sink.hits
    }

    fn search(&self, searcher: &mut Searcher, file: File, sink: &mut Collect<'_>) -> io::Result<()> {
        let is_small = file.metadata().is_ok_and(|found| found.len() <= MOST_DECODED);
        let mut reader = Until { file, job: self };
        if !is_small {
            return searcher.search_reader(&self.plan.matcher, reader, sink);
        }
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        match charset::decoded(&bytes, self.plan.path.charset()) {
            Some((_, text)) => searcher.search_slice(&self.plan.matcher, text.as_bytes(), sink),
            None => searcher.search_slice(&self.plan.matcher, &bytes, sink),
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || Instant::now() > self.until
    }
}

/// A file that seems to end when the search is stopped or out of time.
struct Until<'a> {
    file: File,
    job: &'a Job<'a>,
}

impl Read for Until<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.job.is_over() {
            Ok(0)
        } else {
            self.file.read(buffer)
        }
    }
}

/// Whether a line exceeds the buffer. The searcher reports this case as an error of the kind `Other`. Unlike system
/// errors, that error has no error number.
fn is_long_line(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Other && error.raw_os_error().is_none()
}

impl Job<'_> {
    /// Whether another hard link to the file has the name of a secret file. The call's own `path` was checked before.
    fn is_secret_elsewhere(&self, file: &File, path: &Path) -> bool {
        let several = !self.plan.single && file.metadata().is_ok_and(|found| found.nlink() > 1);
        several && self.plan.path.is_secret_below(path)
    }
}

fn searcher(plan: &GrepPlan) -> Searcher {
    let content = plan.mode == Mode::Content;
    let mut builder = SearcherBuilder::new();
    builder
        .line_terminator(if names_carriage_return(&plan.pattern) {
            LineTerminator::byte(b'\n')
        } else {
            LineTerminator::crlf()
        })
        .binary_detection(BinaryDetection::quit(0))
        // Do not map files, because a mapped file that shrinks would crash the program.
        .memory_map(MmapChoice::never())
        .heap_limit(Some(LONGEST_LINE))
        .line_number(content)
        .before_context(if content { plan.context } else { 0 })
        .after_context(if content { plan.context } else { 0 });
    if content {
        builder.max_matches(Some(plan.limit as u64 + 1));
    }
    builder.build()
}

struct Collect<'a> {
    plan: &'a GrepPlan,
    hits: Hits,
}

impl Sink for Collect<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.hits.matches += 1;
        match self.plan.mode {
            Mode::Files => Ok(false),
            Mode::Count => Ok(true),
            Mode::Content => {
                let at = self
                    .plan
                    .matcher
                    .find(found.bytes())
                    .ok()
                    .flatten()
                    .map_or(0, |range| range.start());
                let number = found.line_number().unwrap_or(0);
                self.hits.lines.push(Line::Match(number, text(found.bytes(), at)));
                Ok(true)
            }
        }
    }

    fn context(&mut self, _searcher: &Searcher, around: &SinkContext<'_>) -> io::Result<bool> {
        self.hits.lines.push(Line::Context(
            around.line_number().unwrap_or(0),
            text(around.bytes(), 0),
        ));
        Ok(true)
    }

    fn context_break(&mut self, _searcher: &Searcher) -> io::Result<bool> {
        self.hits.lines.push(Line::Break);
        Ok(true)
    }

    fn binary_data(&mut self, _searcher: &Searcher, _at: u64) -> io::Result<bool> {
        self.hits.binary = true;
        Ok(false)
    }
}

/// Returns the line without its end, truncated around byte `at`.
fn text(bytes: &[u8], at: usize) -> String {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    if bytes.len() <= MOST_LINE {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let start = at.saturating_sub(MOST_LINE / 4).min(bytes.len());
    let end = (start + MOST_LINE).min(bytes.len());
    let part = String::from_utf8_lossy(bytes.get(start..end).unwrap_or(bytes)).into_owned();
    // Drop characters that the truncation split.
    let part = part.trim_matches(char::REPLACEMENT_CHARACTER);
    let before = if start > 0 { "…" } else { "" };
    let after = if end < bytes.len() { "…" } else { "" };
    format!("{before}{part}{after} [line of {} bytes]", bytes.len())
}
