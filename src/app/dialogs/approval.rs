//! Requests that wait for the person. A request takes no keyboard from a person who types: it stays with who decided one from inside,
//! unless the next is grave, and goes to what is asked about a command they sent. A letter decides only after half a second of quiet
//! inside the dialog, where the keyboard came by itself a moment later, so that typing is told from deciding; and no stale id decides a
//! newer request.

mod ahead;
mod always;
mod anew;
mod gone;
mod hints;
mod inside;
mod marks;
mod print;
mod seen;
mod step;
mod wrapped;

use std::collections::VecDeque;
use std::sync::Arc;

use super::question::{self, Page, QuestionView};
use crate::app::diff_view::{DiffFile, DiffView, Mark};
use crate::app::layout::{Above, ApprovalSize};
use crate::base::clock::Time;
use crate::base::id::{CallId, SeatId};
use crate::domain::call::Origin;
use crate::domain::permission::{CommandClass, Kept};
use crate::domain::review::Review;
use crate::keys::keymap::Chord;
use crate::protocol::ApprovalRequest;
use ahead::LookedAhead;
pub(crate) use ahead::{Place, Stepped};
pub(crate) use always::{Always, Laid};
use anew::Outside;
use gone::Gone;
pub(crate) use hints::{Look, placed};
pub(crate) use inside::{Alone, Pressed};
use inside::{Inside, can_be_kept};
use marks::Marks;
pub(crate) use seen::{Reading, Seen};
pub(crate) use step::Step;
use wrapped::Wrapped;

/// How long the dialog must have had the keyboard, and how long no key may have come, before a letter decides; and how
/// long a request must have been on screen before a chord decides it.
pub(crate) const QUIET_MS: u64 = 500;

/// How soon after a decision the next request has to come for the keyboard to be kept, where no key is pressed in between: a model on
/// one's own hardware takes a minute for an edit.
const SOON_MS: u64 = 120_000;

/// A request about a command that the person sent comes within this time: preparing it is all that lies between.
const AT_ONCE_MS: u64 = 2_000;

#[derive(Default)]
pub(crate) struct Approvals {
    /// The one in front is on screen.
    pub(crate) waiting: VecDeque<Waiting>,
    inside: Option<Inside>,
    /// The strokes that led to what is done: of an answer with a number they say which.
    pub(crate) struck: Option<Chord>,
    /// Those that led to the newest decision.
    decided_with: Option<Chord>,
    /// The newest key press of any kind.
    last_key: Time,
    /// The way out was taken, and what waits there was not lost since.
    left: Option<Left>,
    /// When the person decided from inside, if no key came since.
    decided: Option<Time>,
    /// A key came behind such a decision while nothing waited: the next request does not have the keyboard.
    typed_between: bool,
    /// When they sent a command of their own, if no key came since.
    sent: Option<Time>,
    /// How many of those that waited together, or came with one reply, they decided.
    done: usize,
    /// The calls of the newest reply, in order.
    reply: Vec<CallId>,
    ahead: LookedAhead,
    /// Requests that came so far.
    came: usize,
    marks: Marks,
    gone: Gone,
    /// What the person decided last, as they left it.
    decided_last: Option<Waiting>,
}

/// A press led out of a request, or was one that would have stopped the turn behind that.
#[derive(Clone, Copy)]
struct Left {
    at: Time,
    /// It was said that one more stops the turn.
    told: bool,
}

pub(crate) struct Waiting {
    pub(crate) request: Arc<ApprovalRequest>,
    pub(crate) view: RequestView,
    pub(crate) step: Step,
    /// How many requests had come, this one included: orders those that are of no reply.
    number: usize,
    /// Texts that were left half written, the newest last.
    put_by: Vec<Step>,
    /// What was written in the prompt while it could have been the answer, and was not sent at the first Enter.
    held: Option<String>,
    /// Since when it is the one on screen, uncovered.
    shown_since: Option<Time>,
    wrapped: Wrapped,
    /// What an editor outside was opened on.
    outside: Option<Outside>,
}

