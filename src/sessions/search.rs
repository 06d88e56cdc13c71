//! Full-text search in all sessions: prompts, answers, titles of calls, paths, commands and first lines of outputs.
//!
//! The index returns entries that may match. Each of these entries is read from its session and compared with the
//! query, so a stale or damaged index never causes a wrong hit. The index is in the cache folder, and can be deleted at
//! any time.

mod index;
mod query;
mod searchable;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, available_parallelism};

use serde_json::json;

use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, SessionId};
use benchdog_base::json;
use benchdog_base::text::clean;
use benchdog_domain::entry::Entry;
use benchdog_domain::session::SessionMeta;
use benchdog_storage::{StorageError, direct};
use index::{Candidate, Index};
pub use query::{Query, Snippet};
use searchable::searchable;

/// Maximum number of hits, because nobody would read more. `MOST_IN_SESSION` is the maximum in one session.
const MOST_HITS: usize = 40;
const MOST_IN_SESSION: usize = 3;

/// Maximum number of sessions to compare with one query. Only queries for very common words reach this number.
const MOST_COMPARED: usize = 120;

/// The maximum number of entries to compare in one session.
const MOST_ENTRIES: usize = 48;

/// Number of entries of a session that are read first. The others are read only if too few of these match.
const FIRST: usize = 4;

/// The number of sessions that each thread compares at a time. `MOST_THREADS` is the maximum number of threads, because
/// more threads would only wait for the disk.
const AT_A_TIME: usize = 4;
const MOST_THREADS: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub entry: EntryId,
    /// The kind of the entry, such as `user`.
    pub kind: &'static str,
    pub time: Time,
    pub snippet: Snippet,
}

/// A session and its hits. The hits are in the order of the session's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub meta: SessionMeta,
    /// Whether each hit has all words of the query.
    pub has_all_words: bool,
    pub hits: Vec<Hit>,
}

/// Listed sessions and their index, for any number of queries.
#[derive(Debug)]
pub struct Searcher {
    data: PathBuf,
    /// By session id.
    sessions: HashMap<String, SessionMeta>,
    index: Index,
}

impl Searcher {
    /// Updates the index. Calls `progress` with the number of sessions that still have to be read.
    pub fn open(
        data: &Path,
        cache: &Path,
        sessions: Vec<SessionMeta>,
        progress: &mut dyn FnMut(usize),
    ) -> io::Result<Self> {
        let mut index = Index::open(cache)?;
        index.update(data, &sessions, progress)?;
        Ok(Self {
            data: data.to_owned(),
            sessions: sessions.into_iter().map(|meta| (meta.id.0.clone(), meta)).collect(),
            index,
        })
    }

    /// Returns the sessions with hits. Whole words come before parts of words, and newer sessions before older ones. If
    /// no entry has all words, returns the sessions that have most of them, best first.
    pub fn search(&self, query: &Query) -> io::Result<Vec<Found>> {
        if query.is_empty() {
            return Ok(Vec::new());
        }
        let mut search = Search {
            data: &self.data,
            known: &self.sessions,
            found: Vec::new(),
            left: MOST_HITS,
        };
        let whole = query.whole_words();
        search.newest_first(&self.index, &whole)?;
        if whole.patterns() != query.patterns() && search.left > 0 {
            search.newest_first(&self.index, query)?;
        }
        if search.found.is_empty() && query.each_part().len() > 1 {
            search.best_first(self.index.candidates_with_most(query)?, &query.any_part());
        }
        Ok(search.found)
    }
}

struct Search<'s> {
    data: &'s Path,
    known: &'s HashMap<String, SessionMeta>,
    found: Vec<Found>,
    left: usize,
}

