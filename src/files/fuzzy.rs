//! Fuzzy matching of a query against up to a million paths, at every key press.
//!
//! Comparing sets of letters excludes most paths. The crate `nucleo` scores the others. Ignored files come last.

mod tree_filter;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::time::{Duration, Instant};

use nucleo::pattern::{CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

use super::walker;
use benchdog_protocol::FoundPath;
pub(crate) use tree_filter::filter_tree;

/// Minimum number of paths at which a search uses a second thread and may skip later passes.
const MANY: usize = 20_000;

/// Time limit for the search in whole paths, which runs after the search in names.
const PATIENCE: Duration = Duration::from_millis(20);

/// Bonus for a match in the last component, equal to about one letter at the start of a word.
const IN_NAME: u32 = 24;

/// Bonus for recently used files, equal to about two letters.
const RECENT: u32 = 48;

#[derive(Debug, Default)]
pub(crate) struct Chunk {
    text: String,
    candidates: Vec<Candidate>,
    ignored: bool,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    start: u32,
    letters: u32,
    name_letters: u32,
    len: u16,
    name: u16,
    begin: [u8; 2],
}

impl Chunk {
    pub(crate) fn new(ignored: bool) -> Self {
        Self {
            ignored,
            ..Self::default()
        }
    }

    /// Adds a path. Folders end with `/`. Ignores a path that is too long for any system.
    pub(crate) fn push(&mut self, path: &str) {
        if let Some(candidate) = Candidate::of(path, self.text.len()) {
            self.text.push_str(path);
            self.candidates.push(candidate);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.candidates.len()
    }

    fn path(&self, candidate: &Candidate) -> &str {
        let start = candidate.start as usize;
        self.text.get(start..start + usize::from(candidate.len)).unwrap_or("")
    }
}

impl Candidate {
    fn of(path: &str, start: usize) -> Option<Self> {
        let at = path.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
        let name = path.get(at..).unwrap_or(path);
        let byte = |index: usize| name.as_bytes().get(index).map_or(0, u8::to_ascii_lowercase);
        Some(Self {
            start: u32::try_from(start).ok()?,
            len: u16::try_from(path.len()).ok()?,
            name: u16::try_from(at).ok()?,
            letters: letters(path),
            name_letters: letters(name),
            begin: [byte(0), byte(1)],
        })
    }
}

/// Returns the set of letters in a text, ignoring case. Non-ASCII text gets all letters, so that `nucleo` decides.
fn letters(text: &str) -> u32 {
    if text.is_ascii() {
        needle_letters(text)
    } else {
        u32::MAX
    }
}

fn needle_letters(text: &str) -> u32 {
    text.bytes().filter(u8::is_ascii).fold(0, |set, byte| {
        let bit = match byte.to_ascii_lowercase() {
            letter @ b'a'..=b'z' => letter - b'a',
            digit @ b'0'..=b'9' => 26 + digit % 4,
            b'_' | b'-' => 30,
            // Ignore blanks, which only separate words, and slashes, which nearly every path has.
            b' ' | b'/' => return set,
            _ => 31,
        };
        set | 1 << bit
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    shown_by_default: bool,
    score: u32,
    short: Reverse<u16>,
}

/// Passes of a search, from narrow to wide. In a large folder, a later pass runs only if too few paths were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    Begin,
    Names,
    Paths,
}

/// Returns the best paths. At equal scores, recently used paths come first, in the order of `recent`.
pub(crate) fn best(
    chunks: &[impl AsRef<Chunk> + Sync],
    query: &str,
    recent: &[String],
    limit: usize,
) -> Vec<FoundPath> {
    best_within(chunks, query, recent, limit, PATIENCE)
}

/// Returns the indexes of matching texts, best first. An empty query matches all.
pub fn ranked(texts: &[String], query: &str) -> Vec<usize> {
    let pattern = Pattern::parse(query.trim(), CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    let mut buffer = Vec::new();
    let scores = texts.iter().enumerate().filter_map(|(place, text)| {
        let score = pattern.score(Utf32Str::new(text, &mut buffer), &mut matcher)?;
        Some((Reverse(score), place))
    });
    let mut found: Vec<_> = scores.collect();
    found.sort_unstable();
    found.into_iter().map(|(_, place)| place).collect()
}

fn best_within(
    chunks: &[impl AsRef<Chunk> + Sync],
    query: &str,
    recent: &[String],
    limit: usize,
    patience: Duration,
) -> Vec<FoundPath> {
    let query = query.trim();
    let total: usize = chunks.iter().map(|chunk| chunk.as_ref().len()).sum();
    let mut found = if total > MANY {
        in_passes(chunks, query, limit, Instant::now() + patience)
    } else {
        best_of(chunks, query, limit, Pass::Paths, None)
    };
    let place = |place: usize| u32::try_from(recent.len() - place).unwrap_or(0).min(16);
    for (rank, path) in &mut found {
        if let Some(at) = recent.iter().position(|known| known == path) {
            rank.score += RECENT + place(at);
        }
    }
    let mut scorer = Scorer::new(query);
    for (at, path) in recent.iter().enumerate() {
        if found.iter().all(|(_, known)| known != path)
            && let Some(candidate) = Candidate::of(path, 0)
            && let Some(score) = scorer.score(path, &candidate, Pass::Paths)
        {
            let score = score + RECENT + place(at);
            found.push((
                Rank {
                    shown_by_default: true,
                    score,
                    short: Reverse(candidate.len),
                },
                path,
            ));
        }
    }
    found.sort_by(|(a, left), (b, right)| b.cmp(a).then_with(|| left.cmp(right)));
    let marked = |(rank, path): (Rank, &str)| FoundPath {
        path: path.to_owned(),
        ignored: !rank.shown_by_default,
    };
    found.into_iter().take(limit).map(marked).collect()
}

fn in_passes<'a>(
    chunks: &'a [impl AsRef<Chunk> + Sync],
    query: &str,
    limit: usize,
    until: Instant,
) -> Vec<(Rank, &'a str)> {
    let share = chunks.len().div_ceil(walker::threads()).max(1);
    let mut found = Vec::new();
    for pass in [Pass::Begin, Pass::Names, Pass::Paths] {
        let skipped = match pass {
            Pass::Begin => !query.is_ascii() || query.is_empty() || query.contains(['/', ' ']),
            Pass::Names => query.contains('/') || query.is_empty(),
            Pass::Paths => false,
        };
        if skipped {
            continue;
        }
        // Only the last pass has a time limit, because only it can be slow in a folder with long paths.
        let until = (pass == Pass::Paths && !query.is_empty()).then_some(until);
        let before = std::mem::take(&mut found);
        found = std::thread::scope(|scope| {
            let workers: Vec<_> = chunks
                .chunks(share)
                .map(|part| {
                    let work = move || best_of(part, query, limit, pass, until);
                    // If the system refuses to start a thread, the current thread does the work.
                    let begun = std::thread::Builder::new().spawn_scoped(scope, work);
                    begun.map_err(|_| work())
                })
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.map_or_else(|found| found, |worker| worker.join().unwrap_or_default()))
                .collect::<Vec<_>>()
        });
        // Keep the results of earlier passes, because a pass that ran out of time may lack them.
        let known: HashSet<&str> = found.iter().map(|(_, path)| *path).collect();
        found.extend(before.into_iter().filter(|(_, path)| !known.contains(path)));
        if found.iter().filter(|(rank, _)| rank.shown_by_default).count() >= limit {
            break;
        }
    }
    found
}

fn best_of<'a>(
    chunks: &'a [impl AsRef<Chunk>],
    query: &str,
    limit: usize,
    pass: Pass,
    until: Option<Instant>,
) -> Vec<(Rank, &'a str)> {
    let mut scorer = Scorer::new(query);
    let mut heap: BinaryHeap<Reverse<(Rank, Reverse<&'a str>)>> = BinaryHeap::with_capacity(limit + 1);
    for chunk in chunks {
        let chunk = chunk.as_ref();
        if until.is_some_and(|until| Instant::now() > until) {
            break;
        }
        for candidate in &chunk.candidates {
            if !scorer.may_match(candidate, pass) {
                continue;
            }
            let path = chunk.path(candidate);
            let Some(score) = scorer.score(path, candidate, pass) else {
                continue;
            };
            let rank = Rank {
                shown_by_default: !chunk.ignored,
                score,
                short: Reverse(candidate.len),
            };
            let entry = Reverse((rank, Reverse(path)));
            if heap.len() < limit {
                heap.push(entry);
            } else if heap.peek().is_some_and(|worst| entry < *worst) {
                heap.pop();
                heap.push(entry);
            }
        }
    }
    heap.into_iter()
        .map(|Reverse((rank, Reverse(path)))| (rank, path))
        .collect()
}

/// Whether to search the query literally, because a fuzzy match of such a short query would match nearly every path.
fn is_short(query: &str) -> bool {
    query.is_ascii() && (1..=2).contains(&query.len())
}

struct Scorer<'q> {
    query: &'q str,
    letters: u32,
    begin: [u8; 2],
    pattern: Pattern,
    short: bool,
    in_name: bool,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl<'q> Scorer<'q> {
    fn new(query: &'q str) -> Self {
        let byte = |index: usize| query.as_bytes().get(index).map_or(0, u8::to_ascii_lowercase);
        Self {
            query,
            letters: needle_letters(query),
            begin: [byte(0), byte(1)],
            pattern: Pattern::parse(query, CaseMatching::Ignore, Normalization::Smart),
            short: is_short(query),
            in_name: !query.contains('/'),
            matcher: Matcher::new(Config::DEFAULT.match_paths()),
            buffer: Vec::new(),
        }
    }

    fn may_match(&self, candidate: &Candidate, pass: Pass) -> bool {
        let [first, second] = self.begin;
        match pass {
            Pass::Begin => candidate.begin[0] == first && (second == 0 || candidate.begin[1] == second),
            Pass::Names => candidate.name_letters & self.letters == self.letters,
            Pass::Paths => candidate.letters & self.letters == self.letters,
        }
    }

    fn score(&mut self, path: &str, candidate: &Candidate, pass: Pass) -> Option<u32> {
        if self.query.is_empty() {
            return Some(0);
        }
        let name = path.get(usize::from(candidate.name)..).unwrap_or(path);
        if self.short && path.is_ascii() {
            return short_score(self.query, name, path, pass);
        }
        let begins = || {
            name.as_bytes()
                .get(..self.query.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(self.query.as_bytes()))
        };
        if pass == Pass::Begin && !begins() {
            return None;
        }
        let text = if candidate.letters == u32::MAX {
            Utf32Str::new(name, &mut self.buffer)
        } else {
            Utf32Str::Ascii(name.as_bytes())
        };
        if self.in_name
            && candidate.name_letters & self.letters == self.letters
            && let Some(score) = self.pattern.score(text, &mut self.matcher)
        {
            return Some(score + IN_NAME);
        }
        if pass != Pass::Paths {
            return None;
        }
        self.pattern
            .score(Utf32Str::new(path, &mut self.buffer), &mut self.matcher)
    }
}

/// Scores a query of one or two letters by the place of its match. From best to worst: whole name, start of the name,
/// start of a word, in the name, in the path.
fn short_score(query: &str, name: &str, path: &str, pass: Pass) -> Option<u32> {
    let (needle, name, path) = (query.as_bytes(), name.as_bytes(), path.as_bytes());
    let at = |text: &[u8]| {
        text.windows(needle.len())
            .position(|part| part.eq_ignore_ascii_case(needle))
    };
    match at(name) {
        Some(0) if name.len() == needle.len() => Some(90),
        Some(0) => Some(80),
        Some(found) if name.get(found - 1).is_some_and(|byte| !byte.is_ascii_alphanumeric()) => Some(60),
        Some(_) => Some(40),
        None if pass != Pass::Paths => None,
        None => match at(path) {
            Some(_) => Some(20),
            None => in_order(needle, path).then_some(10),
        },
    }
}

fn in_order(needle: &[u8], text: &[u8]) -> bool {
    let mut rest = text.iter();
    needle
        .iter()
        .all(|wanted| rest.any(|byte| byte.eq_ignore_ascii_case(wanted)))
}

#[cfg(test)]
mod tests;
