//! The changes pane: changed files with their line counts, pending proposals, and failed changes.

use std::collections::{BTreeMap, BTreeSet};

use crate::cursor::Cursor;
use crate::diff_view::DiffView;
use crate::layout::Pane;
use crate::panes::files::ROOT;
use benchdog_base::id::{BlobId, CallId};
use benchdog_domain::comparison::Counted;
use benchdog_domain::review::{FileChange, Review};
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{ApprovalRequest, FolderItem};

const CONTEXT: usize = 3;

/// Number of rows around the cursor whose changed lines are counted at once.
pub const COUNTED: usize = 200;

pub(crate) type Changed = (String, Option<BlobId>);

#[derive(Default)]
pub struct ChangesPane {
    pub rows: Vec<ChangeRow>,
    pub cursor: Cursor,
    pub open: Option<OpenChange>,
    /// The pane from which a diff was requested, until the diff arrives.
    pub awaited: Option<Pane>,
    counting: Option<Vec<Changed>>,
    /// The number of the newest request to count lines. The answer contains the same number.
    pub asked: u64,
    folders: BTreeMap<String, bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRow {
    pub path: String,
    pub added: u32,
    pub removed: u32,
    pub state: ChangeState,
    /// Whether the counts may be wrong, because they are the sum of several changes or the file could not be read.
    pub is_estimate: bool,
    is_stale: bool,
    is_there: bool,
    /// The content before the session's first change. `None` if the file did not exist.
    before: Option<BlobId>,
    /// The resolved path, if the file is a symbolic link. Folder listings may contain either path.
    lies_at: Option<String>,
}

impl ChangeRow {
    fn new(path: &str, (added, removed): (u32, u32), state: ChangeState, before: Option<BlobId>) -> Self {
        Self {
            path: path.to_owned(),
            added,
            removed,
            state,
            is_estimate: false,
            is_stale: false,
            is_there: true,
            before,
            lies_at: None,
        }
    }

    pub fn is_gone(&self) -> bool {
        self.state.is_made() && !self.is_there && self.before.is_none()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.path).chain(self.lies_at.as_deref())
    }

