//! Requests that were rebuilt because their files changed. Unsent texts are kept, and identical hunks keep their
//! decisions. A key decides the new edition only after that edition was visible for a while.

use std::sync::Arc;

use super::{Approvals, RequestView, Step, Waiting};
use crate::dialogs::editor::Editor;
use crate::dialogs::why::on_disk_row;
use crate::diff_view::{DiffFile, DiffView, Moves};
use benchdog_base::id::CallId;
use benchdog_diff::carried;
use benchdog_domain::review::Review;
use benchdog_protocol::{ApprovalRequest, OnDisk};

impl Approvals {
    /// Whether the files on disk match the pending request `now` again.
    pub(crate) fn fits_again(&self, now: &ApprovalRequest) -> bool {
        let waiting = self.waiting.iter().map(|waiting| &waiting.request);
        let mut same = waiting.filter(|request| request.call == now.call && request.edition == now.edition);
        now.on_disk != OnDisk::FitsNot && same.any(|request| request.on_disk == OnDisk::FitsNot)
    }

    /// Replaces a pending request by its new edition. Returns `false` if the call has no pending request.
    pub(super) fn comes_anew(&mut self, request: &Arc<ApprovalRequest>) -> bool {
        let is_on_screen = self.on_screen().as_ref() == Some(&request.call);
        let Some(waiting) = (self.waiting.iter_mut()).find(|waiting| waiting.request.call == request.call) else {
            return false;
        };
        if waiting.request.edition == request.edition {
            waiting.request = Arc::clone(request);
            waiting.stand();
            return true;
        }
        let anew = Waiting::new(Arc::clone(request), waiting.number);
        let before = std::mem::replace(waiting, anew);
        let lost = waiting.take_over(before);
        self.rescue(lost);
        if is_on_screen {
            self.follow();
        }
        self.build();
        true
    }

    /// Keeps the edits of a request after the decision, because a new edition may follow. Removes the comments, because
    /// they were sent with the decision.
    pub(super) fn keep_decided(&mut self, call: &CallId) {
        let decided = self.waiting.iter_mut().find(|waiting| waiting.request.call == *call);
        self.decided_last = decided.map(|waiting| {
            let empty = Waiting::new(Arc::clone(&waiting.request), waiting.number);
            let mut decided = std::mem::replace(waiting, empty);
            if let RequestView::Files(view) = &mut decided.view {
                view.forget_comments();
                view.find_close();
            }
            decided.step = Step::Deciding;
            decided
        });
    }

    pub(super) fn take_over_decided(&mut self, waiting: &mut Waiting) {
        let is_its = |before: &mut Waiting| {
            before.request.call == waiting.request.call && before.request.edition < waiting.request.edition
        };
        if let Some(before) = self.decided_last.take_if(is_its) {
            let lost = waiting.take_over(before);
            self.rescue(lost);
        }
    }

    /// Applies a text from an external editor, merged with a changed proposal. If that fails, returns the text.
    pub(crate) fn take_edited(&mut self, (call, file): (&CallId, usize), text: String) -> Result<(), String> {
        let mut both = self.waiting.iter_mut().chain(self.ahead.all_mut());
        match both.find(|waiting| waiting.request.call == *call) {
            Some(waiting) => waiting.take_edited(file, text),
            None => Err(text),
        }
    }
}

pub(crate) struct Outside {
    opened_as: usize,
    file: usize,
    proposed: String,
}

impl Waiting {
    pub(crate) fn goes_outside(&mut self, file: usize) {
        let proposed = self.diff().and_then(|view| view.files.get(file)?.proposal());
        self.outside = proposed.map(|proposed| Outside {
            opened_as: file,
            file,
            proposed,
        });
    }

    pub(crate) fn take_text(&mut self, file: usize, text: String) {
        let RequestView::Files(view) = &mut self.view else {
            return;
        };
        view.replace(file, text);
        self.outside = None;
        self.forget_edits(file);
        if matches!(self.step, Step::Edit(_)) {
            self.step = Step::Deciding;
        }
    }

    fn take_edited(&mut self, file: usize, text: String) -> Result<(), String> {
        let Some(outside) = self.outside.take_if(|outside| outside.opened_as == file) else {
            return Err(text);
        };
        let there = self.diff().and_then(|view| view.files.get(outside.file));
        let there = there.filter(|diff| !diff.removes()).and_then(DiffFile::proposal);
        let over = there.and_then(|there| match there == outside.proposed {
            true => Some(text.clone()),
            false => {
                let over = carried(outside.proposed.as_bytes(), text.as_bytes(), there.as_bytes())?;
                String::from_utf8(over).ok()
            }
        });
        match over {
            Some(over) => {
                self.take_text(outside.file, over);
                Ok(())
            }
            None => Err(text),
        }
    }

    fn take_over(&mut self, before: Waiting) -> Vec<String> {
        let Waiting {
            view,
            step,
            put_by,
            request,
            outside,
            ..
        } = before;
        let (RequestView::Files(view), Review::Files(proposed), Review::Files(changes)) =
            (view, &request.review, &self.request.review)
        else {
            return Vec::new();
        };
        let was_edited = |outside: &Outside| view.files.get(outside.file).is_some_and(|diff| diff.edited.is_some());
        let outside = outside.map(|outside| (was_edited(&outside), outside));
        let mut anew = DiffView::new(changes);
        let (moves, mut lost) = anew.take_over(view, proposed);
        self.outside = outside.and_then(|(was_edited, outside)| {
            let file = moves.file(outside.file)?;
            // A later text is based on the earlier edit. If that edit is lost, the text cannot be transferred.
            let has_place = !was_edited || anew.files.get(file)?.edited.is_some();
            has_place.then_some(Outside { file, ..outside })
        });
        let mut goes_along = |step: Step| match step {
            Step::Edit(editor) => {
                let there = goes_on(&editor, &anew, &moves);
                if there.is_none() {
                    lost.push(editor.new_lines());
                }
                there.map(|there| Step::Edit(Box::new(there)))
            }
            Step::ConfirmAlways(_) => None,
            step => Some(moved(step, &moves)),
        };
        self.put_by = put_by.into_iter().filter_map(&mut goes_along).collect();
        self.step = goes_along(step).unwrap_or(Step::Deciding);
        self.view = RequestView::Files(anew);
        self.stand();
        lost.retain(|text| !text.trim().is_empty());
        lost
    }

    pub(super) fn stand(&mut self) {
        if let RequestView::Files(view) = &mut self.view {
            view.stand(on_disk_row(self.request.on_disk));
        }
    }
}

/// Carries the unsaved text of the open inline editor over to the new proposal.
fn goes_on(editor: &Editor, view: &DiffView, moves: &Moves) -> Option<Editor> {
    let file = moves.file(editor.file)?;
    let diff = view.files.get(file).filter(|diff| !diff.removes())?;
    editor.carried(file, &diff.proposal()?)
}

fn moved(step: Step, moves: &Moves) -> Step {
    match step {
        Step::Comment { at, buffer } => Step::Comment {
            at: moves.of(at),
            buffer,
        },
        step => step,
    }
}
