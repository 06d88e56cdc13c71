//! Full-text search in all sessions: prompts, answers, titles of calls, paths, commands and first lines of outputs.
//!
//! The index returns entries that may match. Each of these entries is read from its session and compared with the
//! query, so a stale or damaged index never causes a wrong hit. The index is in the cache folder, and can be deleted at
//! any time.

mod index;
mod query;
mod searchable;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
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

/// The maximum number of hits. `MOST_IN_SESSION` is the maximum in one session. Nobody would read more hits.
const MOST_HITS: usize = 60;
const MOST_IN_SESSION: usize = 3;

/// The maximum number of sessions to compare with one query. Only queries for very common words reach it.
const MOST_COMPARED: usize = 120;

/// The maximum number of entries to compare in one session.
const MOST_ENTRIES: usize = 48;

/// Number of candidate entries to read at a time.
const GROUP: usize = 16;

/// The number of sessions that each thread compares at a time. `MOST_THREADS` is the maximum number of threads, because
/// more threads would only wait for the disk.
const AT_A_TIME: usize = 8;
const MOST_THREADS: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub entry: EntryId,
    /// The kind of the entry, such as `user`.
    pub kind: &'static str,
    pub time: Time,
    pub snippet: Snippet,
}

/// A session with its hits, in the order of its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub meta: SessionMeta,
    pub hits: Vec<Hit>,
}

/// Updates the index. Calls `progress` with the number of sessions that still have to be read.
pub fn update(data: &Path, cache: &Path, sessions: &[SessionMeta], progress: &mut dyn FnMut(usize)) -> io::Result<()> {
    Index::open(cache)?.update(data, sessions, progress)
}

/// Returns the sessions with hits, newest first. Does not update the index.
pub fn search(data: &Path, cache: &Path, sessions: &[SessionMeta], query: &Query) -> io::Result<Vec<Found>> {
    if query.is_empty() {
        return Ok(Vec::new());
    }
    let index = Index::open(cache)?;
    let mut candidates = index.candidates(query)?;
    let known: HashMap<&SessionId, &SessionMeta> = sessions.iter().map(|meta| (&meta.id, meta)).collect();
    candidates.retain(|candidate| known.contains_key(&candidate.session));
    candidates.sort_by_key(|candidate| std::cmp::Reverse(known.get(&candidate.session).map(|meta| meta.updated)));
    let mut found = Vec::new();
    let mut left = MOST_HITS;
    let threads = available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    candidates.truncate(MOST_COMPARED);
    for batch in candidates.chunks(threads * AT_A_TIME) {
        let compared = batch.iter().zip(compared(data, batch, query, threads));
        for (candidate, mut hits) in compared {
            hits.truncate(left);
            left -= hits.len();
            if let Some(meta) = known.get(&candidate.session).filter(|_| !hits.is_empty()) {
                let meta = SessionMeta::clone(meta);
                found.push(Found { meta, hits });
            }
        }
        if left == 0 {
            break;
        }
    }
    Ok(found)
}

fn compared(data: &Path, candidates: &[Candidate], query: &Query, threads: usize) -> Vec<Vec<Hit>> {
    let share = candidates.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let compare = |some: &[Candidate]| -> Vec<Vec<Hit>> {
            // A session that was deleted or damaged meanwhile has no hits.
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
    for group in entries.chunks(GROUP) {
        for entry in direct::entries(data, &candidate.session, group)? {
            hits.extend(hit(&entry, query));
        }
        if hits.len() >= MOST_IN_SESSION {
            break;
        }
    }
    hits.truncate(MOST_IN_SESSION);
    Ok(hits)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text, with each match between these marks.
    Text { before: &'static str, after: &'static str },
    /// One object per hit and line.
    Json,
}

pub fn write(found: &[Found], form: Form, out: &mut dyn Write) -> io::Result<()> {
    for Found { meta, hits } in found {
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
