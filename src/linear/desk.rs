//! Decides what is printed and ordered: events, lines and signals in, acts out. Pure; time comes in.

mod printed;
pub(super) mod requests;
mod written;

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::time::Instant;

use super::question::Question;
use super::telling::Telling;
use super::{From, answers};
use crate::app::commands;
use crate::app::dialogs::sheet::SheetKind;
use crate::base::clock::Zone;
use crate::base::id::{CallId, SeatId};
use crate::domain::budget::Ledger;
use crate::domain::confinement::Confinement;
use crate::domain::entry::{Body, Entry, TurnOutcome};
use crate::domain::job::Job;
use crate::domain::notice::Notice;
use crate::domain::server::ServerName;
use crate::domain::todo::TodoList;
use crate::domain::tool::{CallStatus, Success, ToolFacts};
use crate::domain::waiting::{WaitingPrompt, WaitsFor};
use crate::headless::exit::{self, Ended, Exit};
use crate::lang::{Word, word};
use crate::protocol::{Answer, ApprovalRequest, Command, Event, Live, Opened, TurnState};
use printed::Streamed;

/// What stands before what is written.
const MARK: &str = "> ";

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    Print(String),
    Send(Command),
    Leave(Exit),
}

/// Whether something is under way, as far as it is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    None,
    /// It was ordered, and nothing was heard of it yet.
    Ordered,
    UnderWay,
}

/// How far the question in front is.
enum Front {
    /// It is on its way to the paper.
    Printed(Question),
    /// It stands there: lines answer it, until then.
    Asks(Question, Instant),
}

/// What the session is known to be, for whoever asks.
#[derive(Default)]
pub(super) struct Known {
    pub(super) todo: TodoList,
    pub(super) plan: Option<String>,
    /// What goes on in the background, and what has ended there.
    pub(super) jobs: Vec<Job>,
    pub(super) ledger: Option<Ledger>,
    pub(super) confinement: Option<Confinement>,
    pub(super) skills: Vec<String>,
    /// The files that trust is asked for.
    pub(super) untrusted: Vec<String>,
    /// What of its status was asked for.
    pub(super) sheet: Option<SheetKind>,
    /// The tools of a server, or of all of them, are to be listed when servers are told.
    pub(super) tools_of: Option<Option<ServerName>>,
    tools: Arc<[ToolFacts]>,
    /// Where the person's clock is read.
    pub(super) zone: Zone,
}

/// How the newest turn ended, for the exit code where nobody sees it.
#[derive(Default)]
struct Ending {
    outcome: Option<TurnOutcome>,
    error: Option<String>,
    /// A call was denied, and nothing was done since.
    denied: bool,
}

pub(super) struct Desk {
    seat: SeatId,
    from: From,
    telling: Telling,
    pub(super) known: Known,
    /// The session is there.
    is_open: bool,
    work: Work,
    /// Prompts wait for their turn.
    queued: bool,
    waiting: VecDeque<Arc<ApprovalRequest>>,
    front: Option<Front>,
    /// Until when a call was first asked about that nobody has said anything to since: it may be made anew again and again.
    until: Option<(CallId, Instant)>,
    /// The lines so far of a prompt of several.
    written: Option<String>,
    /// The paper's last line is not ended.
    line_is_open: bool,
    /// The mark stands at its end.
    marked: bool,
    streamed: Streamed,
    stopped: Option<Instant>,
    ending: Ending,
    /// No line follows.
    ended: bool,
    acts: Vec<Act>,
}

impl Desk {
    pub(super) fn new(seat: SeatId, from: From) -> Self {
        Self {
            seat,
            from,
            telling: Telling::default(),
            known: Known::default(),
            is_open: false,
            work: Work::None,
            queued: false,
            waiting: VecDeque::new(),
            front: None,
            until: None,
            written: None,
            line_is_open: false,
            marked: false,
            streamed: Streamed::default(),
            stopped: None,
            ending: Ending::default(),
            ended: false,
            acts: Vec::new(),
        }
    }

