//! Parts of the log that requests contain. Parts are only appended until a rebuild, which `point` identifies.

mod most;
mod outlines;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::compaction::{Compaction, Replaced};
use crate::entry::{Body, Entry};
use crate::failure::Cut;
use crate::summary::Summary;
use crate::tool::CallStatus;
use crate::undo::of_line;
use benchdog_base::id::EntryId;

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Whole(Arc<Entry>),
    /// An entry truncated to this many bytes. The beginning and the end remain.
    Cut(Arc<Entry>, u32),
    Lean(Arc<Entry>, u32),
    /// A prompt within a summarised range: its text, its skill, and one line for each mentioned file.
    Words(Arc<Entry>),
    Dropped(Arc<Entry>),
    Replaced(Box<Beginning>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    pub entry: Arc<Entry>,
    pub kept: Vec<Part>,
    pub todo: Option<Arc<Entry>>,
}

#[derive(Debug, Default, PartialEq)]
pub struct Carried {
    parts: Vec<Part>,
    point: EntryId,
    pins: BTreeSet<EntryId>,
    /// Entries removed by the person. Later compactions do not restore them.
    dropped: BTreeSet<EntryId>,
    undo: Option<(Arc<Entry>, Vec<Part>)>,
    reluctant: bool,
    /// Commands that the person ran between a failed request and its repetition. Requests contain them as user
    /// messages, not in tool results.
    behind: BTreeSet<EntryId>,
    most: most::Most,
}

impl Part {
    pub fn entry(&self) -> &Arc<Entry> {
        match self {
            Self::Whole(entry)
            | Self::Cut(entry, _)
            | Self::Lean(entry, _)
            | Self::Words(entry)
            | Self::Dropped(entry) => entry,
            Self::Replaced(beginning) => &beginning.entry,
        }
    }

    /// Truncates an entry. In a prompt, truncates only mentions, never the person's own text.
    pub fn shortened(entry: Arc<Entry>, keep: u32) -> Self {
        match entry.body {
            Body::User { .. } => Self::Lean(entry, keep),
            _ => Self::Cut(entry, keep),
        }
    }

    fn each(&mut self) -> &mut [Self] {
        match self {
            Self::Replaced(beginning) => &mut beginning.kept,
            other => std::slice::from_mut(other),
        }
    }

    pub fn kept(entry: &Arc<Entry>, pinned: bool) -> Self {
        match &entry.body {
            Body::User { mentions, .. } if !pinned && !mentions.is_empty() => Self::Words(Arc::clone(entry)),
            _ => Self::Whole(Arc::clone(entry)),
        }
    }
}

impl Beginning {
    pub fn replaced(&self) -> Option<&Replaced> {
        match &self.entry.body {
            Body::Compaction(compaction) => compaction.replaced.as_ref(),
            _ => None,
        }
    }
}

impl Carried {
    // --- queries ---

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub fn point(&self) -> EntryId {
        self.point
    }

    pub(super) fn begins(&self) -> EntryId {
        let before = self.undo.as_ref().map(|(_, parts)| parts);
        let lists = std::iter::once(&self.parts).chain(before);
        let upto = |parts: &Vec<Part>| match parts.first() {
            Some(Part::Replaced(beginning)) => beginning.replaced().map(|replaced| replaced.upto),
            _ => None,
        };
        lists
            .map(|parts| upto(parts).unwrap_or_default())
            .min()
            .unwrap_or_default()
            .max(self.most.left_behind())
    }

    pub(super) fn entries(&self) -> BTreeSet<EntryId> {
        let before = self.undo.iter().flat_map(|(_, parts)| parts);
        let parts = self.parts.iter().chain(before);
        let kept = |part: &Part| match part {
            Part::Replaced(beginning) => beginning.kept.iter().map(|part| part.entry().id).collect(),
            _ => Vec::new(),
        };
        let ids = parts.flat_map(|part| kept(part).into_iter().chain([part.entry().id]));
        ids.chain(self.pins()).collect()
    }

