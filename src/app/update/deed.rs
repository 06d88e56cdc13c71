//! What becomes of a key inside a request: it counts, it waits to stay alone, it came too early, or it is typing. Nothing is done
//! here; `keys` does what comes of it.

use crate::app::dialogs::approval::Approvals;
use crate::keys::action::DiffAction::{FileNext, FilePrevious, Find, HunkNext, HunkPrevious, Left, Right};
use crate::keys::action::ProposalAction::{Edit, EditOutside, KeepOrDrop, KeepOrDropFile, KeepOrDropLine};
use crate::keys::action::{ApprovalAction, QuestionAction};
use crate::keys::{Action, Key, KeyCode};

/// What an action is, as far as it matters to when its key counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// It moves in the request, and changes nothing that is shown or decided.
    Moves,
    /// It keeps or drops a part of what is proposed: that decides nothing, and the same key takes it back.
    Drops,
    /// It only opens a row of the request, which has keys of its own that decide.
    OpensRow,
    /// It opens the proposed text, which decides nothing until it is kept.
    Edits,
    /// The line that it opens takes the letters behind it, so that nothing of what is typed is lost.
    Finds,
    /// It sends the answer to a question.
    Sends,
    /// Whatever else it does; whether it decides is the action's to say.
    Other,
}

impl Deed {
    pub(super) fn of(action: Action) -> Self {
        match action {
            Action::List(_)
            | Action::Approval(ApprovalAction::Next | ApprovalAction::Previous)
            | Action::Diff(HunkNext | HunkPrevious | FileNext | FilePrevious | Left | Right)
            | Action::Question(QuestionAction::Up | QuestionAction::Down) => Self::Moves,
            Action::Proposal(KeepOrDrop | KeepOrDropLine | KeepOrDropFile) => Self::Drops,
            Action::Approval(ApprovalAction::Always | ApprovalAction::DenyReason) => Self::OpensRow,
            Action::Proposal(Edit | EditOutside) => Self::Edits,
            Action::Diff(Find) => Self::Finds,
            Action::Question(QuestionAction::Send) => Self::Sends,
            _ => Self::Other,
        }
    }

    /// Whether it allows or denies what is on screen, and opens and changes nothing first.
    pub(super) fn is_verdict(action: Action) -> bool {
        matches!(action, Action::Approval(ApprovalAction::Once | ApprovalAction::Deny))
    }

    /// It decides nothing by itself, and can be taken back or left again.
    fn can_be_left(self) -> bool {
        matches!(self, Self::Drops | Self::OpensRow | Self::Edits)
    }
}

/// Whether a key that decides counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    Now,
    /// Where it stays alone: somebody who moves and then decides is no typist.
    Alone,
    No,
}

impl Counts {
    pub(super) fn of(approvals: &Approvals, lit: bool) -> Self {
        match lit {
            true => Self::Now,
            false if approvals.was_lit() => Self::Alone,
            false => Self::No,
        }
    }
}

/// What comes of one press of a key that means something.
pub(super) enum Outcome {
    /// It counts where it stays alone.
    Waits,
    /// The same, though it came before it was lit.
    WaitsEarly,
    /// It counts at once.
    Acts,
    /// A letter, before any could count: it stays in the request, which says so.
    TooEarly,
    /// The same of a key that types nothing.
    OnlySaid,
    /// It goes to the prompt, the keyboard with it.
    Typing,
}

impl Outcome {
    pub(super) fn of(approvals: &Approvals, key: Key, action: Action, decides: Counts) -> Self {
        let (deed, letter) = (Deed::of(action), key.printable().is_some());
        let (settled, kept) = (approvals.settled(), approvals.is_kept());
        let goes_on = deed == Deed::OpensRow && approvals.came_back();
        let counts = decides == Counts::Now || goes_on || (!action.decides() && (settled || !letter));
        let alone = if counts {
            kept && (action.decides() || !settled)
        } else {
            decides == Counts::Alone
        };
        // Enter behind an answer that was just written there.
        let own = deed == Deed::Sends && approvals.has_own_words();
        let acts = counts || own;
        // Where the keyboard was kept, Enter can be the end of what somebody types.
        // Elsewhere it only waits where something else was done a moment ago.
        let can_wait = letter || (key.code == KeyCode::Enter && action.decides() && (kept || !acts));
        match (can_wait && alone, acts, letter) {
            (true, _, _) => Self::Waits,
            (false, true, _) => Self::Acts,
            // Whoever entered a request goes on behind one of these as if it had counted: with a reason, or with what allows the rest. Behind
            // the Enter that sent what it asks about a letter may begin what is typed next, which no row that it opens may take.
            (false, false, true) if deed.can_be_left() && !kept => Self::Waits,
            (false, false, true) if deed == Deed::Drops && approvals.came_by_key() => Self::Waits,
            // It says so where it is shown, and with another letter beside it both are typing.
            (false, false, true) if Deed::is_verdict(action) && approvals.may_wait_early() => Self::WaitsEarly,
            (false, false, true) if !kept || approvals.is_haste() => Self::TooEarly,
            (false, false, true) => Self::Typing,
            (false, false, false) => Self::OnlySaid,
        }
    }
}
