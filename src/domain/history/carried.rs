//! What requests carry of the log: all of it, until a compaction says otherwise.
//!
//! Between two points at which it changes otherwise, the list only grows; `point` tells them apart.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::id::EntryId;
use crate::domain::compaction::{Compaction, Replaced};
use crate::domain::entry::{Body, Entry};

/// A piece of what is carried, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Whole(Arc<Entry>),
    /// Head and tail of it, so many bytes.
    Cut(Arc<Entry>, u32),
    /// One line in its place.
    Dropped(Arc<Entry>),
    /// What stands in the place of the beginning.
    Replaced(Box<Beginning>),
}

/// What is carried in the place of earlier turns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Beginning {
    /// The compaction.
    pub(crate) entry: Arc<Entry>,
    /// What of them is carried word for word, oldest first.
    pub(crate) kept: Vec<Part>,
    /// The list as it stood then.
    pub(crate) todo: Option<Arc<Entry>>,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Carried {
    parts: Vec<Part>,
    point: EntryId,
    pins: BTreeSet<EntryId>,
    /// What the person took out; it does not come back with a later compaction.
    dropped: BTreeSet<EntryId>,
    /// What can be taken back: the newest compaction, and the list before it.
    undo: Option<(Arc<Entry>, Vec<Part>)>,
    reluctant: bool,
}

impl Part {
    pub(crate) fn entry(&self) -> &Arc<Entry> {
        match self {
            Self::Whole(entry) | Self::Cut(entry, _) | Self::Dropped(entry) => entry,
            Self::Replaced(beginning) => &beginning.entry,
        }
    }
}

impl Beginning {
    pub(crate) fn replaced(&self) -> Option<&Replaced> {
        match &self.entry.body {
            Body::Compaction(compaction) => compaction.replaced.as_ref(),
            _ => None,
        }
    }
}

impl Carried {
    // --- what it says ---

    /// Oldest first.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The entry with which the list was last made anew.
    pub(crate) fn point(&self) -> EntryId {
        self.point
    }

    pub(crate) fn is_pinned(&self, entry: EntryId) -> bool {
        self.pins.contains(&entry)
    }

    pub(crate) fn pins(&self) -> impl Iterator<Item = EntryId> {
        self.pins.iter().copied()
    }

    pub(crate) fn is_dropped(&self, entry: EntryId) -> bool {
        self.dropped.contains(&entry)
    }

    /// The compaction that can be taken back.
    pub(crate) fn undoable(&self) -> Option<&Arc<Entry>> {
        self.undo.as_ref().map(|(entry, _)| entry)
    }

    /// Nothing is summarised before it must be: the person took a compaction back, or the last one freed hardly anything.
    pub(crate) fn is_reluctant(&self) -> bool {
        self.reluctant
    }

    /// What would be carried with this compaction.
    pub(super) fn with(&self, entry: &Arc<Entry>, compaction: &Compaction, log: &Log<'_>) -> Vec<Part> {
        let mut parts = self.parts.clone();
        if let Some(replaced) = &compaction.replaced {
            let kept = replaced.kept.iter().filter_map(|id| self.kept(*id, log));
            let beginning = Beginning {
                entry: Arc::clone(entry),
                kept: kept.collect(),
                todo: log.todo.cloned(),
            };
            parts.retain(|part| part.entry().id > replaced.upto && !matches!(part, Part::Replaced(_)));
            parts.insert(0, Part::Replaced(Box::new(beginning)));
        }
        for part in &mut parts {
            lessen(part, compaction);
            if let Part::Replaced(beginning) = part {
                beginning.kept.iter_mut().for_each(|kept| lessen(kept, compaction));
            }
        }
        parts
    }