    pub fn is_pinned(&self, entry: EntryId) -> bool {
        self.pins.contains(&entry)
    }

    pub fn pins(&self) -> impl Iterator<Item = EntryId> {
        self.pins.iter().copied()
    }

    pub fn is_dropped(&self, entry: EntryId) -> bool {
        self.dropped.contains(&entry)
    }

    pub fn behind(&self) -> &BTreeSet<EntryId> {
        &self.behind
    }

    pub fn is_lessened(&self, entry: EntryId) -> bool {
        let parts = self.parts.iter().flat_map(|part| match part {
            Part::Replaced(beginning) => beginning.kept.as_slice(),
            other => std::slice::from_ref(other),
        });
        let mut of_it = parts.filter(|part| part.entry().id == entry);
        of_it.any(|part| !matches!(part, Part::Whole(_) | Part::Replaced(_)))
    }

    pub fn undoable(&self) -> Option<&Arc<Entry>> {
        self.undo.as_ref().map(|(entry, _)| entry)
    }

    /// Whether to delay summaries. Set if the person undid a compaction, or if the last one freed too little.
    pub fn is_reluctant(&self) -> bool {
        self.reluctant
    }

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
            match part {
                // Truncate also the parts that a summary preserves verbatim.
                Part::Replaced(beginning) => {
                    let kept = beginning.kept.iter_mut();
                    kept.for_each(|kept| lessen(kept, compaction, Part::Cut));
                }
                part => lessen(part, compaction, Part::shortened),
            }
        }
        parts
    }

    fn kept(&self, id: EntryId, log: &Log<'_>) -> Option<Part> {
        let parts = self.parts.iter().flat_map(|part| match part {
            Part::Replaced(beginning) => beginning.kept.as_slice(),
            other => std::slice::from_ref(other),
        });
        let known = parts.filter(|part| !matches!(part, Part::Replaced(_)));
        let carried = known.into_iter().find(|part| part.entry().id == id).cloned();
        match carried {
            Some(part @ (Part::Cut(..) | Part::Dropped(_) | Part::Replaced(_))) => Some(part),
            Some(Part::Whole(_) | Part::Lean(..) | Part::Words(_)) | None => {
                log.find(id).map(|entry| Part::kept(entry, self.is_pinned(id)))
            }
        }
    }

    pub fn uncut(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let parts = self.parts.iter().flat_map(|part| match part {
            Part::Replaced(beginning) => beginning.kept.as_slice(),
            other => std::slice::from_ref(other),
        });
        parts.filter_map(|part| match part {
            // Never truncate skills mentioned in a prompt.
            Part::Whole(entry) | Part::Lean(entry, _) | Part::Words(entry) => Some(entry),
            Part::Cut(..) | Part::Dropped(_) | Part::Replaced(_) => None,
        })
    }

    // --- fold ---

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
            Body::Pinned {
                entry: pin,
                pinned: true,
            } => {
                self.pins.insert(*pin);
                self.bring_back(*pin, entry.id);
            }
            Body::Retried => self.ask_again(entry.id),
            Body::Pinned { entry, pinned: false } => {
                self.pins.remove(entry);
            }
            body if is_carried(body) => {
                self.parts.push(Part::Whole(Arc::clone(entry)));
                self.leave_behind(entry);
            }
            _ => {}
        }
    }

    /// Restores the parts of the last request, because the person repeats that request. Removes the end of the turn.
    /// Also removes the answer, unless another request has already contained it.
    fn ask_again(&mut self, at: EntryId) {
        // Commands that the person ran after the request stay at the end.
        let beside = |part: &Part| matches!(part.entry().body, Body::Shell { .. });
        let before = |parts: &[Part]| {
            let behind = parts.iter().rev().take_while(|part| beside(part)).count();
            parts.len().saturating_sub(behind + 1)
        };
        let end = before(&self.parts);
        let behind = self.parts.iter().skip(end + 1).map(|part| part.entry().id);
        self.behind.extend(behind);
        let at_end = self.parts.get(end);
        if at_end.is_some_and(|part| matches!(part.entry().body, Body::TurnEnded { .. })) {
            self.parts.remove(end);
        }
        // If the model received a message about a truncated call, another request may have contained that answer.
        let is_answer = |entry: Arc<Entry>| match &entry.body {
            Body::Assistant { calls, error, .. } => calls.is_empty() && !error.as_ref().is_some_and(Cut::is_answered),
            _ => false,
        };
        let answer = before(&self.parts);
        let found = self.parts.get(answer).map(|part| Arc::clone(part.entry()));
        if found.is_some_and(is_answer) {
            self.parts.remove(answer);
        }
        self.point = at;
    }

    fn bring_back(&mut self, pin: EntryId, at: EntryId) {
        let before = self.undo.iter_mut().flat_map(|(_, parts)| parts);
        before.flat_map(Part::each).for_each(|part| make_whole(part, pin));
        if self.is_lessened(pin) {
            self.parts
                .iter_mut()
                .flat_map(Part::each)
                .for_each(|part| make_whole(part, pin));
            self.dropped.remove(&pin);
            self.point = at;
        }
    }

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

