//! The seats (open sessions) of this window. One seat is visible. The other seats are stored with draft, scroll
//! position and pending requests.
//!
//! An event for a stored seat is applied by the same code as other events: the stored seat temporarily replaces the
//! visible seat.

use super::screen::{News, SessionScreen};
use super::state::State;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_base::text::{last_part, reveal};
use benchdog_domain::job::running;
use benchdog_domain::worktree::BRANCHES;

/// The state of a seat in the list of sessions, ordered from the most to the least urgent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    Waits,
    Works,
    /// The turn has ended, and the user has not seen the end.
    Ended,
    Idle,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatRow {
    pub seat: SeatId,
    /// The session. `None` before the first prompt.
    pub session: Option<SessionId>,
    pub folder: String,
    pub standing: Standing,
    pub title: String,
    pub place: String,
    pub last: String,
    pub full: String,
    pub since: Time,
}

impl SessionScreen {
    pub(crate) fn standing(&self) -> Standing {
        if self.turn.waits_for_person(&self.approvals) {
            Standing::Waits
        } else if self.turn.busy() {
            Standing::Works
        } else if self.news == News::Ended {
            Standing::Ended
        } else {
            Standing::Idle
        }
    }

    pub(crate) fn has_unseen_request(&self) -> bool {
        self.news == News::Asks && self.standing() == Standing::Waits
    }

    fn row(&self) -> SeatRow {
        let waits = self
            .approvals
            .front()
            .map(|waiting| reveal(&waiting.request.title).into_owned());
        SeatRow {
            seat: self.seat,
            session: self.session.id.clone(),
            folder: self.session.workspace.clone(),
            standing: self.standing(),
            title: self.session.title.clone(),
            place: match &self.session.worktree {
                Some(name) => format!("{BRANCHES}{name}"),
                None => last_part(&self.session.workspace).to_owned(),
            },
            last: waits.unwrap_or_else(|| self.own_conversation().last_line()),
            full: self.context.percent().unwrap_or_default(),
            since: self.turn.since,
        }
    }
}

/// Returns the screens of all seats, starting with the visible seat.
fn screens(state: &State) -> impl Iterator<Item = &SessionScreen> {
    std::iter::once(&state.screen).chain(state.parked.values().map(|parked| &**parked))
}

pub fn rows(state: &State) -> Vec<SeatRow> {
    let mut rows: Vec<SeatRow> = screens(state).map(SessionScreen::row).collect();
    rows.sort_by_key(|row| (row.standing, row.seat));
    rows
}

/// Whether any session has a running turn, a pending request or a background job.
pub fn has_work(state: &State) -> bool {
    let waits = screens(state).any(|screen| screen.standing() == Standing::Waits);
    waits || stopped_by_leaving(state) != Stopped::default()
}

pub fn pending_requests(state: &State) -> impl Iterator<Item = (SeatId, CallId)> {
    screens(state).flat_map(|screen| {
        let waiting = screen.approvals.waiting.iter();
        waiting.map(|waiting| (screen.seat, waiting.request.call.clone()))
    })
}

/// Returns the sessions that are not empty, with their folders. The visible session comes first.
pub fn spoken(state: &State) -> Vec<(SessionId, String)> {
    let said = screens(state)
        .map(|screen| &screen.session)
        .filter(|session| !session.title.is_empty());
    said.filter_map(|session| Some((session.id.clone()?, session.workspace.clone())))
        .collect()
}

/// Returns the most urgent state of the other seats, and the number of seats in this state.
pub(crate) fn others(state: &State) -> Option<(Standing, usize)> {
    let standings = || state.parked.values().map(|parked| parked.standing());
    let first = standings().min().filter(|first| *first != Standing::Idle)?;
    Some((first, standings().filter(|standing| *standing == first).count()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stopped {
    pub turns: usize,
    pub jobs: usize,
}

pub(crate) fn stopped_by_leaving(state: &State) -> Stopped {
    let mut stopped = Stopped::default();
    for screen in screens(state) {
        stopped.turns += usize::from(screen.standing() == Standing::Works);
        stopped.jobs += running(&screen.jobs);
    }
    stopped
}
