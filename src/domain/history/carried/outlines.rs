//! Processes a log without its long outputs, to save memory. Only entries in requests get their outputs later.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Carried, Part, find};
use crate::entry::{Body, Entry};
use crate::history::History;
use benchdog_base::id::EntryId;

impl History {
    pub fn push_outline(&mut self, entry: Arc<Entry>, left_out: usize) {
        self.carried.leave_out(entry.id, left_out);
        self.push_lean(entry);
    }

    pub fn outlines(&self) -> Vec<EntryId> {
        self.carried.outlines().collect()
    }

    pub fn complete(&mut self, whole: &BTreeMap<EntryId, Arc<Entry>>) {
        let put = |entry: &mut Arc<Entry>| {
            if let Some(whole) = whole.get(&entry.id) {
                *entry = Arc::clone(whole);
            }
        };
        self.entries.iter_mut().for_each(put);
        self.carried.complete(whole, &put);
    }
}

impl Carried {
    fn leave_out(&mut self, entry: EntryId, bytes: usize) {
        if bytes > 0 {
            self.most.left_out.insert(entry, bytes);
        }
    }

    fn outlines(&self) -> impl Iterator<Item = EntryId> {
        self.most.left_out.keys().copied()
    }

    pub(in crate::history) fn let_go_of_outlines(&mut self, held: &[Arc<Entry>]) {
        self.most.left_out.retain(|id, _| find(held, *id).is_some());
    }

    fn complete(&mut self, whole: &BTreeMap<EntryId, Arc<Entry>>, put: &impl Fn(&mut Arc<Entry>)) {
        let before = self.undo.iter_mut().flat_map(|(_, parts)| parts);
        self.parts.iter_mut().chain(before).for_each(|part| part.put(put));
        let is_whole = |entry: &Arc<Entry>, left_out: usize| match &entry.body {
            Body::ToolResult { output, .. } => output.len() == left_out,
            _ => false,
        };
        let still = |id: &EntryId, left_out: usize| !whole.get(id).is_some_and(|entry| is_whole(entry, left_out));
        self.most.left_out.retain(|id, left_out| still(id, *left_out));
    }
}

impl Part {
    /// Applies `put` to entries that may be outlines. Only results of calls can be outlines, so summaries and todo
    /// lists are skipped.
    fn put(&mut self, put: &impl Fn(&mut Arc<Entry>)) {
        match self {
            Self::Whole(entry)
            | Self::Cut(entry, _)
            | Self::Lean(entry, _)
            | Self::Words(entry)
            | Self::Dropped(entry) => put(entry),
            Self::Replaced(beginning) => beginning.kept.iter_mut().for_each(|part| part.put(put)),
        }
    }
}
