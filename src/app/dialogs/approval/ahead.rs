//! Navigation between pending requests and previews of the later calls in a reply. A preview cannot be decided. Edits
//! made in a preview are transferred to the request, unless the call has changed.

use std::sync::Arc;

use super::{Approvals, RequestView, Step, Waiting, Wrapped};
use benchdog_base::id::CallId;
use benchdog_domain::review::{FileChange, Review};
use benchdog_protocol::{Ahead, ApprovalRequest};

#[derive(Default)]
pub(super) struct LookedAhead {
    waiting: Vec<Waiting>,
    /// The call whose preview is shown in place of the pending request.
    looking: Option<CallId>,
    known: Known,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Nothing,
    Some,
    All,
}

impl LookedAhead {
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Waiting> {
        self.waiting.iter_mut()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Waiting> {
        self.waiting.iter()
    }
}

/// Position of the shown request. `all` is the number of requests, or `None` while the number is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub at: usize,
    pub all: Option<usize>,
    pub before: bool,
    pub behind: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stepped {
    Moved,
    Nothing,
}

impl Approvals {
    pub fn front(&self) -> Option<&Waiting> {
        let looked = self.ahead.waiting.iter().find(|ahead| self.is_looked_at(ahead));
        looked.or(self.waiting.front())
    }

    pub fn front_mut(&mut self) -> Option<&mut Waiting> {
        let looking = self.ahead.looking.as_ref();
        let looked = (self.ahead.waiting.iter_mut()).find(|ahead| Some(&ahead.request.call) == looking);
        looked.or(self.waiting.front_mut())
    }

    fn is_looked_at(&self, ahead: &Waiting) -> bool {
        self.ahead.looking.as_ref() == Some(&ahead.request.call)
    }

    pub(super) fn on_screen(&self) -> Option<CallId> {
        self.front().map(|front| front.request.call.clone())
    }

    pub fn looks_ahead(&self) -> bool {
        self.ahead.waiting.iter().any(|ahead| self.is_looked_at(ahead))
    }

    pub(super) fn look_back(&mut self) {
        self.ahead.looking = None;
    }

    pub(super) fn forget_ahead(&mut self) {
        let gone = std::mem::take(&mut self.ahead);
        self.rescue(gone.all().flat_map(Waiting::texts).collect());
    }

    pub(crate) fn replied(&mut self, calls: impl Iterator<Item = CallId>) {
        self.reply = calls.collect();
        self.decided_last = None;
        self.forget_ahead();
        if self.waiting.is_empty() {
            self.done = 0;
        }
        self.build();
    }

    /// Stores the previews of later calls. Returns the calls whose previews are unchanged.
    pub(crate) fn looked_ahead(&mut self, ahead: &Ahead) -> Vec<CallId> {
        if !self.waits(&ahead.of) {
            return Vec::new();
        }
        let mut same = Vec::new();
        // In a resumed session, it is unknown which calls belong to the reply.
        if !self.reply.contains(&ahead.of) {
            let behind = ahead.rows.iter().map(|row| row.call.clone());
            self.reply = std::iter::once(ahead.of.clone()).chain(behind).collect();
        }
        self.done = ahead.decided;
        let before = std::mem::take(&mut self.ahead.waiting);
        self.ahead.known = if ahead.is_unsure { Known::Some } else { Known::All };
        let mut before = before.into_iter().map(Some).collect::<Vec<_>>();
        let unasked = ahead.asks.iter().filter(|request| !self.waits(&request.call));
        for request in unasked.collect::<Vec<_>>() {
            let is_known = |slot: &&mut Option<Waiting>| {
                slot.as_ref()
                    .is_some_and(|known| known.request.call == request.call && does_the_same(&known.request, request))
            };
            let known = before.iter_mut().find(is_known).and_then(Option::take);
            same.extend(known.as_ref().map(|known| known.request.call.clone()));
            let waiting = known.unwrap_or_else(|| Waiting::new(Arc::clone(request), 0));
            self.ahead.waiting.push(waiting);
        }
        self.rescue(before.iter().flatten().flat_map(Waiting::texts).collect());
        if !self.looks_ahead() {
            self.look_back();
        }
        self.build();
        same
    }

