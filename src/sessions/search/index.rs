//! The index of sessions. A document is an entry, and its number is the entry's id.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use super::query::Query;
use super::searchable::searchable;
use benchdog_base::id::{EntryId, SessionId};
use benchdog_domain::session::SessionMeta;
use benchdog_search::terms::{each_term, folded};
use benchdog_search::{self as search, Builder, Listed, Stamp};
use benchdog_storage::{StorageError, direct};

const FOLDER: &str = "search";

#[derive(Debug)]
pub(super) struct Index(search::Index);

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) session: SessionId,
    pub(super) entries: Vec<EntryId>,
}

impl Index {
    pub(super) fn open(cache: &Path) -> io::Result<Self> {
        search::Index::open(&cache.join(FOLDER)).map(Self)
    }

    /// Returns the sessions that may match, with the highest rank first, at most `most`. Omits sessions without a rank.
    pub(super) fn candidates<R: Ord>(
        &self,
        query: &Query,
        most: usize,
        rank: impl Fn(&str) -> Option<R>,
    ) -> io::Result<Vec<Candidate>> {
        let found = self.0.candidates(&query.patterns(), most, rank)?;
        let candidates = found.into_iter().map(|found| Candidate {
            session: SessionId(found.source),
            entries: found.numbers.into_iter().map(|id| EntryId(id.into())).collect(),
        });
        Ok(candidates.collect())
    }

    /// Returns the sessions that may contain at least half of the parts of a query, each with the number of parts.
    /// Within a session, entries with more parts come first.
    pub(super) fn candidates_with_most(&self, query: &Query) -> io::Result<Vec<(usize, Candidate)>> {
        let mut sessions: HashMap<SessionId, (usize, BTreeMap<EntryId, usize>)> = HashMap::new();
        let parts = query.each_part();
        for part in &parts {
            for found in self.candidates(part, usize::MAX, |_| Some(()))? {
                let (has, entries) = sessions.entry(found.session).or_default();
                *has += 1;
                for entry in found.entries {
                    *entries.entry(entry).or_default() += 1;
                }
            }
        }
        let candidate = |(session, (has, entries)): (SessionId, (usize, BTreeMap<EntryId, usize>))| {
            let mut entries: Vec<(EntryId, usize)> = entries.into_iter().collect();
            entries.sort_by_key(|(_, has)| Reverse(*has));
            let entries = entries.into_iter().map(|(entry, _)| entry).collect();
            (has, Candidate { session, entries })
        };
        let least = parts.len().div_ceil(2);
        let candidates = sessions.into_iter().filter(|(_, (has, _))| *has >= least);
        Ok(candidates.map(candidate).collect())
    }

    /// Indexes the sessions that changed. Removes the words of deleted sessions.
    pub(super) fn update(
        &mut self,
        data: &Path,
        sessions: &[SessionMeta],
        progress: &mut dyn FnMut(usize),
    ) -> io::Result<()> {
        let listed: Vec<Listed> = sessions.iter().map(listed).collect();
        let is_gone = |id: &str| direct::path(data, &SessionId(id.to_owned())).is_ok_and(|path| !path.exists());
        self.0.update(&listed, &is_gone, &mut |left, place, built| {
            progress(left);
            let Some(meta) = sessions.get(place) else { return true };
            let read = direct::each_entry(data, &meta.id, |entry| {
                if let Some((_, text)) = searchable(&entry.body) {
                    add(built, entry.id, &text);
                }
            });
            // A session that is being written is indexed at the next search. A damaged session is indexed only after
            // its next change.
            if let Err(StorageError::Busy { .. }) = read {
                built.read_again();
            }
            true
        })
    }
}

fn listed(meta: &SessionMeta) -> Listed {
    Listed {
        id: meta.id.0.clone(),
        stamp: Stamp {
            time: meta.updated.0,
            size: meta.entries,
        },
    }
}

fn add(built: &mut Builder, id: EntryId, text: &str) {
    // No log has more than `u32::MAX` entries.
    let Ok(number) = u32::try_from(id.0) else { return };
    let doc = built.document(number);
    let folded = folded(text);
    each_term(&folded, |term| built.posting(term, doc));
}
