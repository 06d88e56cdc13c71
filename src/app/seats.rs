//! The seats, or open sessions, of this window. One is visible. The others are stored with draft, scroll position,
//! focus and pending requests.
//!
//! An event for a stored seat temporarily swaps the seat in, so there is one way to apply events.
//! `Parked::swap` lists every field of the state. A new field must be assigned to window or seat.

use std::mem::swap;

use super::dialogs::Dialog;
use super::dialogs::approval::Approvals;
use super::dialogs::first_start::FirstStartCard;
use super::dialogs::service::ServiceCard;
use super::dialogs::trust::TrustCard;
use super::layout::Pane;
use super::loops::Loops;
use super::marking::Marking;
use super::panes::changes::ChangesPane;
use super::panes::context::ContextPane;
use super::panes::conversation::Conversation;
use super::panes::files::FilesPane;
use super::panes::prompt::Prompt;
use super::panes::todo::TodoPane;
use super::state::{SessionView, Shown, State, Toast, TurnView};
use super::watched::Watched;
use benchdog_base::clock::Time;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_base::text::{last_part, reveal};
use benchdog_domain::job::{Job, running};
use benchdog_domain::worktree::BRANCHES;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    Shown,
    /// A stored seat must not open dialogs or change the window title.
    Background,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    None,
    Asks,
    Ended,
}

/// Most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    Waits,
    Works,
    /// The turn ended and nobody has looked.
    Ended,
    Idle,
}

pub struct Parked {
    pub seat: SeatId,
    focus: Pane,
    over: Option<Pane>,
    conversation: Conversation,
    watched: Option<Box<Watched>>,
    pub(super) prompt: Prompt,
    files: FilesPane,
    changes: ChangesPane,
    todo: TodoPane,
    context: ContextPane,
    approvals: Approvals,
    dialog: Option<Dialog>,
    beneath: Option<Dialog>,
    marking: Option<Marking>,
    trust: Option<TrustCard>,
    first_start: Option<FirstStartCard>,
    service: Option<ServiceCard>,
    pub session: SessionView,
    turn: TurnView,
    news: News,
    toast: Option<Toast>,
    typing_told: Option<SeatId>,
    jobs: Vec<Job>,
    loops: Loops,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatRow {
    pub seat: SeatId,
    pub standing: Standing,
    pub title: String,
    pub place: String,
    pub last: String,
    pub full: String,
    pub since: Time,
}

impl Parked {
    pub fn fresh(seat: SeatId, now: Time) -> Self {
        Self {
            seat,
            focus: Pane::Prompt,
            over: None,
            conversation: Conversation::default(),
            watched: None,
            prompt: Prompt::default(),
            files: FilesPane::default(),
            changes: ChangesPane::default(),
            todo: TodoPane::default(),
            context: ContextPane::default(),
            approvals: Approvals::default(),
            dialog: None,
            beneath: None,
            marking: None,
            trust: None,
            first_start: None,
            service: None,
            session: SessionView::default(),
            turn: TurnView::idle(now),
            news: News::None,
            toast: None,
            typing_told: None,
            jobs: Vec::new(),
            loops: Loops::default(),
        }
    }

    pub(super) fn swap(&mut self, state: &mut State) {
        let State {
            // Window fields.
            width: _,
            height: _,
            layout: _,
            terminal: _,
            window_focused: _,
            mouse: _,
            confirm_exit: _,
            alt_decides: _,
            merge_asked: _,
            themes: _,
            now: _,
            keymap: _,
            stroke: _,
            diff_layouts: _,
            parked: _,
            replaced: _,
            sight: _,
            copied: _,
            lately: _,
            held: _,
            aimed: _,
            clicked: _,
            home: _,
            zone: _,
            title: _,
            woken: _,
            dirty: _,
            wrote: _,
            greeting: _,
            // Seat fields.
            shown: Shown {
                files: _,
                side: _,
                over,
            },
            seat,
            focus,
            conversation,
            watched,
            prompt,
            files,
            changes,
            todo,
            context,
            approvals,
            dialog,
            beneath,
            marking,
            trust,
            first_start,
            service,
            session,
            turn,
            news,
            toast,
            typing_told,
            jobs,
            loops,
        } = state;
        swap(&mut self.seat, seat);
        swap(&mut self.focus, focus);
        swap(&mut self.over, over);
        swap(&mut self.conversation, conversation);
        swap(&mut self.watched, watched);
        swap(&mut self.prompt, prompt);
        swap(&mut self.files, files);
        swap(&mut self.changes, changes);
        swap(&mut self.todo, todo);
        swap(&mut self.context, context);
        swap(&mut self.approvals, approvals);
        swap(&mut self.dialog, dialog);
        swap(&mut self.beneath, beneath);
        swap(&mut self.marking, marking);
        swap(&mut self.trust, trust);
        swap(&mut self.first_start, first_start);
        swap(&mut self.service, service);
        swap(&mut self.session, session);
        swap(&mut self.turn, turn);
        swap(&mut self.news, news);
        swap(&mut self.toast, toast);
        swap(&mut self.typing_told, typing_told);
        swap(&mut self.jobs, jobs);
        swap(&mut self.loops, loops);
    }