pub(super) struct Log<'l> {
    pub(super) entries: &'l [Arc<Entry>],
    pub(super) todo: Option<&'l Arc<Entry>>,
}

impl Log<'_> {
    fn find(&self, id: EntryId) -> Option<&Arc<Entry>> {
        find(self.entries, id)
    }
}

pub(super) fn find(entries: &[Arc<Entry>], id: EntryId) -> Option<&Arc<Entry>> {
    let at = entries.binary_search_by_key(&id, |entry| entry.id).ok()?;
    entries.get(at)
}

fn make_whole(part: &mut Part, pin: EntryId) {
    if part.entry().id == pin && !matches!(part, Part::Replaced(_)) {
        *part = Part::Whole(Arc::clone(part.entry()));
    }
}

fn lessen(part: &mut Part, compaction: &Compaction, shortened: impl Fn(Arc<Entry>, u32) -> Part) {
    let entry = match part {
        Part::Whole(entry) | Part::Cut(entry, _) | Part::Lean(entry, _) | Part::Words(entry) => Arc::clone(entry),
        Part::Dropped(_) | Part::Replaced(_) => return,
    };
    if compaction.dropped.contains(&entry.id) {
        *part = Part::Dropped(entry);
    } else if let Some(cut) = compaction.cuts.iter().find(|cut| cut.entry == entry.id) {
        *part = shortened(entry, cut.keep);
    }
}

fn is_carried(body: &Body) -> bool {
    match body {
        // An undo that changed nothing is not sent to the model.
        Body::Shell {
            command,
            status,
            summary,
            ..
        } if of_line(command).is_some() => *status == CallStatus::Ok || *summary == Summary::ResultUnknown,
        Body::User { .. }
        | Body::Assistant { .. }
        | Body::ToolResult { .. }
        | Body::Shell { .. }
        | Body::TurnEnded { .. }
        | Body::Validation { feedback: true, .. } => true,
        Body::CallStarted { .. }
        | Body::CallEnded { .. }
        | Body::Approval { .. }
        | Body::Change { .. }
        | Body::Todo { .. }
        | Body::Validation { .. }
        | Body::Model { .. }
        | Body::Agent { .. }
        | Body::Plan(_)
        | Body::Child(_)
        | Body::Findings { .. }
        | Body::Sampling(_)
        | Body::Retried
        | Body::Compaction(_)
        | Body::CompactionUndone { .. }
        | Body::Pinned { .. }
        | Body::Terms { .. }
        | Body::Spent(_)
        | Body::Notice(_)
        | Body::Unknown(_) => false,
    }
}