    pub(super) fn arrives(&mut self, request: Arc<ApprovalRequest>) -> Waiting {
        let place = (self.ahead.waiting.iter()).position(|ahead| ahead.request.call == request.call);
        let fresh = Waiting::new(request, self.came);
        let Some(looked) = place.map(|place| self.ahead.waiting.remove(place)) else {
            return fresh;
        };
        if !does_the_same(&looked.request, &fresh.request) {
            self.rescue(looked.texts());
            return fresh;
        }
        Waiting {
            request: fresh.request,
            number: fresh.number,
            drawn_since: None,
            ..looked
        }
    }

    pub(crate) fn step_request(&mut self, by: isize) -> Stepped {
        let order: Vec<CallId> = self.in_order().filter(|(_, looks)| *looks).map(|(id, _)| id).collect();
        let shown = self.on_screen();
        let here = order.iter().position(|call| Some(call) == shown.as_ref());
        let there = here
            .and_then(|here| here.checked_add_signed(by))
            .and_then(|there| order.get(there));
        let Some(there) = there.cloned() else {
            return Stepped::Nothing;
        };
        if let Some(front) = self.front_mut() {
            front.put_by();
            if let RequestView::Files(view) = &mut front.view {
                view.find_close();
            }
        }
        let asked = self.waiting.iter().position(|waiting| waiting.request.call == there);
        match asked.and_then(|place| self.waiting.remove(place)) {
            Some(waiting) => {
                self.waiting.push_front(waiting);
                self.look_back();
            }
            None => self.ahead.looking = Some(there),
        }
        self.build();
        Stepped::Moved
    }

    /// Returns all calls in the order in which they are decided. The flag tells whether the call can be shown. Later
    /// questions have no preview, so they cannot be shown.
    fn in_order(&self) -> impl Iterator<Item = (CallId, bool)> {
        let of_reply = |waiting: &Waiting| self.reply.iter().position(|call| *call == waiting.request.call);
        let key = |waiting: &Waiting| (of_reply(waiting).unwrap_or(usize::MAX), waiting.number);
        let asked = self.waiting.iter().map(|waiting| (key(waiting), waiting, true));
        let ahead = self.ahead.waiting.iter().map(|ahead| {
            let looks = !matches!(ahead.request.review, Review::Question(_));
            (key(ahead), ahead, looks)
        });
        let mut all: Vec<_> = asked.chain(ahead).collect();
        all.sort_by_key(|(key, ..)| *key);
        all.into_iter()
            .map(|(_, waiting, looks)| (waiting.request.call.clone(), looks))
    }

    pub(crate) fn shown_of_several(&self) -> Option<CallId> {
        self.on_screen().filter(|_| self.in_order().nth(1).is_some())
    }

    pub fn place(&self) -> Option<Place> {
        let order: Vec<(CallId, bool)> = self.in_order().collect();
        let shown = self.on_screen()?;
        let here = order.iter().position(|(call, _)| *call == shown)?;
        let at = self.done + here + 1;
        let all = self.done + order.len();
        let known = match self.ahead.known {
            Known::All => true,
            Known::Some => false,
            Known::Nothing => self.waiting.iter().all(|waiting| self.is_last(waiting)),
        };
        let looks = |side: &[(CallId, bool)]| side.iter().any(|(_, looks)| *looks);
        let place = Place {
            at,
            all: known.then_some(all),
            before: looks(order.get(..here).unwrap_or_default()),
            behind: looks(order.get(here + 1..).unwrap_or_default()),
        };
        (all > 1).then_some(place)
    }

    fn is_last(&self, waiting: &Waiting) -> bool {
        let place = self.reply.iter().position(|call| *call == waiting.request.call);
        place.is_none_or(|place| place + 1 == self.reply.len())
    }
}

impl Waiting {
    pub(super) fn new(request: Arc<ApprovalRequest>, number: usize) -> Self {
        Self {
            request,
            view: RequestView::Unseen,
            step: Step::Deciding,
            number,
            put_by: Vec::new(),
            drawn_since: None,
            complete: None,
            wrapped: Wrapped::default(),
            outside: None,
        }
    }
}

fn does_the_same(one: &ApprovalRequest, other: &ApprovalRequest) -> bool {
    let is_same = |(one, other): (&FileChange, &FileChange)| {
        // Ignore the notes, because they do not affect the change.
        *one == FileChange {
            note: one.note.clone(),
            ..other.clone()
        }
    };
    one.tool == other.tool
        && match (&one.review, &other.review) {
            (Review::Files(one), Review::Files(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(is_same)
            }
            (one, other) => one == other,
        }
}
