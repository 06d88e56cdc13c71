//! Pending approval requests, and the focus of their review. Only a key, a click or a command of the user focuses the
//! review.

mod ahead;
mod always;
mod anew;
mod arming;
mod seen;
mod step;
mod texts;
mod wrapped;

use std::collections::VecDeque;
use std::sync::Arc;

use super::question::{self, Page, QuestionView};
use crate::diff_view::{DiffFile, DiffView, Mark};
use crate::layout::{Above, ApprovalSize};
use ahead::LookedAhead;
pub use ahead::{Place, Stepped};
pub use always::{Always, Laid};
use anew::Outside;
pub(crate) use arming::Armed;
use arming::{Arming, Complete};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::call::Origin;
use benchdog_domain::permission::{CommandClass, Kept};
use benchdog_domain::review::Review;
use benchdog_keys::keymap::Chord;
use benchdog_protocol::ApprovalRequest;
pub(crate) use seen::{Reading, Seen};
pub use step::Step;
use texts::Texts;
use wrapped::Wrapped;

#[derive(Default)]
pub struct Approvals {
    /// Pending requests. The review shows the first request.
    pub waiting: VecDeque<Waiting>,
    /// Whether the review has the focus. The review may keep the focus for a moment while no request is pending.
    focused: bool,
    arming: Arming,
    /// The key that triggered the last action. In a question, its index among the option keys selects the option.
    pub struck: Option<Chord>,
    /// Number of decided requests in the current group: requests of one reply, or requests that were pending together.
    done: usize,
    reply: Vec<CallId>,
    ahead: LookedAhead,
    came: usize,
    texts: Texts,
    /// The request that was decided last, with the hunks that the user discarded, and the user's edits.
    decided_last: Option<Waiting>,
}

pub struct Waiting {
    pub request: Arc<ApprovalRequest>,
    pub view: RequestView,
    pub step: Step,
    /// The value of `came` when the request arrived. The number orders requests that belong to no reply.
    number: usize,
    /// Texts that the user has not finished, newest last.
    put_by: Vec<Step>,
    /// Time of the first frame in which nothing covered the request.
    drawn_since: Option<Time>,
    complete: Option<Complete>,
    wrapped: Wrapped,
    outside: Option<Outside>,
}

pub enum RequestView {
    /// The request was not shown yet, so the view of the request is not built.
    Unseen,
    Files(DiffView),
    /// A command with its parts, or titled fields. `top` is the first visible row.
    Rows {
        top: usize,
        seen: Seen,
    },
    Question(QuestionView),
}

impl Approvals {
    pub fn has_focus(&self) -> bool {
        self.focused
    }

    pub(crate) fn front_is_question(&self) -> bool {
        self.front()
            .is_some_and(|waiting| matches!(waiting.request.review, Review::Question(_)))
    }

    pub(crate) fn waits(&self, call: &CallId) -> bool {
        self.waiting.iter().any(|waiting| waiting.request.call == *call)
    }

