//! Decides when the keys that decide a request, such as `y` and `n`, take effect. They have no effect until the request
//! was visible for a while. The constants below are the only delays.

use super::{Approvals, Step, Waiting};
use benchdog_base::clock::Time;
use benchdog_base::id::CallId;
use benchdog_domain::permission::{CommandClass, Lasts};
use benchdog_domain::review::Review;
use benchdog_keys::Action;
use benchdog_keys::action::ApprovalAction;

/// Minimum time in ms that a request must be visible before a key decides it, unless the user has focused the request.
/// Nobody reacts faster to a new frame.
const DRAWN_MS: u64 = 250;

/// Minimum time in ms between the first frame that shows a whole high-risk request and a key that decides it.
const GRAVE_MS: u64 = 500;

/// Time in ms after a decision in which `y` and `n` are ignored if no request is pending. Such keys are probably meant
/// for the next request.
const DECIDED_MS: u64 = 1_500;

#[derive(Default)]
pub(super) struct Arming {
    /// The request that the user has focused by a key or a click.
    entered: Option<CallId>,
    early: Option<Early>,
    decided: Option<Time>,
    commanded: bool,
}

/// A key that would decide the request but was pressed too early.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Early {
    action: Action,
    call: CallId,
    edition: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Complete {
    granted: Option<(usize, Lasts)>,
    since: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Armed {
    Now,
    /// The key is remembered, and applied as soon as the request was visible long enough.
    Soon,
    /// The key is ignored, because the high-risk request was not visible long enough.
    Later,
    /// The key is ignored, because the user must focus the high-risk request first.
    NotEntered,
}

fn after(since: Time, ms: u64) -> Time {
    Time(since.0.saturating_add_unsigned(ms))
}

impl Approvals {
    /// Moves the focus to the review. Keys then decide the shown request. Returns `false` if no request is pending.
    pub(crate) fn enter(&mut self) -> bool {
        self.focused |= !self.waiting.is_empty();
        self.arming.entered = self.on_screen().filter(|_| self.focused);
        self.focused
    }

    /// Moves the focus back to the review. Unlike after `enter`, the user has not yet chosen the shown request.
    pub(crate) fn refocus(&mut self) {
        self.focused = !self.waiting.is_empty();
    }

    pub(crate) fn armed(&self, action: Action, now: Time) -> Armed {
        let Some(front) = self.front() else { return Armed::Later };
        let entered = self.focused && self.arming.entered.as_ref() == Some(&front.request.call);
        let has_passed = |since: Option<Time>, ms| since.is_some_and(|since| now.since(since) >= ms);
        if front.is_grave() {
            let denies = action == Action::Approval(ApprovalAction::Deny);
            let since = if denies {
                front.drawn_since
            } else {
                front.complete_since()
            };
            return match entered {
                true if has_passed(since, GRAVE_MS) => Armed::Now,
                true => Armed::Later,
                false => Armed::NotEntered,
            };
        }
        let ms = if entered { 0 } else { DRAWN_MS };
        match has_passed(front.drawn_since, ms) {
            true => Armed::Now,
            false => Armed::Soon,
        }
    }

    /// Returns the next times at which keys become enabled, an early key applies, or an empty review loses the focus.
    pub(crate) fn wakes_at(&self) -> [Option<Time>; 3] {
        let front = self.front();
        let drawn = front
            .filter(|front| !front.is_grave())
            .and_then(|front| front.drawn_since);
        let grave = front.filter(|front| front.is_grave() && self.focused);
        let rests = self.arming.decided.filter(|_| self.focused && front.is_none());
        [
            drawn
                .filter(|_| self.focused || self.arming.early.is_some())
                .map(|since| after(since, DRAWN_MS)),
            grave
                .and_then(Waiting::complete_since)
                .map(|since| after(since, GRAVE_MS)),
            rests.map(|since| after(since, DECIDED_MS)),
        ]
    }

    pub(crate) fn rests(&self, now: Time) -> bool {
        self.arming
            .decided
            .is_some_and(|decided| now.since(decided) < DECIDED_MS)
    }

    pub(crate) fn keep_early(&mut self, action: Action) {
        self.arming.early = self.front().map(|front| Early {
            action,
            call: front.request.call.clone(),
            edition: front.request.edition,
        });
    }

    pub(crate) fn early(&self) -> Option<Action> {
        let (early, front) = (self.arming.early.as_ref()?, self.front()?);
        let is_its = early.call == front.request.call && early.edition == front.request.edition;
        is_its.then_some(early.action)
    }

    /// Forgets the early key, and returns its action. Called for any other key, click or paste.
    pub(crate) fn take_early(&mut self) -> Option<Action> {
        let early = self.early();
        self.arming.early = None;
        early
    }

    pub(crate) fn take_due(&mut self, now: Time) -> Option<Action> {
        let early = self.early()?;
        if self.armed(early, now) == Armed::Now {
            self.take_early()
        } else {
            None
        }
    }

    pub(super) fn note_decided(&mut self, now: Time) {
        self.arming.decided = Some(now);
        self.arming.entered = None;
    }

    /// Records a key press, a click or a paste. New requests then do not count as results of the last command.
    pub(crate) fn note_input(&mut self) {
        self.arming.commanded = false;
    }

    pub(crate) fn command_sent(&mut self) {
        self.arming.commanded = true;
    }

    pub(super) fn take_commanded(&mut self) -> bool {
        std::mem::take(&mut self.arming.commanded)
    }

    /// Forgets that the user has focused the shown request, and forgets an early key. Keys decide the request only
    /// after the delay again. Called if the shown request changes, or if the user leaves the review.
    pub(super) fn follow(&mut self) {
        (self.arming.entered, self.arming.early) = (None, None);
    }
}

impl Waiting {
    /// Whether the decision needs the longer delay: dangerous, external and unknown commands, and "Always allow".
    pub(crate) fn is_grave(&self) -> bool {
        let class = self.request.verdict.class;
        class.is_some_and(|class| class != CommandClass::Plain) || matches!(self.step, Step::ConfirmAlways(_))
    }

    pub(crate) fn takes_chords(&self) -> bool {
        let question = matches!(self.request.review, Review::Question(_));
        !self.is_grave() && !question && !self.writes()
    }

    fn granted(&self) -> Option<(usize, Lasts)> {
        match &self.step {
            Step::ConfirmAlways(always) => Some((always.chosen, always.lasts)),
            _ => None,
        }
    }

    pub(crate) fn note_complete(&mut self, complete: bool, now: Time) {
        let granted = self.granted();
        let same = self.complete.filter(|before| before.granted == granted);
        self.complete = complete.then(|| same.unwrap_or(Complete { granted, since: now }));
    }

    /// Returns the time of the first frame that showed the whole request. Frames with only a preview do not count.
    fn complete_since(&self) -> Option<Time> {
        let drawn = self.drawn_since?;
        let complete = self.complete.filter(|complete| complete.granted == self.granted());
        complete.map(|complete| complete.since.max(drawn))
    }
}