pub(crate) enum RequestView {
    /// It stands behind another request, and its view was not made yet.
    Unseen,
    /// File changes: one diff over all files.
    Files(DiffView),
    /// A command with its parts, or titled fields; `top` is the first row shown.
    Rows {
        top: usize,
        seen: Seen,
    },
    Question(QuestionView),
}

impl Approvals {
    pub(crate) fn has_keyboard(&self) -> bool {
        self.inside.is_some() && !self.waiting.is_empty()
    }

    pub(crate) fn front_is_question(&self) -> bool {
        self.front()
            .is_some_and(|waiting| matches!(waiting.request.review, Review::Question(_)))
    }

    /// Whether the cursor is behind an answer in the person's own words.
    pub(crate) fn has_own_words(&self) -> bool {
        match self.front().map(|waiting| &waiting.view) {
            Some(RequestView::Question(view)) => {
                let own = view.page().filter(|page| page.on_own());
                own.is_some_and(Page::is_typed)
            }
            Some(RequestView::Files(_) | RequestView::Rows { .. } | RequestView::Unseen) | None => false,
        }
    }

    pub(crate) fn waits(&self, call: &CallId) -> bool {
        self.waiting.iter().any(|waiting| waiting.request.call == *call)
    }

    /// Whether something waits for the person.
    pub(crate) fn asks(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether what the person wants back waits for them.
    pub(crate) fn asks_undo(&self) -> bool {
        self.waiting
            .iter()
            .any(|waiting| waiting.request.origin == Origin::Undo)
    }

    /// Holds what is sent to the model and may be meant for the question in front, which takes words and has not the keyboard: once
    /// for each question. Says whether it is held.
    pub(crate) fn hold_once(&mut self, text: &str) -> bool {
        let inside = self.has_keyboard();
        match self
            .front_mut()
            .filter(|front| !inside && front.takes_words() && front.held.is_none())
        {
            Some(front) => {
                front.held = Some(text.to_owned());
                true
            }
            None => false,
        }
    }

    /// What was held, while it is all that is written, is the answer to the question that the keyboard moves to.
    pub(crate) fn answer_held(&mut self, written: &str) -> bool {
        let is_it = |front: &&mut Waiting| front.takes_words() && front.held.as_deref() == Some(written);
        match self.front_mut().filter(is_it).and_then(Waiting::move_to_words) {
            Some(answer) => {
                answer.insert(written);
                true
            }
            None => false,
        }
    }

    /// Moves the keyboard into the dialog: only ever because the person asked for it.
    pub(crate) fn enter(&mut self, at: Time) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        // Where it was only kept, it begins anew.
        if self.inside.is_none_or(|inside| inside.is_kept()) {
            self.inside = Some(Inside::entered(at));
        }
        // What the next way out would be followed by is told again.
        if let Some(left) = &mut self.left {
            left.told = false;
        }
        true
    }

    /// Back to the prompt; the request stays undecided.
    pub(crate) fn leave(&mut self) {
        self.inside = None;
        if let Some(waiting) = self.front_mut() {
            waiting.put_by();
            if let RequestView::Files(view) = &mut waiting.view {
                view.find_close();
            }
        }
    }

    /// The same by a key, or by what was typed.
    pub(crate) fn left_by_key(&mut self, at: Time) {
        self.leave();
        self.left = Some(Left { at, told: false });
    }

    /// Holds a press that would stop the turn: whoever was in a request that waits would lose what they made of it, and may mean to
    /// leave something else. It is told then, and one more counts once it was quiet. Says whether it is held.
    pub(crate) fn hold_stop(&mut self, now: Time) -> bool {
        let Some(left) = self.left.take().filter(|_| self.asks()) else {
            return false;
        };
        if left.told && now.since(left.at) >= QUIET_MS {
            return false;
        }
        self.left = Some(Left { at: now, told: true });
        true
    }

    /// Its seat goes from the screen. What is being written there stays; the rest of the request begins anew.
    pub(crate) fn put_away(&mut self) {
        if !self.is_written() {
            self.leave();
        }
        (self.decided, self.sent) = (None, None);
        for waiting in &mut self.waiting {
            waiting.shown_since = None;
        }
    }

