//! What of a text of several rows was on screen: of a command, and of what would be allowed from now on. Nobody allows what never was. A
//! change is kept or dropped by its hunks instead, and the fields of a call are values, of which one may have far more rows than anybody
//! reads.

use std::ops::Range;

use ratatui::layout::Rect;

use super::{Approvals, Laid, RequestView, Step, Waiting};
use crate::app::layout::padded;
use crate::domain::review::Review;
use crate::keys::Action;
use crate::keys::action::{ConfirmAction, ListAction};

/// A command of up to so many rows is read whole. Of a longer one nobody reads more than where it begins and where it ends, and the parts
/// that decide stand above it: the windowful at either end must have been on screen.
const READ_WHOLE: usize = 500;

/// The rows of a text that were on screen.
#[derive(Default)]
pub(crate) struct Seen {
    /// In order, with a gap between each two; those that nobody has to read are among them.
    rows: Vec<Range<usize>>,
    /// Those.
    left_out: Range<usize>,
    /// In so many columns: words that break elsewhere are read anew …
    width: u16,
    /// … but for a text of which every row was on screen.
    whole: bool,
}

impl Seen {
    /// These rows of a text of `all` rows are on screen.
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

    /// The text has so many rows in a window of `height`: of a long one the middle need not be on screen. Where the window was lower until
    /// now, so was what of its ends was read.
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

    /// Whether all that is still to be read is at the end, and far from this row at the top.
    fn leads_to_end(&self, top: usize) -> bool {
        !self.left_out.is_empty() && top < self.left_out.end && self.left_out.end <= self.next(0)
    }

    /// The first row from this one on that never was on screen.
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

    /// The row at the top after so many rows more. A key that is held comes several times between two pictures: until all was on screen none
    /// of those leads over a row that was in no picture.
    pub(crate) fn led(&self, top: usize, by: isize) -> usize {
        let to = top.saturating_add_signed(by);
        if self.whole { to } else { to.min(self.next(top)) }
    }
}

/// How far one is with what would be allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// It can be allowed.
    Done,
    /// Not all of it was on screen.
    GoesOn,
    /// There is no room for any of it.
    NoRoom,
}

impl Approvals {
    /// Whether all that the request in front would allow was on screen.
    pub(crate) fn is_read(&self, body: Option<Rect>) -> bool {
        self.front().is_none_or(|front| front.reading(body) == Reading::Done)
    }
}

impl Waiting {
    /// How far one is with what the key that allows it here would allow, once or from now on.
    pub(crate) fn reading(&self, body: Option<Rect>) -> Reading {
        self.reading_of(self.grant(body).as_ref(), body)
    }

    /// The same where what would hold from now on is laid already.
    pub(super) fn reading_of(&self, grant: Option<&Laid>, body: Option<Rect>) -> Reading {
        match (&self.step, grant) {
            (Step::ConfirmAlways(_), Some(grant)) if grant.can_be_granted => Reading::Done,
            (Step::ConfirmAlways(_), Some(grant)) if grant.goes_on => Reading::GoesOn,
            (Step::ConfirmAlways(_), _) => Reading::NoRoom,
            _ => self.reading_once(body),
        }
    }

    /// How far one is with a command that would be allowed once.
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

    /// What reads on in it.
    pub(crate) fn reads_on(&self) -> Action {
        match (&self.step, &self.view) {
            (Step::ConfirmAlways(_), _) => Action::Confirm(ConfirmAction::More),
            (_, RequestView::Rows { top, seen }) if seen.next(0) < *top => Action::List(ListAction::Up),
            (_, RequestView::Rows { top, seen }) if seen.leads_to_end(*top) => Action::List(ListAction::End),
            _ => Action::List(ListAction::Down),
        }
    }

    /// Back to the first row that never was on screen, where one went beyond it.
    pub(crate) fn go_to_unseen(&mut self) {
        if let RequestView::Rows { top, seen } = &mut self.view {
            *top = (*top).min(seen.next(0));
        }
    }

    /// What of a command a body shows was on screen.
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
