//! Decides what to print and to send. Pure: takes events, input lines, signals and the time, and returns actions.

mod printed;
mod requests;
mod written;

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::time::Instant;

use super::question::Question;
use super::telling::Telling;
use super::{From, answers};
use benchdog_app::commands;
use benchdog_app::dialogs::sheet::SheetKind;
use benchdog_app::dialogs::trust::TrustCard;
use benchdog_base::clock::Zone;
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::budget::Ledger;
use benchdog_domain::confinement::Confinement;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::job::Job;
use benchdog_domain::notice::Notice;
use benchdog_domain::server::ServerName;
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::{CallStatus, Success, ToolFacts};
use benchdog_domain::waiting::{WaitingPrompt, WaitsFor};
use benchdog_headless::exit::{self, Ended, Exit};
use benchdog_lang::{Word, word};
use benchdog_protocol::{Answer, ApprovalRequest, Command, Event, Live, Opened};
use printed::Streamed;

const MARK: &str = "> ";

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    Print(String),
    Send(Command),
    Leave(Exit),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    None,
    /// A command was sent, and no event has arrived yet.
    Ordered,
    UnderWay,
}

enum Front {
    Printed(Question),
    /// The question is on screen. Input lines answer the question until the deadline.
    Asks(Question, Instant),
}

/// The last known state of the session, for slash commands that print it.
#[derive(Default)]
pub(super) struct Known {
    pub(super) todo: TodoList,
    pub(super) plan: Option<String>,
    pub(super) jobs: Vec<Job>,
    pub(super) ledger: Option<Ledger>,
    pub(super) confinement: Option<Confinement>,
    pub(super) skills: Vec<String>,
    pub(super) untrusted: Option<TrustCard>,
    pub(super) sheet: Option<SheetKind>,
    /// Determines what to print when the status of the servers arrives. `None` prints the servers, `Some(None)` all
    /// tools, and `Some(Some(name))` the tools of one server.
    pub(super) tools_of: Option<Option<ServerName>>,
    tools: Arc<[ToolFacts]>,
    pub(super) zone: Zone,
}

/// The result of the newest turn. If the input is not a terminal, this result determines the exit code.
#[derive(Default)]
struct Ending {
    outcome: Option<TurnOutcome>,
    error: Option<String>,
    denied: bool,
}

pub(super) struct Desk {
    seat: SeatId,
    from: From,
    telling: Telling,
    pub(super) known: Known,
    is_open: bool,
    work: Work,
    queued: bool,
    waiting: VecDeque<Arc<ApprovalRequest>>,
    front: Option<Front>,
    /// The call of the current request, and the deadline for the answer. A rebuilt request keeps the deadline.
    until: Option<(CallId, Instant)>,
    written: Option<String>,
    /// Whether the last printed line has no line break yet.
    line_is_open: bool,
    marked: bool,
    streamed: Streamed,
    stopped: Option<Instant>,
    ending: Ending,
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

    fn is_idle(&self) -> bool {
        self.is_open && self.work == Work::None && !self.queued
    }

    /// Whether to read input lines now. `false` while a question is being printed.
    pub(super) fn hears(&self) -> bool {
        match (self.from, &self.front) {
            (From::Elsewhere, _) => self.is_idle(),
            (From::Terminal, Some(Front::Printed(_))) => false,
            (From::Terminal, Some(Front::Asks(..)) | None) => true,
        }
    }

    /// Whether a question was sent to the writer but is not on screen yet.
    pub(super) fn asks(&self) -> bool {
        matches!(self.front, Some(Front::Printed(_)))
    }

    pub(super) fn unanswered_at(&self) -> Option<Instant> {
        match &self.front {
            Some(Front::Asks(_, until)) => Some(*until),
            Some(Front::Printed(_)) | None => None,
        }
    }

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
            // A call that acts has succeeded after the denial, so the denial did not stop the work.
            CallStatus::Ok if ToolFacts::success_of(&self.known.tools, tool) == Success::Acted => {
                self.ending.denied = false;
            }
            CallStatus::Ok | CallStatus::Error | CallStatus::Cancelled => {}
        }
    }

    /// Returns the exit code. Always success if the input is a terminal, because the person has seen the result.
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
            Live::State(state) if !state.is_rest() => self.work = Work::UnderWay,
            Live::Queued(prompts) => {
                let unsent = |prompt: &&WaitingPrompt| prompt.waits_for == WaitsFor::Person;
                self.queued = !prompts.iter().all(|prompt| unsent(&prompt));
                // Take an unsent prompt back, so that the prompt is printed. No key can restore it later.
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
        // The streamed line does not continue, because the work ended early or the person must answer.
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

    fn forget_ordered(&mut self) {
        if self.work == Work::Ordered {
            self.work = Work::None;
        }
    }

    fn answer(&mut self, answer: Answer) {
        match answer {
            Answer::Opened(opened) => self.opened(&opened),
            Answer::Replaced(seat) => self.seat = seat,
            Answer::TrustAsked { files, repository, .. } => {
                // The hooks and servers whose programs cannot be verified are in the notice, not in this answer.
                let card = TrustCard {
                    files,
                    unbound: Vec::new(),
                    repository,
                };
                self.say_all(card.rows());
                self.known.untrusted = Some(card);
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

/// Whether the notice is about the model that was chosen on the command line. Such a notice may arrive after a command
/// was sent, and does not mean that the command has ended.
fn is_about_named_model(notice: &Notice) -> bool {
    matches!(
        notice,
        Notice::ModelUnlisted { .. }
            | Notice::ModelUnchecked { .. }
            | Notice::WindowAssumed { .. }
            | Notice::WindowSmaller { .. }
    )
}