    pub(super) fn seat(&self) -> SeatId {
        self.seat
    }

    pub(super) fn take_acts(&mut self) -> Vec<Act> {
        std::mem::take(&mut self.acts)
    }

    // --- what is waited for ---

    fn is_idle(&self) -> bool {
        self.is_open && self.work == Work::None && !self.queued
    }

    /// Whether lines are to be read now: not while a question is on its way to the paper.
    pub(super) fn hears(&self) -> bool {
        match (self.from, &self.front) {
            (From::Elsewhere, _) => self.is_idle(),
            (From::Terminal, Some(Front::Printed(_))) => false,
            (From::Terminal, Some(Front::Asks(..)) | None) => true,
        }
    }

    /// Whether a question stands there from the moment on that all is on paper.
    pub(super) fn asks(&self) -> bool {
        matches!(self.front, Some(Front::Printed(_)))
    }

    pub(super) fn unanswered_at(&self) -> Option<Instant> {
        match &self.front {
            Some(Front::Asks(_, until)) => Some(*until),
            Some(Front::Printed(_)) | None => None,
        }
    }

    // --- what comes from the engine ---

    pub(super) fn event(&mut self, seat: SeatId, event: Event) {
        if seat != self.seat {
            return;
        }
        match event {
            Event::Fact(entry) => self.fact(&entry),
            Event::Live(live) => self.live(live),
            Event::Answer(answer) => self.answer(answer),
        }
        self.ask_next();
        let fails = self.from == From::Elsewhere && self.exit() != Exit::Done;
        if (self.ended || fails) && self.is_idle() {
            self.leave();
        }
    }

    fn fact(&mut self, entry: &Entry) {
        self.note_result(&entry.body);
        match &entry.body {
            Body::Approval { call, .. } | Body::ToolResult { call, .. } => {
                self.settle(call);
            }
            Body::TurnEnded { outcome, .. } => {
                self.ending.outcome = Some(*outcome);
                self.work = Work::None;
                self.waiting.clear();
                (self.front, self.until) = (None, None);
            }
            Body::Todo { items } => self.known.todo = items.clone(),
            Body::Plan(plan) => self.known.plan = Some(plan.text.clone()),
            _ => {}
        }
        let told = self.telling.fact(entry);
        match &entry.body {
            Body::Assistant { .. } => self.add_last(told),
            Body::TurnEnded { .. } => {
                self.stream_ends();
                self.add_all(told);
            }
            Body::CallEnded { .. } => {
                let ended = !told.is_empty();
                self.add_all(told);
                if ended {
                    self.mark_again();
                }
            }
            _ => self.add_all(told),
        }
    }

    fn note_result(&mut self, body: &Body) {
        let Body::ToolResult { tool, status, .. } = body else {
            return;
        };
        match status {
            CallStatus::Denied => self.ending.denied = true,
            // The turn found another way.
            CallStatus::Ok if ToolFacts::success_of(&self.known.tools, tool) == Success::Acted => {
                self.ending.denied = false;
            }
            CallStatus::Ok | CallStatus::Error | CallStatus::Cancelled => {}
        }
    }

    /// What scripts are told: nothing where a person saw it.
    fn exit(&self) -> Exit {
        match (self.from, self.ending.outcome) {
            (From::Elsewhere, Some(outcome)) => exit::of(&Ended {
                outcome,
                error: self.ending.error.as_deref(),
                denied: self.ending.denied,
                found: false,
            }),
            (From::Elsewhere, None) | (From::Terminal, _) => Exit::Done,
        }
    }

