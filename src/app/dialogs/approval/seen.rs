//! Records which rows of a command or permission were visible, because users may only allow rows that were shown. Diffs
//! need no record, because they are decided hunk by hunk. Fields are exempt, because their values may have any length.

use std::ops::Range;

use ratatui::layout::Rect;

use super::{Approvals, Laid, RequestView, Step, Waiting};
use crate::layout::padded;
use benchdog_domain::review::Review;
use benchdog_keys::Action;
use benchdog_keys::action::{ConfirmAction, ListAction};

/// Maximum number of rows of a command that must all be read. In a longer command, only the first and the last
/// screenful must be read. The decisive parts of a long command are listed above it.
const READ_WHOLE: usize = 500;

#[derive(Default)]
pub struct Seen {
    rows: Vec<Range<usize>>,
    left_out: Range<usize>,
    /// The width of the recorded rows. At another width, the rows wrap differently and recording restarts.
    width: u16,
    /// Whether all rows were visible. Unlike `rows`, this flag stays valid at another width.
    whole: bool,
}

impl Seen {
    pub(super) fn note(&mut self, mut shown: Range<usize>, all: usize, width: u16) {
        if self.width != width {
            self.begin(width, 0..0);
        }
        if !shown.is_empty() {
            self.rows.retain(|row| {
                let is_apart = row.end < shown.start || shown.end < row.start;
                if !is_apart {
                    shown = shown.start.min(row.start)..shown.end.max(row.end);
                }
                is_apart
            });
            let place = self.rows.partition_point(|row| row.start < shown.start);
            self.rows.insert(place, shown);
        }
        self.whole |= self.next(0) >= all;
    }

    /// Marks the middle of a long text as read. Restarts the record if the window has become higher since.
    fn leave_out_middle(&mut self, all: usize, height: usize, width: u16) {
        let middle = height..all.saturating_sub(height);
        let is_long = all > READ_WHOLE && !middle.is_empty();
        if is_long && (self.width != width || self.left_out.start < height) {
            self.begin(width, middle);
        }
    }

    fn begin(&mut self, width: u16, left_out: Range<usize>) {
        let rows = Some(left_out.clone()).filter(|rows| !rows.is_empty());
        (self.width, self.rows) = (width, rows.into_iter().collect());
        self.left_out = left_out;
    }

    /// Whether everything before the last screenful was read, and the viewport is still above the last screenful.
    fn leads_to_end(&self, top: usize) -> bool {
        !self.left_out.is_empty() && top < self.left_out.end && self.left_out.end <= self.next(0)
    }

    pub(super) fn next(&self, from: usize) -> usize {
        let within = self.rows.iter().find(|row| row.contains(&from));
        within.map_or(from, |row| row.end)
    }

    pub(super) fn is_of(&self, width: u16) -> bool {
        self.width == width
    }

    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Returns the top row after scrolling. Never skips an undrawn row, even if the user holds down the key.
    pub(crate) fn led(&self, top: usize, by: isize) -> usize {
        let to = top.saturating_add_signed(by);
        if self.whole { to } else { to.min(self.next(top)) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    Done,
    GoesOn,
    NoRoom,
}

impl Approvals {
    pub(crate) fn is_read(&self, body: Option<Rect>) -> bool {
        self.front().is_none_or(|front| front.reading(body) == Reading::Done)
    }
}

impl Waiting {
    pub(crate) fn reading(&self, body: Option<Rect>) -> Reading {
        self.reading_of(self.grant(body).as_ref(), body)
    }

    pub(crate) fn reading_of(&self, grant: Option<&Laid>, body: Option<Rect>) -> Reading {
        match (&self.step, grant) {
            (Step::ConfirmAlways(_), Some(grant)) if grant.can_be_granted => Reading::Done,
            (Step::ConfirmAlways(_), Some(grant)) if grant.goes_on => Reading::GoesOn,
            (Step::ConfirmAlways(_), _) => Reading::NoRoom,
            _ => self.reading_once(body),
        }
    }

    pub(crate) fn reading_once(&self, body: Option<Rect>) -> Reading {
        let has_room = body.is_some_and(|body| body.height > 0);
        match &self.view {
            RequestView::Rows { .. } if !matches!(self.request.review, Review::Command(_)) => Reading::Done,
            RequestView::Rows { seen, .. } if has_room && seen.is_whole() => Reading::Done,
            RequestView::Rows { .. } if has_room => Reading::GoesOn,
            RequestView::Rows { .. } | RequestView::Unseen => Reading::NoRoom,
            RequestView::Files(_) | RequestView::Question(_) => Reading::Done,
        }
    }

    pub(crate) fn reads_on(&self) -> Action {
        match (&self.step, &self.view) {
            (Step::ConfirmAlways(_), _) => Action::Confirm(ConfirmAction::More),
            (_, RequestView::Rows { top, seen }) if seen.next(0) < *top => Action::List(ListAction::Up),
            (_, RequestView::Rows { top, seen }) if seen.leads_to_end(*top) => Action::List(ListAction::End),
            _ => Action::List(ListAction::Down),
        }
    }

    pub(crate) fn go_to_unseen(&mut self) {
        if let RequestView::Rows { top, seen } = &mut self.view {
            *top = (*top).min(seen.next(0));
        }
    }

    pub(crate) fn note_seen(&mut self, body: Rect) {
        let about = padded(self.split(body).0);
        let top = match &self.view {
            RequestView::Rows { top, seen } if !seen.is_whole() => *top,
            RequestView::Rows { .. } | RequestView::Files(_) | RequestView::Question(_) | RequestView::Unseen => return,
        };
        let rows = self.rows(about.width).len();
        let of_text = self.rows_of_text(about.width);
        let shown = top..rows.min(top + usize::from(about.height));
        if let RequestView::Rows { seen, .. } = &mut self.view {
            seen.leave_out_middle(of_text, usize::from(body.height), about.width);
            seen.note(shown, of_text, about.width);
        }
    }
}