    /// An entry as it is carried now; one that has been summarised comes back whole.
    fn kept(&self, id: EntryId, log: &Log<'_>) -> Option<Part> {
        let parts = self.parts.iter().flat_map(|part| match part {
            Part::Replaced(beginning) => beginning.kept.as_slice(),
            other => std::slice::from_ref(other),
        });
        let known = parts.filter(|part| !matches!(part, Part::Replaced(_)));
        let carried = known.into_iter().find(|part| part.entry().id == id).cloned();
        carried.or_else(|| log.find(id).map(|entry| Part::Whole(Arc::clone(entry))))
    }

    // --- the fold ---

    /// Takes in the next entry. `log` holds what was written before it.
    pub(super) fn take(&mut self, entry: &Arc<Entry>, log: &Log<'_>) {
        match &entry.body {
            Body::Compaction(compaction) => {
                let parts = self.with(entry, compaction, log);
                let before = std::mem::replace(&mut self.parts, parts);
                self.undo = Some((Arc::clone(entry), before));
                self.point = entry.id;
                self.reluctant = compaction.dropped.is_empty() && !compaction.is_worth_it();
                self.dropped.extend(&compaction.dropped);
            }
            Body::CompactionUndone { compaction } => self.take_back(entry.id, *compaction),
            Body::Pinned { entry, pinned: true } => {
                self.pins.insert(*entry);
            }
            Body::Pinned { entry, pinned: false } => {
                self.pins.remove(entry);
            }
            body if is_carried(body) => self.parts.push(Part::Whole(Arc::clone(entry))),
            _ => {}
        }
    }

    /// The list as it was, and what came since.
    fn take_back(&mut self, at: EntryId, compaction: EntryId) {
        let Some((entry, mut parts)) = self.undo.take_if(|(entry, _)| entry.id == compaction) else {
            return;
        };
        if let Body::Compaction(compaction) = &entry.body {
            compaction.dropped.iter().for_each(|id| {
                self.dropped.remove(id);
            });
        }
        let since = self.parts.drain(..).filter(|part| part.entry().id > entry.id);
        parts.extend(since);
        self.parts = parts;
        self.point = at;
        self.reluctant = true;
    }
}

/// What the fold may look up.
pub(super) struct Log<'l> {
    pub(super) entries: &'l [Arc<Entry>],
    pub(super) todo: Option<&'l Arc<Entry>>,
}

impl Log<'_> {
    fn find(&self, id: EntryId) -> Option<&Arc<Entry>> {
        find(self.entries, id)
    }
}

/// Ids ascend.
pub(super) fn find(entries: &[Arc<Entry>], id: EntryId) -> Option<&Arc<Entry>> {
    let at = entries.binary_search_by_key(&id, |entry| entry.id).ok()?;
    entries.get(at)
}

fn lessen(part: &mut Part, compaction: &Compaction) {
    let entry = match part {
        Part::Whole(entry) | Part::Cut(entry, _) => Arc::clone(entry),
        Part::Dropped(_) | Part::Replaced(_) => return,
    };
    if compaction.dropped.contains(&entry.id) {
        *part = Part::Dropped(entry);
    } else if let Some(cut) = compaction.cuts.iter().find(|cut| cut.entry == entry.id) {
        *part = Part::Cut(entry, cut.keep);
    }
}

/// Whether a request says anything of such an entry.
fn is_carried(body: &Body) -> bool {
    match body {
        Body::User { .. }
        | Body::Assistant { .. }
        | Body::ToolResult { .. }
        | Body::Shell { .. }
        | Body::TurnEnded { .. }
        | Body::Validation { feedback: true, .. } => true,
        Body::CallStarted { .. }
        | Body::Approval { .. }
        | Body::Change { .. }
        | Body::Todo { .. }
        | Body::Validation { .. }
        | Body::Model { .. }
        | Body::Agent { .. }
        | Body::Compaction(_)
        | Body::CompactionUndone { .. }
        | Body::Pinned { .. }
        | Body::Notice(_)
        | Body::Unknown(_) => false,
    }
}