    pub(super) fn next_loop(&self) -> Option<Time> {
        self.loops.next()
    }

    pub(crate) fn standing(&self) -> Standing {
        standing(&self.approvals, &self.turn, self.news)
    }

    pub(crate) fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    pub(crate) fn was_seen(&mut self) {
        self.news = News::None;
    }

    pub(crate) fn asks_anew(&self) -> bool {
        self.news == News::Asks && self.standing() == Standing::Waits
    }

    fn row(&self) -> SeatRow {
        row(
            (self.seat, self.standing()),
            &self.session,
            &self.turn,
            &self.approvals,
            &self.conversation,
            &self.context,
        )
    }
}

fn standing(approvals: &Approvals, turn: &TurnView, news: News) -> Standing {
    if turn.waits_for_person(approvals) {
        Standing::Waits
    } else if turn.busy() {
        Standing::Works
    } else if news == News::Ended {
        Standing::Ended
    } else {
        Standing::Idle
    }
}

fn row(
    (seat, standing): (SeatId, Standing),
    session: &SessionView,
    turn: &TurnView,
    approvals: &Approvals,
    conversation: &Conversation,
    context: &ContextPane,
) -> SeatRow {
    let waits = approvals
        .front()
        .map(|waiting| reveal(&waiting.request.title).into_owned());
    SeatRow {
        seat,
        standing,
        title: session.title.clone(),
        place: match &session.worktree {
            Some(name) => format!("{BRANCHES}{name}"),
            None => last_part(&session.workspace).to_owned(),
        },
        last: waits.unwrap_or_else(|| conversation.last_line()),
        full: context.percent().unwrap_or_default(),
        since: turn.since,
    }
}

pub fn rows(state: &State) -> Vec<SeatRow> {
    let shown = row(
        (state.seat, standing(&state.approvals, &state.turn, state.news)),
        &state.session,
        &state.turn,
        &state.approvals,
        state.own_conversation(),
        &state.context,
    );
    let parked = state.parked.values().map(|parked| parked.row());
    let mut rows: Vec<SeatRow> = std::iter::once(shown).chain(parked).collect();
    rows.sort_by_key(|row| (row.standing, row.seat));
    rows
}

/// The non-empty sessions with their folders, the visible one first.
pub fn spoken(state: &State) -> Vec<(SessionId, String)> {
    let parked = state.parked.values().map(|parked| &parked.session);
    let said = std::iter::once(&state.session)
        .chain(parked)
        .filter(|session| !session.title.is_empty());
    said.filter_map(|session| Some((session.id.clone()?, session.workspace.clone())))
        .collect()
}

pub(crate) fn shown(state: &State) -> Standing {
    standing(&state.approvals, &state.turn, state.news)
}

/// The most urgent state among the other seats, and their number. `None` if all are idle and seen.
pub(crate) fn others(state: &State) -> Option<(Standing, usize)> {
    let standings = || state.parked.values().map(|parked| parked.standing());
    let first = standings().min().filter(|first| *first != Standing::Idle)?;
    Some((first, standings().filter(|standing| *standing == first).count()))
}

/// Work that an exit would stop: running turns and background jobs of all seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stopped {
    pub turns: usize,
    pub jobs: usize,
}

pub(crate) fn stopped_by_leaving(state: &State) -> Stopped {
    let parked = state.parked.values().map(|parked| (parked.standing(), &parked.jobs));
    let mut stopped = Stopped::default();
    for (standing, jobs) in parked.chain(std::iter::once((shown(state), &state.jobs))) {
        stopped.turns += usize::from(standing == Standing::Works);
        stopped.jobs += running(jobs);
    }
    stopped
}
