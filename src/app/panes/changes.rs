//! Files changed in this session and changes that wait, with counts; one can be opened as a diff.

use crate::app::cursor::Cursor;
use crate::app::diff_view::DiffView;
use crate::base::id::{BlobId, CallId};
use crate::domain::review::{FileChange, Review};
use crate::protocol::ApprovalRequest;

/// Equal lines around a hunk that is copied.
const CONTEXT: usize = 3;

#[derive(Default)]
pub(crate) struct ChangesPane {
    pub(crate) rows: Vec<ChangeRow>,
    pub(crate) cursor: Cursor,
    /// The diff that is open in the place of the conversation.
    pub(crate) open: Option<OpenChange>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangeRow {
    pub(crate) path: String,
    pub(crate) added: u32,
    pub(crate) removed: u32,
    /// The request that holds it, while it waits for the person.
    pub(crate) pending: Option<CallId>,
    /// What was written last: what it looked like before, and after, where this session saw the proposal.
    seen: Option<FileChange>,
    after: Option<BlobId>,
}

pub(crate) struct OpenChange {
    pub(crate) view: DiffView,
    change: FileChange,
}

impl OpenChange {
    /// The diff as text, in the form every tool reads.
    pub(crate) fn text(&self) -> String {
        let side = |bytes: &Option<std::sync::Arc<[u8]>>| bytes.clone().unwrap_or_default();
        let (before, after) = (side(&self.change.before), side(&self.change.after));
        String::from_utf8_lossy(&crate::diff::unified_text(&before, &after, CONTEXT)).into_owned()
    }
}

impl ChangesPane {
    pub(crate) fn arrange(&mut self, height: u16) {
        self.cursor.arrange(self.rows.len(), height);
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// A proposal waits. `view`: its diff, where it is computed already, so that no big one is compared twice.
    pub(crate) fn wait(&mut self, request: &ApprovalRequest, view: Option<&DiffView>) {
        let Review::Files(changes) = &request.review else {
            return;
        };
        for (n, change) in changes.iter().enumerate() {
            let (added, removed) = match view.and_then(|view| view.files.get(n)) {
                Some(file) => (file.added, file.removed),
                None => crate::diff::counts(
                    change.before.as_deref().unwrap_or_default(),
                    change.after.as_deref().unwrap_or_default(),
                ),
            };
            self.rows.insert(
                0,
                ChangeRow {
                    path: change.path.clone(),
                    added,
                    removed,
                    pending: Some(request.call.clone()),
                    seen: Some(change.clone()),
                    after: None,
                },
            );
        }
    }

    /// The request is answered; what was made of it comes as changes of its own.
    pub(crate) fn decided(&mut self, call: &CallId) -> Vec<FileChange> {
        let (gone, rest) = std::mem::take(&mut self.rows)
            .into_iter()
            .partition(|row| row.pending.as_ref() == Some(call));
        self.rows = rest;
        let gone: Vec<ChangeRow> = gone;
        gone.into_iter().filter_map(|row| row.seen).collect()
    }

    /// A file was changed; several changes of one file are one row with the sum.
    pub(crate) fn made(
        &mut self,
        path: &str,
        added: u32,
        removed: u32,
        seen: Option<FileChange>,
        after: Option<BlobId>,
    ) {
        // What can be shown is what was approved; after an edit by other means the bytes are not known here.
        let seen = seen.filter(|change| change.after.as_deref().map(BlobId::of) == after);
        if let Some(row) = self
            .rows
            .iter_mut()
            .find(|row| row.path == path && row.pending.is_none())
        {
            row.added += added;
            row.removed += removed;
            row.seen = match (row.seen.take(), seen) {
                (Some(first), Some(last)) => Some(FileChange {
                    before: first.before,
                    ..last
                }),
                (None, last) => last,
                (Some(_), None) => None,
            };
            row.after = after;
            return;
        }
        self.rows.push(ChangeRow {
            path: path.to_owned(),
            added,
            removed,
            pending: None,
            seen,
            after,
        });
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.cursor.step(by, self.rows.len());
    }

    pub(crate) fn current(&self) -> Option<&ChangeRow> {
        self.rows.get(self.cursor.at)
    }

    /// Opens the diff under the cursor. `false`: its bytes are not known here.
    pub(crate) fn open(&mut self) -> bool {
        let Some(change) = self.current().and_then(|row| row.seen.clone()) else {
            return false;
        };
        self.open = Some(OpenChange {
            view: DiffView::new(std::slice::from_ref(&change)),
            change,
        });
        true
    }
}
