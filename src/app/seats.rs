//! The seats of this window. One is shown; each other is put away whole, with draft, scroll, focus and what waits in it.
//!
//! What an engine tells of a seat that is put away is applied to it by changing places with what is shown for the time of one
//! event, so that there is one way to apply an event. `Parked::swap` names every field of the state: whoever adds one has to say
//! whether it is the window's or a seat's before it compiles.

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
use crate::base::clock::Time;
use crate::base::id::{SeatId, SessionId};
use crate::base::text::{last_part, reveal};
use crate::domain::job::{Job, running};
use crate::domain::worktree::BRANCHES;

/// Whether what is being changed is on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    Shown,
    /// It belongs to a seat that is put away: nothing of it opens by itself or names the window.
    Background,
}

/// What the person has not seen of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    None,
    /// Something waits for an answer.
    Asks,
    /// A turn ended.
    Ended,
}

/// How a seat stands, the one that needs a person most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// An approval or a question waits for the person.
    Waits,
    Works,
    /// Its turn has ended, and nobody has looked.
    Ended,
    Idle,
}

/// Everything of a seat that is not shown.
pub(crate) struct Parked {
    pub(crate) seat: SeatId,
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
    pub(crate) session: SessionView,
    turn: TurnView,
    news: News,
    toast: Option<Toast>,
    typing_told: Option<SeatId>,
    jobs: Vec<Job>,
    loops: Loops,
}

/// One seat as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeatRow {
    pub(crate) seat: SeatId,
    pub(crate) standing: Standing,
    pub(crate) title: String,
    /// Its folder, or the branch of the worktree that it is.
    pub(crate) place: String,
    /// What waits, or the last line that was said.
    pub(crate) last: String,
    /// How full the window is.
    pub(crate) full: String,
    /// Since when it stands as it does.
    pub(crate) since: Time,
}

impl Parked {
    /// A seat of which nothing was told yet.
    pub(super) fn fresh(seat: SeatId, now: Time) -> Self {
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

    /// Changes places with what is shown.
    pub(super) fn swap(&mut self, state: &mut State) {
        let State {
            // The window's.
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
            // The seat's.
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

    /// When it sends a prompt again by itself.
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

    /// It waits for the person, who has not gone on from there.
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

/// Every seat of this window, the one that needs a person most first; of those that stand alike the oldest.
pub(crate) fn rows(state: &State) -> Vec<SeatRow> {
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

/// The sessions in which something was said, the one that is shown first, with their folders.
pub(crate) fn spoken(state: &State) -> Vec<(SessionId, String)> {
    let parked = state.parked.values().map(|parked| &parked.session);
    let said = std::iter::once(&state.session)
        .chain(parked)
        .filter(|session| !session.title.is_empty());
    said.filter_map(|session| Some((session.id.clone()?, session.workspace.clone())))
        .collect()
}

/// How the seat that is shown stands.
pub(crate) fn shown(state: &State) -> Standing {
    standing(&state.approvals, &state.turn, state.news)
}

/// What most needs a person among the seats that are not shown, and how many stand so. `None`: they are at rest, and looked at.
pub(crate) fn others(state: &State) -> Option<(Standing, usize)> {
    let standings = || state.parked.values().map(|parked| parked.standing());
    let first = standings().min().filter(|first| *first != Standing::Idle)?;
    Some((first, standings().filter(|standing| *standing == first).count()))
}

/// What ends with the program: turns that work and commands in the background, of every seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stopped {
    pub(crate) turns: usize,
    pub(crate) jobs: usize,
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