    /// Its seat is on screen again. The keyboard is inside only where the person was writing there.
    pub(crate) fn come_back(&mut self, at: Time) {
        let writes = self.is_written();
        self.inside = self.inside.filter(|_| writes).map(|_| Inside::entered(at));
    }

    /// Whether the person writes something for the request in front.
    fn is_written(&self) -> bool {
        self.front().is_some_and(Waiting::writes)
    }

    pub(crate) fn add(&mut self, request: Arc<ApprovalRequest>, at: Time) {
        if self.comes_anew(&request, at) {
            return;
        }
        let is_first = self.waiting.is_empty();
        if is_first {
            if !self.reply.contains(&request.call) {
                self.done = 0;
            }
            self.left = None;
        }
        self.came += 1;
        let is_on_screen = self.on_screen().as_ref() == Some(&request.call);
        let mut waiting = self.arrives(request);
        self.take_over_decided(&mut waiting);
        if is_on_screen {
            // It stays there, and its letters count once it was quiet: before they decided nothing.
            self.waiting.push_front(waiting);
            self.look_back();
            self.inside = self.inside.map(|inside| inside.anew(Inside::entered(at)));
        } else {
            self.waiting.push_back(waiting);
        }
        self.build();
        let since = self.decided.map(|decided| at.since(decided));
        if let Some(since) = since.filter(|since| is_first && *since < SOON_MS && self.front().is_some_and(can_be_kept))
        {
            self.inside = Some(if since < AT_ONCE_MS {
                Inside::following(at)
            } else {
                Inside::kept(at)
            });
        }
        let answers = self.sent.is_some_and(|sent| at.since(sent) < AT_ONCE_MS);
        if is_first && answers && self.front().is_some_and(is_own_command) {
            self.inside = Some(Inside::sent(at));
        }
    }

    /// The oldest request of a child comes to the front, where nothing is being written for the one that is there. `false`: it has none.
    pub(crate) fn bring_forward(&mut self, child: SeatId, at: Time) -> bool {
        let is_its = |waiting: &Waiting| waiting.request.child.as_ref().is_some_and(|asks| asks.seat == child);
        let place = self.waiting.iter().position(is_its);
        if self.is_written() {
            return place == Some(0) && !self.looks_ahead();
        }
        let shown = self.on_screen();
        let Some(wanted) = place.and_then(|place| self.waiting.remove(place)) else {
            return false;
        };
        if let Some(front) = self.front_mut() {
            front.shown_since = None;
        }
        self.look_back();
        self.waiting.push_front(wanted);
        self.build();
        self.keep_inside(shown, at);
        true
    }

    /// The person decides the request in front.
    pub(crate) fn decide(&mut self, call: &CallId, at: Time) {
        let from_inside = self.has_keyboard();
        self.done += 1;
        self.keep_decided(call);
        self.remove(call, at);
        if from_inside {
            self.inside = self.inside.map(|inside| inside.anew(Inside::following(at)));
        }
        // What is asked about a command of their own waited behind this one: it is the answer to that no less.
        let answers = |next: &Waiting| is_own_command(next) && !next.writes();
        if from_inside && self.front().is_some_and(answers) {
            self.inside = Some(Inside::sent(at));
        }
        (self.decided, self.sent) = (from_inside.then_some(at), None);
        self.typed_between = false;
        self.decided_with = self.struck;
    }

    /// Whether the key at hand is the one that decided the request before: pressed again too soon, it is haste and not typing.
    pub(crate) fn is_haste(&self) -> bool {
        self.inside.is_some_and(Inside::is_sent) || self.struck.is_some() && self.struck == self.decided_with
    }

    /// The person sent a command of their own: what is asked about it is the answer to that.
    pub(crate) fn command_sent(&mut self, at: Time) {
        self.sent = Some(at);
    }

    /// A request is answered, by whomever. When another comes to the front, it starts anew: no letter is lit, and the
    /// keyboard stays only with requests that were waiting already.
    pub(crate) fn remove(&mut self, call: &CallId, at: Time) {
        let shown = self.on_screen();
        // One about their own command is asked anew where the turn that it was typed into ends: it is the same answer.
        if shown.as_ref() == Some(call) && self.has_keyboard() && self.front().is_some_and(is_own_command) {
            self.sent = Some(at);
        }
        self.waiting.retain(|waiting| waiting.request.call != *call);
        if shown.as_ref() == Some(call) || self.waiting.is_empty() {
            self.look_back();
        }
        self.build();
        self.keep_inside(shown, at);
    }

