//! Files changed in this session, and changes that wait or came to nothing, with counts; one can be opened as a diff.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::cursor::Cursor;
use crate::app::diff_view::DiffView;
use crate::app::layout::Pane;
use crate::app::panes::files::ROOT;
use crate::base::id::{BlobId, CallId};
use crate::domain::comparison::Counted;
use crate::domain::review::{FileChange, Review};
use crate::domain::tool::CallStatus;
use crate::protocol::{ApprovalRequest, FolderItem};

/// Equal lines around a hunk that is copied.
const CONTEXT: usize = 3;

/// Rows that are counted anew at once, and how far from the one under the cursor: no screen shows more. The others are counted when the
/// cursor comes near.
pub(crate) const COUNTED: usize = 200;

/// A file, with what was in it before the first change.
pub(crate) type Changed = (String, Option<BlobId>);

#[derive(Default)]
pub(crate) struct ChangesPane {
    pub(crate) rows: Vec<ChangeRow>,
    pub(crate) cursor: Cursor,
    /// The diff that is open in the place of the conversation.
    pub(crate) open: Option<OpenChange>,
    /// A diff was asked for from this pane, and is not here yet.
    pub(crate) awaited: Option<Pane>,
    /// What is being counted: what happens meanwhile is counted behind that.
    counting: Option<Vec<Changed>>,
    /// The number of the newest question about it, which its answer bears.
    pub(crate) asked: u64,
    /// The folders that changed files are in or below, and whether each was there when the one above it was read last.
    folders: BTreeMap<String, bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangeRow {
    pub(crate) path: String,
    pub(crate) added: u32,
    pub(crate) removed: u32,
    pub(crate) state: ChangeState,
    /// Those are the sum of several changes and not what differs, or the file could not be read.
    pub(crate) is_estimate: bool,
    /// What differs may be something else by now.
    is_stale: bool,
    /// There is such a file.
    is_there: bool,
    /// What was in the file before the first change; `None`: there was none.
    before: Option<BlobId>,
    /// Where the file lies, where its path leads there through a link: its folder may be listed by either name.
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

    /// It was made here, and is not there any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.state.is_made() && !self.is_there && self.before.is_none()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.path).chain(self.lies_at.as_deref())
    }

    fn changed(&self) -> Changed {
        (self.path.clone(), self.before.clone())
    }
}

/// What became of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChangeState {
    /// It waits for the person, in this request.
    Waiting(CallId),
    /// They decided; what came of it is not known yet.
    Decided(CallId),
    Made,
    /// It was made before this session was opened again.
    Earlier,
    Refused,
    /// It was allowed and could not be made: the file had changed meanwhile, or could not be written.
    Failed,
}

impl ChangeState {
    pub(crate) fn waits(&self) -> bool {
        matches!(self, Self::Waiting(_))
    }

    /// The file differs from what it was.
    pub(crate) fn is_made(&self) -> bool {
        matches!(self, Self::Made | Self::Earlier)
    }
}

pub(crate) struct OpenChange {
    pub(crate) view: DiffView,
    changes: Vec<FileChange>,
    /// What is compared with what.
    pub(crate) title: String,
    /// Where the keyboard was when it was asked for.
    pub(crate) from: Pane,
}

impl OpenChange {
    /// The diff as text, in the form every tool reads.
    pub(crate) fn text(&self) -> String {
        let side = |bytes: &Option<std::sync::Arc<[u8]>>| bytes.clone().unwrap_or_default();
        let text = |change: &FileChange| {
            let (before, after) = (side(&change.before), side(&change.after));
            let hunks = crate::diff::unified_text(&before, &after, CONTEXT);
            let path = &change.path;
            format!("--- a/{path}\n+++ b/{path}\n{}", String::from_utf8_lossy(&hunks))
        };
        self.changes.iter().map(text).collect()
    }
}

impl ChangesPane {
    pub(crate) fn arrange(&mut self, height: u16) {
        self.cursor.arrange(self.rows.len(), height);
    }

    /// What was asked for before the session was shown is still awaited. What is still counted for the one before has a number of its own.
    pub(crate) fn clear(&mut self) {
        *self = Self {
            awaited: self.awaited,
            asked: self.asked,
            ..Self::default()
        };
    }

    /// A proposal waits. `view`: its diff, where it is computed already, so that no big one is compared twice.
    pub(crate) fn wait(&mut self, request: &ApprovalRequest, view: Option<&DiffView>) {
        self.place(request, view, 0);
    }

    /// One that is asked about behind those that wait.
    pub(crate) fn wait_behind(&mut self, request: &ApprovalRequest) {
        self.forget_waiting(&request.call);
        let waiting = self.rows.iter().take_while(|row| row.state.waits()).count();
        self.place(request, None, waiting);
    }