    pub(crate) fn asks(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(crate) fn asks_undo(&self) -> bool {
        self.waiting
            .iter()
            .any(|waiting| waiting.request.origin == Origin::Undo)
    }

    /// Moves the focus from the review to the panes. The request stays pending.
    pub(crate) fn leave(&mut self) {
        self.focused = false;
        self.follow();
        if let Some(waiting) = self.front_mut() {
            waiting.put_by();
            if let RequestView::Files(view) = &mut waiting.view {
                view.find_close();
            }
        }
    }

    /// Leaves the review because another session is shown, unless the user is writing a text in the review.
    pub(crate) fn put_away(&mut self) {
        if !self.is_written() {
            self.leave();
        }
        self.follow();
        self.cover();
    }

    /// Restarts the visibility delay of each request, because another session or an external editor covered the screen.
    pub(crate) fn cover(&mut self) {
        for waiting in &mut self.waiting {
            waiting.drawn_since = None;
        }
    }

    fn is_written(&self) -> bool {
        self.front().is_some_and(Waiting::writes)
    }

    pub(crate) fn add(&mut self, request: Arc<ApprovalRequest>) {
        if self.comes_anew(&request) {
            return;
        }
        if self.waiting.is_empty() && !self.reply.contains(&request.call) {
            self.done = 0;
        }
        self.came += 1;
        let is_on_screen = self.on_screen().as_ref() == Some(&request.call);
        let mut waiting = self.arrives(request);
        self.take_over_decided(&mut waiting);
        // If a command of the user caused the request, the review gets the focus.
        let is_answer = is_own_command(&waiting) && self.take_commanded();
        self.focused |= is_answer;
        if is_on_screen || is_answer {
            self.follow();
            self.waiting.push_front(waiting);
            self.look_back();
        } else {
            self.waiting.push_back(waiting);
        }
        self.build();
    }

    /// Shows the oldest request of a subagent, unless the user is writing a text for another request. Returns whether
    /// the request is shown.
    pub(crate) fn bring_forward(&mut self, child: SeatId) -> bool {
        let is_its = |waiting: &Waiting| waiting.request.child.as_ref().is_some_and(|asks| asks.seat == child);
        let place = self.waiting.iter().position(is_its);
        if self.is_written() {
            return place == Some(0) && !self.looks_ahead();
        }
        let Some(wanted) = place.and_then(|place| self.waiting.remove(place)) else {
            return false;
        };
        self.look_back();
        self.waiting.push_front(wanted);
        self.build();
        true
    }

    pub(crate) fn decide(&mut self, call: &CallId, now: Time) {
        self.done += 1;
        self.keep_decided(call);
        self.remove(call);
        self.note_decided(now);
    }

    pub(crate) fn remove(&mut self, call: &CallId) {
        let shown = self.on_screen();
        self.waiting.retain(|waiting| waiting.request.call != *call);
        if shown.as_ref() == Some(call) || self.waiting.is_empty() {
            self.look_back();
        }
        self.build();
    }

    pub(crate) fn clear(&mut self) {
        let texts = self.waiting.drain(..).flat_map(|waiting| waiting.texts()).collect();
        self.rescue(texts);
        self.decided_last = None;
        self.forget_ahead();
        self.follow();
    }

    fn build(&mut self) {
        if let Some(waiting) = self.front_mut()
            && matches!(waiting.view, RequestView::Unseen)
        {
            waiting.view = match &waiting.request.review {
                Review::Files(changes) => RequestView::Files(DiffView::new(changes)),
                Review::Question(question) => RequestView::Question(QuestionView::new(question)),
                Review::Command(_) | Review::Fields(_) => RequestView::Rows {
                    top: 0,
                    seen: Seen::default(),
                },
            };
            waiting.stand();
        }
    }

    /// Records whether the request is visible in the frame at time `now`.
    pub(crate) fn drawn(&mut self, visible: bool, now: Time) {
        let shown = self.on_screen().filter(|_| visible);
        for waiting in self.waiting.iter_mut().chain(self.ahead.all_mut()) {
            if shown.as_ref() == Some(&waiting.request.call) {
                waiting.drawn_since.get_or_insert(now);
            } else {
                waiting.drawn_since = None;
            }
        }
    }
}

fn is_own_command(waiting: &Waiting) -> bool {
    matches!(
        waiting.request.origin,
        Origin::Person | Origin::Typed | Origin::Undo | Origin::Merge
    )
}

impl Waiting {
    /// Whether the user is writing a text for this request, other than the answer to a question.
    fn writes(&self) -> bool {
        match self.step {
            Step::Reason(_) | Step::Comment { .. } | Step::Edit(_) => true,
            Step::Deciding | Step::ConfirmAlways(_) | Step::Why => false,
        }
    }

    pub(crate) fn diff(&self) -> Option<&DiffView> {
        match &self.view {
            RequestView::Files(view) => Some(view),
            RequestView::Question(_) | RequestView::Rows { .. } | RequestView::Unseen => None,
        }
    }

    pub(crate) fn always(&self) -> Option<Always> {
        let class = self.request.verdict.class;
        // An external request that is not a command asks for access to a host. "Always allow" is offered for hosts.
        let is_host = class == Some(CommandClass::External) && matches!(self.request.review, Review::Fields(_));
        let offered = is_host || class.is_none_or(|class| class == CommandClass::Plain);
        Always::new(&self.request).filter(|_| offered)
    }

    pub fn is_confinable(&self) -> bool {
        self.request.verdict.confinable
    }

    pub(crate) fn keeps_nothing(&self) -> bool {
        self.diff()
            .is_some_and(|view| view.files.iter().all(|file| file.mark() == Mark::Dropped))
    }

    /// Returns the accepted part of the proposal. `None` if nothing is accepted, because a denial has its own key.
    pub(crate) fn kept(&self) -> Option<Kept> {
        let RequestView::Files(view) = &self.view else {
            return Some(Kept::All);
        };
        if self.keeps_nothing() {
            return None;
        }
        let files: Vec<_> = view.files.iter().map(DiffFile::part).collect();
        Some(if files.iter().all(Option::is_none) {
            Kept::All
        } else {
            Kept::Parts { files }
        })
    }

    pub(crate) fn size(&self, width: u16) -> ApprovalSize {
        let rows = match &self.view {
            // One row is for the states of the hunks.
            RequestView::Files(view) => 1 + view.rows_wanted(),
            RequestView::Unseen => usize::from(u16::MAX),
            RequestView::Question(view) => usize::from(view.bar_rows()) + question::rows(view, width).len(),
            RequestView::Rows { .. } => self.rows(width).len(),
        };
        let asked = usize::from(self.step_rows(width));
        ApprovalSize {
            rows: u16::try_from(rows.max(6) + asked).unwrap_or(u16::MAX),
            above: match &self.view {
                RequestView::Question(view) if view.page().is_some_and(Page::is_read) => Above::GivesWay,
                _ => Above::Stays,
            },
        }
    }
}

#[cfg(test)]
mod tests;