    /// Another one may be on screen than before: the keyboard stays only where it can be kept, and no letter is lit.
    fn keep_inside(&mut self, before: Option<CallId>, at: Time) {
        if self.on_screen() != before
            && let Some(inside) = self.inside
        {
            let next = self.front().filter(|next| can_be_kept(next));
            self.inside = next.map(|_| inside.anew(Inside::kept(at)));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
        self.decided_last = None;
        self.forget_ahead();
        self.inside = None;
        (self.decided, self.sent, self.typed_between) = (None, None, false);
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
            self.recall();
        }
    }

    /// Notes whether the front request can be seen at `now`.
    pub(crate) fn seen(&mut self, visible: bool, now: Time) {
        let shown = self.on_screen().filter(|_| visible);
        for waiting in self.waiting.iter_mut().chain(self.ahead.all_mut()) {
            if shown.as_ref() == Some(&waiting.request.call) {
                waiting.shown_since.get_or_insert(now);
            } else {
                waiting.shown_since = None;
            }
        }
    }
}

/// Whether the person sent the command that is asked about.
fn is_own_command(waiting: &Waiting) -> bool {
    matches!(waiting.request.origin, Origin::Person | Origin::Typed | Origin::Undo)
}

impl Waiting {
    /// Whether the person writes something for it, other than an answer.
    fn writes(&self) -> bool {
        match self.step {
            Step::Reason(_) | Step::Comment { .. } | Step::Edit(_) => true,
            Step::Deciding | Step::ConfirmAlways(_) | Step::Why => false,
        }
    }

    /// Whether `Alt+Y` and `Alt+N` may decide it at `now`, the terminal permitting.
    pub(crate) fn chord_decides(&self, now: Time) -> bool {
        let careful = self.request.verdict.class.is_some_and(CommandClass::is_grave);
        let question = matches!(self.request.review, Review::Question(_));
        // What is being written is not what would be decided.
        !careful && !question && !self.writes() && self.shown_since.is_some_and(|since| now.since(since) >= QUIET_MS)
    }

    /// The changes it is about, as a diff.
    pub(crate) fn diff(&self) -> Option<&DiffView> {
        match &self.view {
            RequestView::Files(view) => Some(view),
            RequestView::Question(_) | RequestView::Rows { .. } | RequestView::Unseen => None,
        }
    }

    /// What "always" would cover, where it is offered.
    pub(crate) fn always(&self) -> Option<Always> {
        let class = self.request.verdict.class;
        let offered = class.is_none_or(|class| class == CommandClass::Plain);
        Always::new(&self.request).filter(|_| offered)
    }

    /// Whether all of the proposal was dropped, so that there is nothing to allow.
    pub(crate) fn keeps_nothing(&self) -> bool {
        self.diff()
            .is_some_and(|view| view.files.iter().all(|file| file.mark() == Mark::Dropped))
    }

    /// What of the proposal is kept. `None`: nothing is, which is a refusal and has its own key.
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

    /// How much room it wants where its text has `width` columns.
    pub(crate) fn size(&self, width: u16) -> ApprovalSize {
        let rows = match &self.view {
            // A row belongs to what is asked in between.
            RequestView::Files(view) => 1 + view.rows_wanted(),
            RequestView::Unseen => usize::from(u16::MAX),
            RequestView::Question(view) => usize::from(view.bar_rows()) + question::rows(view, width).len(),
            RequestView::Rows { .. } => self.rows(width).len(),
        };
        let asked = usize::from(self.step_rows(width));
        ApprovalSize {
            rows: u16::try_from(rows.max(6) + asked).unwrap_or(u16::MAX),
            wide: matches!(self.view, RequestView::Files(_)),
            above: match &self.view {
                RequestView::Question(view) if view.page().is_some_and(Page::is_read) => Above::GivesWay,
                _ => Above::Stays,
            },
        }
    }
}

#[cfg(test)]
mod tests;
