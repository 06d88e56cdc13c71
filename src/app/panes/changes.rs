//! Files changed in this session, and changes that wait or came to nothing, with counts; one can be opened as a diff.

use crate::app::cursor::Cursor;
use crate::app::diff_view::DiffView;
use crate::app::layout::Pane;
use crate::app::panes::files::ROOT;
use crate::base::id::{BlobId, CallId};
use crate::domain::comparison::Counted;
use crate::domain::review::{FileChange, Review};
use crate::domain::tool::CallStatus;
use crate::protocol::ApprovalRequest;

/// Equal lines around a hunk that is copied.
const CONTEXT: usize = 3;

/// Rows that are counted anew at once: those that changed last.
const COUNTED: usize = 200;

/// What may have happened to the files since their lines were counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Since {
    /// Nothing but what was told as a change.
    Changes,
    /// Others may have written them, or taken them away.
    Anything,
}

#[derive(Default)]
pub(crate) struct ChangesPane {
    pub(crate) rows: Vec<ChangeRow>,
    pub(crate) cursor: Cursor,
    /// The diff that is open in the place of the conversation.
    pub(crate) open: Option<OpenChange>,
    /// A diff was asked for from this pane, and is not here yet.
    pub(crate) awaited: Option<Pane>,
    /// A row may say something else than what differs: the sum of several changes, or what others have changed since.
    is_stale: bool,
    /// The rows are being counted: what happens meanwhile is counted behind that.
    is_counting: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangeRow {
    pub(crate) path: String,
    pub(crate) added: u32,
    pub(crate) removed: u32,
    pub(crate) state: ChangeState,
    /// It was made here, and is not there any more.
    pub(crate) is_gone: bool,
    /// What was in the file before the first change; `None`: there was none.
    before: Option<BlobId>,
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

    /// What was asked for before the session was shown is still awaited.
    pub(crate) fn clear(&mut self) {
        *self = Self {
            awaited: self.awaited,
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
            self.rows.insert(
                at.min(self.rows.len()),
                ChangeRow {
                    path: change.path.clone(),
                    added,
                    removed,
                    state: ChangeState::Waiting(request.call.clone()),
                    is_gone: false,
                    before: None,
                },
            );
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
            None => ChangeRow {
                path: path.to_owned(),
                added: 0,
                removed: 0,
                state: ChangeState::Made,
                is_gone: false,
                before,
            },
        };
        row.state = ChangeState::Made;
        self.is_stale |= row.added + row.removed > 0;
        row.is_gone = false;
        row.added += added;
        row.removed += removed;
        // The newest is on top; what waits stays above it.
        let at = self.rows.iter().take_while(|row| row.state.waits()).count();
        self.rows.insert(at, row);
    }

    /// Whether a file that was changed lies in this folder.
    pub(crate) fn lie_in(&self, folder: &str) -> bool {
        let lies = |row: &ChangeRow| row.path.rsplit_once('/').map_or(ROOT, |(above, _)| above) == folder;
        self.rows.iter().any(|row| row.state.is_made() && lies(row))
    }

    /// What is to be compared with what it was, so that each row says what its file is now. Of what an earlier run changed the log says it.
    pub(crate) fn take_uncounted(&mut self, since: Since) -> Option<Vec<(String, Option<BlobId>)>> {
        self.is_stale |= since == Since::Anything;
        let changed = self.rows.iter().any(|row| row.state == ChangeState::Made);
        if !self.is_stale || !changed || self.is_counting {
            return None;
        }
        (self.is_stale, self.is_counting) = (false, true);
        let rows = self.rows.iter().filter(|row| row.state.is_made()).take(COUNTED);
        Some(rows.map(|row| (row.path.clone(), row.before.clone())).collect())
    }

    /// How files differ now from what they were.
    pub(crate) fn counted(&mut self, counted: &[Counted]) {
        self.is_counting = false;
        for row in self.rows.iter_mut().filter(|row| row.state.is_made()) {
            if let Some(now) = counted.iter().find(|now| now.path == row.path) {
                (row.added, row.removed) = (now.added, now.removed);
                row.is_gone = !now.is_there && row.before.is_none();
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
    pub(crate) fn made_files(&self, only: Option<&str>) -> Vec<(String, Option<BlobId>)> {
        let rows = self.rows.iter().rev().filter(|row| row.state.is_made());
        let rows = rows.filter(|row| only.is_none_or(|path| row.path == path));
        rows.map(|row| (row.path.clone(), row.before.clone())).collect()
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