    /// One of those that is the same as before, in its turn behind those that wait: its rows stay, so that no proposal is compared again
    /// with each one that is decided.
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
                None => crate::diff::counts(
                    change.before.as_deref().unwrap_or_default(),
                    change.after.as_deref().unwrap_or_default(),
                ),
            };
            let waiting = ChangeState::Waiting(request.call.clone());
            let row = ChangeRow::new(&change.path, (added, removed), waiting, None);
            self.rows.insert(at.min(self.rows.len()), row);
        }
    }

    /// The request is answered; what was made of it comes as changes of its own.
    pub(crate) fn decided(&mut self, call: &CallId) {
        let waiting = ChangeState::Waiting(call.clone());
        for row in self.rows.iter_mut().filter(|row| row.state == waiting) {
            row.state = ChangeState::Decided(call.clone());
        }
    }

    /// The call ended; what of it was not made came to nothing.
    pub(crate) fn ended(&mut self, call: &CallId, status: CallStatus) {
        // One that was only looked at is never decided where it turns out that it cannot be made.
        let open = [ChangeState::Decided(call.clone()), ChangeState::Waiting(call.clone())];
        for row in self.rows.iter_mut().filter(|row| open.contains(&row.state)) {
            row.state = match status {
                CallStatus::Ok | CallStatus::Denied | CallStatus::Cancelled => ChangeState::Refused,
                CallStatus::Error => ChangeState::Failed,
            };
        }
    }

    /// The turn ended, and with it everything that had not.
    pub(crate) fn turn_ended(&mut self) {
        let open = |state: &ChangeState| matches!(state, ChangeState::Waiting(_) | ChangeState::Decided(_));
        for row in self.rows.iter_mut().filter(|row| open(&row.state)) {
            row.state = ChangeState::Refused;
        }
    }

    /// All that is here was made before.
    pub(crate) fn resumed(&mut self) {
        for row in &mut self.rows {
            row.state = ChangeState::Earlier;
        }
    }

    /// Something new is to be told of this file.
    fn forget_ended(&mut self, path: &str) {
        self.rows
            .retain(|row| row.path != path || row.state.waits() || row.state.is_made());
    }

    /// A file was changed; several changes of one file are one row with the sum. One that is again as it was before them is none.
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
        // What is being counted is the file before this.
        row.is_stale |= is_sum || self.is_counting(&row);
        row.is_there = after.is_some();
        row.added = row.added.saturating_add(added);
        row.removed = row.removed.saturating_add(removed);
        // The newest is on top; what waits stays above it.
        let at = self.rows.iter().take_while(|row| row.state.waits()).count();
        self.rows.insert(at, row);
    }

    /// A folder was read anew, which holds these. Whether files that were changed lie in it, or in a folder below it that came or went.
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
            // Of a folder that was in no listing yet the file says it, which may have gone with it.
            may_differ |= is_there != self.folders.get(below).copied().unwrap_or(row.is_there);
            seen.insert(below, is_there);
        }
        for (below, is_there) in seen {
            self.folders.insert(below.to_owned(), is_there);
        }
        may_differ
    }

    /// Others may have written the files, or taken them away.
    pub(crate) fn may_differ(&mut self) {
        let made = self.rows.iter_mut().filter(|row| row.state.is_made());
        made.for_each(|row| row.is_stale = true);
    }

    fn is_counting(&self, row: &ChangeRow) -> bool {
        let mut counting = self.counting.iter().flatten();
        counting.any(|(path, _)| *path == row.path)
    }

    /// What is to be compared with what it was, as the question of the number `asked`, so that each row that may be seen says what its file
    /// is now. Where only an earlier run changed files, the log says it.
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

    /// How files differ now from what they were, where it answers the newest question. What was asked about and is not among them could not
    /// be read.
    pub(crate) fn counted(&mut self, number: u64, counted: &[Counted]) {
        let Some(asked) = self.counting.take_if(|_| number == self.asked) else {
            return;
        };
        for row in self.rows.iter_mut().filter(|row| row.state.is_made()) {
            let is_row = |path: &str, before: &Option<BlobId>| *path == row.path && *before == row.before;
            if let Some(now) = counted.iter().find(|now| is_row(&now.path, &now.before)) {
                (row.added, row.removed, row.is_there) = (now.added, now.removed, now.is_there);
                // A file that is gone lies nowhere, and may come back where it was.
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

    /// The files that were changed, the oldest change first, or only the one under the cursor, each with what was in it before.
    pub(crate) fn made_files(&self, only: Option<&str>) -> Vec<Changed> {
        let rows = self.rows.iter().rev().filter(|row| row.state.is_made());
        let rows = rows.filter(|row| only.is_none_or(|path| row.path == path));
        rows.map(ChangeRow::changed).collect()
    }

    /// The diff that was asked for is here.
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