    fn changed(&self) -> Changed {
        (self.path.clone(), self.before.clone())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeState {
    Waiting(CallId),
    Decided(CallId),
    Made,
    Earlier,
    Refused,
    /// The change was accepted but not written, because the file had changed or could not be written.
    Failed,
}

impl ChangeState {
    pub(crate) fn waits(&self) -> bool {
        matches!(self, Self::Waiting(_))
    }

    pub(crate) fn is_made(&self) -> bool {
        matches!(self, Self::Made | Self::Earlier)
    }
}

pub struct OpenChange {
    pub view: DiffView,
    changes: Vec<FileChange>,
    pub title: String,
    pub from: Pane,
}

impl OpenChange {
    pub(crate) fn text(&self) -> String {
        let side = |bytes: &Option<std::sync::Arc<[u8]>>| bytes.clone().unwrap_or_default();
        let text = |change: &FileChange| {
            let (before, after) = (side(&change.before), side(&change.after));
            let hunks = benchdog_diff::unified_text(&before, &after, CONTEXT);
            let path = &change.path;
            format!("--- a/{path}\n+++ b/{path}\n{}", String::from_utf8_lossy(&hunks))
        };
        self.changes.iter().map(text).collect()
    }
}

impl ChangesPane {
    pub fn arrange(&mut self, height: u16) {
        self.cursor.arrange(self.rows.len(), height);
    }

    /// Clears the pane for another session. A requested diff is still expected. The request number is kept, so that
    /// late counts of the previous session are ignored.
    pub(crate) fn clear(&mut self) {
        *self = Self {
            awaited: self.awaited,
            asked: self.asked,
            ..Self::default()
        };
    }

    /// Adds a pending proposal. `view` is the diff, if already computed, so that it is not computed again.
    pub(crate) fn wait(&mut self, request: &ApprovalRequest, view: Option<&DiffView>) {
        self.place(request, view, 0);
    }

    pub(crate) fn wait_behind(&mut self, request: &ApprovalRequest) {
        self.forget_waiting(&request.call);
        let waiting = self.rows.iter().take_while(|row| row.state.waits()).count();
        self.place(request, None, waiting);
    }

    /// Keeps the rows of an unchanged preview, so that the diff is not computed again.
    pub(crate) fn waits_still(&mut self, request: &ApprovalRequest) {
        let waiting = ChangeState::Waiting(request.call.clone());
        let is_of_it = |row: &ChangeRow| row.state == waiting;
        let (still, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.rows).into_iter().partition(is_of_it);
        self.rows = others;
        if still.is_empty() {
            return self.wait_behind(request);
        }
        still.iter().for_each(|row| self.forget_ended(&row.path));
        let at = self.rows.iter().take_while(|row| row.state.waits()).count();
        self.rows.splice(at..at, still);
    }

    fn forget_waiting(&mut self, call: &CallId) {
        let waiting = ChangeState::Waiting(call.clone());
        self.rows.retain(|row| row.state != waiting);
    }

    fn place(&mut self, request: &ApprovalRequest, view: Option<&DiffView>, at: usize) {
        let Review::Files(changes) = &request.review else {
            return;
        };
        self.forget_waiting(&request.call);
        for (n, change) in changes.iter().enumerate() {
            self.forget_ended(&change.path);
            let (added, removed) = match view.and_then(|view| view.files.get(n)) {
                Some(file) => (file.added, file.removed),
                None => benchdog_diff::counts(
                    change.before.as_deref().unwrap_or_default(),
                    change.after.as_deref().unwrap_or_default(),
                ),
            };
            let waiting = ChangeState::Waiting(request.call.clone());
            let row = ChangeRow::new(&change.path, (added, removed), waiting, None);
            self.rows.insert(at.min(self.rows.len()), row);
        }
    }

    pub(crate) fn decided(&mut self, call: &CallId) {
        let waiting = ChangeState::Waiting(call.clone());
        for row in self.rows.iter_mut().filter(|row| row.state == waiting) {
            row.state = ChangeState::Decided(call.clone());
        }
    }

    pub(crate) fn ended(&mut self, call: &CallId, status: CallStatus) {
        // If a call cannot be prepared, its row may still be pending, because nobody has decided about the preview.
        let open = [ChangeState::Decided(call.clone()), ChangeState::Waiting(call.clone())];
        for row in self.rows.iter_mut().filter(|row| open.contains(&row.state)) {
            row.state = match status {
                CallStatus::Ok | CallStatus::Denied | CallStatus::Cancelled => ChangeState::Refused,
                CallStatus::Error => ChangeState::Failed,
            };
        }
    }

    pub(crate) fn turn_ended(&mut self) {
        let open = |state: &ChangeState| matches!(state, ChangeState::Waiting(_) | ChangeState::Decided(_));
        for row in self.rows.iter_mut().filter(|row| open(&row.state)) {
            row.state = ChangeState::Refused;
        }
    }

    pub(crate) fn resumed(&mut self) {
        for row in &mut self.rows {
            row.state = ChangeState::Earlier;
        }
    }

    fn forget_ended(&mut self, path: &str) {
        self.rows
            .retain(|row| row.path != path || row.state.waits() || row.state.is_made());
    }

    /// Adds a change to the row of its file. Removes the row if the file has its original content again.
    pub(crate) fn made(
        &mut self,
        path: &str,
        (added, removed): (u32, u32),
        before: Option<BlobId>,
        after: Option<&BlobId>,
    ) {
        self.forget_ended(path);
        let made = |row: &&ChangeRow| row.path == path && row.state.is_made();
        let is_back = |row: &ChangeRow| made(&row) && row.before.as_ref() == after;
        if let Some(at) = self.rows.iter().position(is_back) {
            self.rows.remove(at);
            return;
        }
        let mut row = match self.rows.iter().position(|row| made(&row)) {
            Some(at) => self.rows.remove(at),
            None => ChangeRow::new(path, (0, 0), ChangeState::Made, before),
        };
        row.state = ChangeState::Made;
        let is_sum = row.added > 0 || row.removed > 0;
        row.is_estimate |= is_sum;
        // A running count is still for the previous content, so the lines must be counted again.
        row.is_stale |= is_sum || self.is_counting(&row);
        row.is_there = after.is_some();
        row.added = row.added.saturating_add(added);
        row.removed = row.removed.saturating_add(removed);
        // New changes come first, below the pending proposals.
        let at = self.rows.iter().take_while(|row| row.state.waits()).count();
        self.rows.insert(at, row);
    }

    /// Handles the listing of a folder. Returns whether line counts of changed files may be stale. This applies to
    /// files in the folder, and in subfolders that were created or removed.
    pub(crate) fn listed(&mut self, folder: &str, items: &[FolderItem]) -> bool {
        let names: BTreeSet<&str> = items.iter().map(|item| &*item.path).collect();
        let begin = match folder {
            ROOT => 0,
            folder => folder.len() + 1,
        };
        let mut seen: BTreeMap<&str, bool> = BTreeMap::new();
        let mut may_differ = false;
        let made = self.rows.iter().filter(|row| row.state.is_made());
        for (row, path) in made.flat_map(|row| row.names().map(move |path| (row, path))) {
            if begin > 0 && path.strip_prefix(folder).is_none_or(|rest| !rest.starts_with('/')) {
                continue;
            }
            let deeper = path.get(begin..).and_then(|rest| rest.find('/'));
            let Some(below) = deeper.and_then(|length| path.get(..begin + length)) else {
                may_differ = true;
                continue;
            };
            let is_there = names.contains(below);
            // A folder that was not listed before counts as existing if the changed file existed.
            may_differ |= is_there != self.folders.get(below).copied().unwrap_or(row.is_there);
            seen.insert(below, is_there);
        }
        for (below, is_there) in seen {
            self.folders.insert(below.to_owned(), is_there);
        }
        may_differ
    }

    pub(crate) fn may_differ(&mut self) {
        let made = self.rows.iter_mut().filter(|row| row.state.is_made());
        made.for_each(|row| row.is_stale = true);
    }

    fn is_counting(&self, row: &ChangeRow) -> bool {
        let mut counting = self.counting.iter().flatten();
        counting.any(|(path, _)| *path == row.path)
    }

    pub(crate) fn take_uncounted(&mut self) -> Option<Vec<Changed>> {
        let cursor = self.cursor.at;
        let rows = self.rows.iter().enumerate().take(cursor + COUNTED);
        let near = rows.skip(cursor.saturating_sub(COUNTED));
        let stale = near.filter(|(_, row)| row.is_stale && row.state.is_made());
        let mut stale: Vec<usize> = stale.map(|(at, _)| at).collect();
        let is_of_this_run = |row: &ChangeRow| row.state == ChangeState::Made;
        if stale.is_empty() || self.counting.is_some() || !self.rows.iter().any(is_of_this_run) {
            return None;
        }
        stale.sort_by_key(|at| at.abs_diff(cursor));
        stale.truncate(COUNTED);
        let mut files = Vec::with_capacity(stale.len());
        for at in stale {
            if let Some(row) = self.rows.get_mut(at) {
                row.is_stale = false;
                files.push(row.changed());
            }
        }
        self.asked += 1;
        self.counting = Some(files.clone());
        Some(files)
    }

    /// Stores the line counts of the newest request. If a requested file has no counts, the file could not be read.
    pub(crate) fn counted(&mut self, number: u64, counted: &[Counted]) {
        let Some(asked) = self.counting.take_if(|_| number == self.asked) else {
            return;
        };
        for row in self.rows.iter_mut().filter(|row| row.state.is_made()) {
            let is_row = |path: &str, before: &Option<BlobId>| *path == row.path && *before == row.before;
            if let Some(now) = counted.iter().find(|now| is_row(&now.path, &now.before)) {
                (row.added, row.removed, row.is_there) = (now.added, now.removed, now.is_there);
                // A deleted file has no resolved path. Keep the old path, because the file may be created there again.
                if now.lies_at.is_some() {
                    row.lies_at.clone_from(&now.lies_at);
                }
                row.is_estimate = false;
            } else if asked.iter().any(|(path, before)| is_row(path, before)) {
                row.is_estimate = true;
            }
        }
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.cursor.step(by, self.rows.len());
    }

    pub(crate) fn current(&self) -> Option<&ChangeRow> {
        self.rows.get(self.cursor.at)
    }

    pub(crate) fn made_files(&self, only: Option<&str>) -> Vec<Changed> {
        let rows = self.rows.iter().rev().filter(|row| row.state.is_made());
        let rows = rows.filter(|row| only.is_none_or(|path| row.path == path));
        rows.map(ChangeRow::changed).collect()
    }

    pub(crate) fn show(&mut self, changes: Vec<FileChange>, title: String, from: Pane) {
        self.open = Some(OpenChange {
            view: DiffView::new(&changes),
            changes,
            title,
            from,
        });
    }
}

#[cfg(test)]
mod tests;