impl Search<'_> {
    fn newest_first(&mut self, index: &Index, query: &Query) -> io::Result<()> {
        let candidates = index.candidates(query, MOST_COMPARED, |session| self.updated(session))?;
        self.add(&candidates, query);
        Ok(())
    }

    fn best_first(&mut self, mut candidates: Vec<(usize, Candidate)>, query: &Query) {
        candidates.retain(|(_, candidate)| self.updated(&candidate.session.0).is_some());
        candidates.sort_by_key(|(has, candidate)| Reverse((*has, self.updated(&candidate.session.0))));
        candidates.truncate(MOST_COMPARED);
        let candidates: Vec<Candidate> = candidates.into_iter().map(|(_, candidate)| candidate).collect();
        self.add(&candidates, query);
    }

    /// Returns the time of the last change of a session. `None` if the session is deleted, or already has the maximum
    /// of hits.
    fn updated(&self, session: &str) -> Option<Time> {
        let mut found = self.found.iter();
        let is_full = found.any(|found| found.meta.id.0 == session && found.hits.len() >= MOST_IN_SESSION);
        let meta = self.known.get(session).filter(|_| !is_full);
        meta.map(|meta| meta.updated)
    }

    fn add(&mut self, candidates: &[Candidate], query: &Query) {
        let threads = available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        for batch in candidates.chunks(threads * AT_A_TIME) {
            if self.left == 0 {
                return;
            }
            let compared = batch.iter().zip(compared(self.data, batch, query, threads));
            for (candidate, hits) in compared {
                self.take(&candidate.session, hits, query.has_all_parts());
            }
        }
    }

    fn take(&mut self, session: &SessionId, hits: Vec<Hit>, has_all_words: bool) {
        let Some(meta) = self.known.get(&session.0).filter(|_| !hits.is_empty() && self.left > 0) else {
            return;
        };
        let known = self.found.iter().position(|found| found.meta.id == *session);
        let at = known.unwrap_or(self.found.len());
        if known.is_none() {
            self.found.push(Found {
                meta: meta.clone(),
                has_all_words,
                hits: Vec::new(),
            });
        }
        let Some(found) = self.found.get_mut(at) else { return };
        for hit in hits {
            let is_known = found.hits.iter().any(|known| known.entry == hit.entry);
            if !is_known && self.left > 0 && found.hits.len() < MOST_IN_SESSION {
                self.left -= 1;
                found.hits.push(hit);
            }
        }
        found.hits.sort_by_key(|hit| hit.entry);
    }
}

fn compared(data: &Path, candidates: &[Candidate], query: &Query, threads: usize) -> Vec<Vec<Hit>> {
    let share = candidates.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let compare = |some: &[Candidate]| -> Vec<Vec<Hit>> {
            // A session that was deleted or damaged in the meantime has no hits.
            let hits = some.iter().map(|one| verified(data, one, query).unwrap_or_default());
            hits.collect()
        };
        let mut shares = candidates.chunks(share);
        let own = shares.next().unwrap_or_default();
        let others: Vec<_> = shares.map(|some| scope.spawn(move || compare(some))).collect();
        let mut hits = compare(own);
        // The candidates of a thread that panicked have no hits.
        hits.extend(others.into_iter().flat_map(|other| other.join().unwrap_or_default()));
        hits
    })
}

/// Reads the candidates of a session from its log, until enough of them match.
fn verified(data: &Path, candidate: &Candidate, query: &Query) -> Result<Vec<Hit>, StorageError> {
    let mut hits = Vec::new();
    let entries = candidate.entries.get(..MOST_ENTRIES).unwrap_or(&candidate.entries);
    let (first, others) = entries.split_at(FIRST.min(entries.len()));
    for group in [first, others] {
        for entry in direct::entries(data, &candidate.session, group)? {
            hits.extend(hit(&entry, query));
        }
        if hits.len() >= MOST_IN_SESSION || others.is_empty() {
            break;
        }
    }
    hits.truncate(MOST_IN_SESSION);
    Ok(hits)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text, with each match between `before` and `after`.
    Text { before: &'static str, after: &'static str },
    /// One object per hit and line.
    Json,
}

pub fn write(found: &[Found], form: Form, out: &mut dyn Write) -> io::Result<()> {
    for Found { meta, hits, .. } in found {
        let title = super::title(meta);
        if let Form::Text { .. } = form {
            let (short, folder) = (meta.id.short(), clean(&meta.workspace));
            writeln!(out, "{short}  {}  {folder}  {}", meta.updated.minute(), clean(&title))?;
        }
        for hit in hits {
            match form {
                Form::Text { before, after } => {
                    let snippet = hit.snippet.marked(before, after);
                    writeln!(out, "  {:>6}  {:<11}  {snippet}", hit.entry.0, hit.kind)?;
                }
                Form::Json => {
                    let marks: Vec<_> = hit.snippet.marks.iter().map(|mark| [mark.start, mark.end]).collect();
                    let line = json!({
                        "session": meta.id, "entry": hit.entry, "kind": hit.kind, "time": hit.time.rfc3339(),
                        "workspace": meta.workspace, "title": meta.title, "snippet": hit.snippet.text, "marks": marks,
                    });
                    writeln!(out, "{}", json::line(&line))?;
                }
            }
        }
    }
    Ok(())
}

fn hit(entry: &Entry, query: &Query) -> Option<Hit> {
    let (kind, text) = searchable(&entry.body)?;
    Some(Hit {
        entry: entry.id,
        kind,
        time: entry.time,
        snippet: query.snippet(&text)?,
    })
}

#[cfg(test)]
mod tests;