    fn live(&mut self, live: Live) {
        match &live {
            Live::State(state) if works(*state) => self.work = Work::UnderWay,
            Live::Queued(prompts) => {
                let unsent = |prompt: &&WaitingPrompt| prompt.waits_for == WaitsFor::Person;
                self.queued = !prompts.iter().all(|prompt| unsent(&prompt));
                // It is printed as what was not sent; there is no key that could bring it back later.
                if prompts.iter().any(|prompt| unsent(&prompt)) && !self.queued {
                    self.acts.push(Act::Send(Command::Unqueue));
                }
            }
            Live::Context(ledger) => self.known.ledger = Some(ledger.clone()),
            Live::Jobs(jobs) => self.known.jobs.clone_from(jobs),
            Live::Confinement(standing) => self.known.confinement = Some(standing.clone()),
            Live::ApprovalRequested(request) => {
                if self.renew(request) {
                    return;
                }
                self.enqueue(request);
                if self.written.is_some() {
                    self.say(word(Word::LinearWaits));
                }
            }
            Live::ApprovalGone { call } => {
                self.settle(call);
                self.ask_next();
            }
            Live::Error(failure) => {
                self.is_open = true;
                self.ending.error = Some(failure.code().to_owned());
                self.forget_ordered();
            }
            Live::Notice(notice) if !is_about_named_model(notice) => self.forget_ordered(),
            _ => {}
        }
        // What was begun is not gone on with, or the person is asked about something.
        if matches!(
            live,
            Live::Retrying { .. } | Live::Error(_) | Live::ApprovalRequested(_)
        ) {
            self.stream_ends();
        }
        let told = self.telling.live(&live);
        let is_output = matches!(live, Live::ToolOutput(_)) && !told.is_empty();
        self.add_all(told);
        if is_output {
            self.mark_again();
        }
    }

    /// What was ordered does not begin.
    fn forget_ordered(&mut self) {
        if self.work == Work::Ordered {
            self.work = Work::None;
        }
    }

    fn answer(&mut self, answer: Answer) {
        match answer {
            Answer::Opened(opened) => self.opened(&opened),
            Answer::Replaced(seat) => self.seat = seat,
            Answer::TrustAsked { files } => {
                let card = answers::trust(&files);
                self.known.untrusted = files;
                self.say_all(card);
            }
            Answer::NotBegun { .. } => self.work = Work::None,
            other => {
                if matches!(
                    other,
                    Answer::TooLarge { .. } | Answer::Unread { .. } | Answer::NotReviewed(_)
                ) {
                    self.work = Work::None;
                }
                let lines = answers::lines(&mut self.known, other);
                self.say_all(lines);
            }
        }
    }

    fn opened(&mut self, opened: &Opened) {
        self.known = Known {
            todo: opened.todo.clone(),
            plan: opened.plan.as_ref().map(|plan| plan.text.clone()),
            skills: opened
                .skills
                .iter()
                .filter(|skill| commands::invokes(skill))
                .map(|skill| skill.name.clone())
                .collect(),
            confinement: self.known.confinement.take(),
            tools: Arc::clone(&opened.tools),
            zone: self.known.zone.clone(),
            ..Known::default()
        };
        self.is_open = true;
        let told = self.telling.opened(opened);
        self.add_all(told);
        self.say(word(Word::LinearHelps));
    }
}

/// Whether it says what came of a model that was named. It comes when its server answers: what was ordered meanwhile begins all the same.
fn is_about_named_model(notice: &Notice) -> bool {
    matches!(
        notice,
        Notice::ModelUnlisted { .. }
            | Notice::ModelUnchecked { .. }
            | Notice::WindowAssumed { .. }
            | Notice::WindowSmaller { .. }
    )
}

/// A turn that is over says so once more by its last entry.
fn works(state: TurnState) -> bool {
    match state {
        TurnState::Idle | TurnState::Done | TurnState::Error | TurnState::Interrupted | TurnState::Limit => false,
        TurnState::Planning
        | TurnState::Compacting
        | TurnState::Generating
        | TurnState::AwaitingPermission
        | TurnState::ToolRunning
        | TurnState::Validating => true,
    }
}
