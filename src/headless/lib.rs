//! `benchdog run`, and the plain output of `demo`. A run has one prompt and one turn, or the prompts that a program
//! sends. A run uses the engine only through `Command` and `Event`.
//!
//! `Printer` is pure and decides the output. The loop in this module moves events and lines. A pending request that
//! nobody can answer is denied.

mod answers;
mod children;
pub mod exit;
mod findings;
mod input;
pub mod plain;
mod printer;
pub mod schema;
mod session;
pub mod signals;
pub mod words;
mod writing;

use std::collections::VecDeque;
use std::io::Write;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures::{Stream, StreamExt};
use tokio::sync::mpsc;
use tokio::time::Instant;

pub use answers::{Answers, Ask, Decided, Dialog, Program};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::finding::Severity;
use benchdog_domain::permission::Decision;
use benchdog_protocol::{ApprovalRequest, Command, Event, Live, Order, Told};
use exit::Exit;
pub use input::LONGEST as LONGEST_INPUT;
use printer::{Asking, Line, Printer};
pub use session::MOST as MOST_PROMPTS;
use session::{Next, Prompts};
use writing::{Fate, Heard};

/// The reason sent to the model if a call is denied because nobody can approve it.
pub const NOBODY: &str = "nobody is here to answer";

/// Time until a request is denied if neither a person nor a program can answer it.
const UNANSWERED_AFTER: Duration = Duration::from_millis(500);
/// Time until a request is denied if a person or a program can answer it.
pub const PATIENCE: Duration = Duration::from_mins(30);
/// Maximum wait for a reader that does not accept output, after a stop or timeout.
const READER_PATIENCE: Duration = Duration::from_millis(300);
/// Maximum wait for the end of the turn, after a stop or timeout.
const TURN_PATIENCE: Duration = Duration::from_millis(850);
const LINES_PATIENCE: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The answer on stdout, tools and notices on stderr.
    Text,
    /// One JSON object at the end of the turn.
    Json,
    /// One JSON object per line, printed when the event happens.
    StreamJson,
    /// The whole turn as readable lines on stdout, for `demo` without a terminal.
    Plain,
}

pub struct Options {
    pub output: Output,
    /// The prompt. Empty if a program sends the prompts.
    pub prompt: String,
    /// Byte ranges of the prompt in which mentions are ignored.
    pub pasted: Vec<Range<usize>>,
    pub until: Option<Instant>,
    pub review: Option<Review>,
    pub is_quiet: bool,
    pub answers: Answers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Review {
    pub fail_on: Option<Severity>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    pub outcome: TurnOutcome,
    pub exit: Exit,
    /// Whether the engine failed to end the turn in time. The process must then exit without waiting for the engine.
    pub abandoned: bool,
}

pub(crate) type Stops = Pin<Box<dyn Stream<Item = ()> + Send>>;

pub struct Ends {
    pub seat: SeatId,
    pub orders: mpsc::Sender<Order>,
    pub told: mpsc::Receiver<Told>,
}

/// Sends the prompt and prints the turn until it ends. The first stop interrupts the turn, a second one exits.
pub async fn run(
    options: Options,
    engine: Ends,
    stops: Stops,
    out: impl Write + Send + 'static,
    err: impl Write + Send + 'static,
) -> Ending {
    let asking = match &options.answers {
        Answers::Person(_) => Asking::Person,
        answers if answers.are_written() => Asking::Program,
        Answers::Nobody | Answers::Program(_) => Asking::Nobody,
    };
    let printer = Printer::new(options.output, &options.prompt, options.review);
    let mut run = Run {
        printer: printer.asking(asking).quiet(options.is_quiet),
        seat: engine.seat,
        orders: engine.orders,
        pending: VecDeque::new(),
        waiting: Vec::new(),
        answers: options.answers,
        prompts: Prompts::default(),
        lines: VecDeque::new(),
        is_read: true,
        until: options.until,
        asked_to_end: None,
    };
    if !options.prompt.is_empty() {
        run.begin(options.prompt, options.pasted);
    }
    let (writing, fate) = writing::start(out, err);
    run.until_the_end(engine.told, stops, writing, fate).await
}

/// Prints the last lines of a run that failed before it had a session. Scripts expect these lines. The caller prints
/// the error on stderr.
pub fn never_began(output: Output, failure: &Failure<'_>, review: Option<Review>, out: &mut dyn Write) {
    let lines = match output {
        Output::Json | Output::StreamJson => {
            let mut printer = Printer::new(output, "", review);
            printer.cannot_go_on(failure, Time::now())
        }
        Output::Text | Output::Plain => Vec::new(),
    };
    for line in lines {
        // If the reader is gone, the line is lost, but the exit code still shows the result.
        let _ = writeln!(out, "{}", line.text);
    }
    let _ = out.flush();
}

pub fn nothing_to_review(output: Output, out: &mut dyn Write) {
    let mut printer = Printer::new(output, "", Some(Review { fail_on: None }));
    for line in printer.nothing_to_do(Time::now()) {
        let _ = writeln!(out, "{}", line.text);
    }
    let _ = out.flush();
}

#[derive(Debug, Clone, Copy)]
pub struct Failure<'a> {
    pub outcome: TurnOutcome,
    pub code: &'a str,
    pub text: &'a str,
    pub hint: &'a str,
}

struct Run {
    printer: Printer,
    seat: SeatId,
    orders: mpsc::Sender<Order>,
    /// Commands that wait because the engine's channel is full. No input is read until all are sent.
    pending: VecDeque<Command>,
    /// Pending requests, each with the time at which it is denied.
    waiting: Vec<(Arc<ApprovalRequest>, Instant)>,
    answers: Answers,
    prompts: Prompts,
    /// Lines that wait because the writer's channel is full. No event is received from the engine until all are sent.
    lines: VecDeque<Line>,
    is_read: bool,
    until: Option<Instant>,
    asked_to_end: Option<(Instant, TurnOutcome)>,
}

impl Run {
    async fn until_the_end(
        mut self,
        mut told: mpsc::Receiver<Told>,
        mut stops: Stops,
        writing: mpsc::Sender<Line>,
        mut fate: Fate,
    ) -> Ending {
        let mut hears_stops = true;
        loop {
            if self.lines.is_empty()
                && let Next::Leave(ending) = self.next_turn()
            {
                drop(writing);
                return self.leave(ending, stops, fate).await;
            }
            let takes = self.lines.is_empty();
            let retry = !self.pending.is_empty();
            let hears = takes && !retry;
            let unanswered = self.waiting.first().map(|(_, at)| *at);
            let asked = self.asked_to_end;
            let unread = asked.filter(|_| !takes).map(|(since, _)| since + READER_PATIENCE);
            let endless = asked.map(|(since, _)| since + TURN_PATIENCE);
            tokio::select! {
                told = told.recv(), if takes => {
                    let lines = match told {
                        Some(Told { seat, event }) if seat == self.seat => {
                            self.note(&event);
                            self.printer.on(&event, Time::now())
                        }
                        Some(Told { seat, event }) => self.printer.on_child(seat, &event, Time::now()),
                        None => {
                            self.prompts.end_with_the_engine();
                            self.printer.engine_gone(Time::now())
                        }
                    };
                    self.print(lines);
                }
                room = writing.reserve(), if !takes => match (room, self.lines.pop_front()) {
                    (Ok(room), Some(line)) => room.send(line),
                    _ => self.unread(),
                },
                heard = fate.hear(), if self.is_read => {
                    if heard == Heard::Unwritable {
                        self.unread();
                        self.send(Command::Interrupt);
                    }
                }
                said = self.answers.next(), if hears => self.hear(said),
                stop = stops.next(), if hears_stops => match stop {
                    Some(()) if self.prompts.are_idle() => self.leave_between_turns(TurnOutcome::Interrupted),
                    Some(()) if self.ask_to_end(TurnOutcome::Interrupted) => self.abandon(),
                    Some(()) => self.send(Command::Interrupt),
                    None => hears_stops = false,
                },
                () = reached(self.until) => {
                    self.until = None;
                    if self.prompts.are_idle() {
                        self.leave_between_turns(TurnOutcome::Limit);
                        continue;
                    }
                    self.ask_to_end(TurnOutcome::Limit);
                    self.send(Command::OutOfTime);
                }
                () = reached(unread) => self.unread(),
                () = reached(endless) => self.abandon(),
                () = reached(unanswered) => self.deny_the_unanswered(),
                room = room(&self.orders), if retry => {
                    match (room, self.pending.pop_front()) {
                        (Room::Free, Some(command)) => self.send_now(command),
                        _ => self.pending.clear(),
                    }
                }
            }
        }
    }

    /// Records why the turn must end. The first reason stays. Returns whether an interrupt was requested before.
    fn ask_to_end(&mut self, how: TurnOutcome) -> bool {
        let before = self.asked_to_end;
        if before.is_none() {
            self.asked_to_end = Some((Instant::now(), how));
        }
        before.is_some_and(|(_, before)| before == TurnOutcome::Interrupted)
    }

    fn print(&mut self, lines: Vec<Line>) {
        if self.is_read {
            self.lines.extend(lines);
        }
    }

    fn unread(&mut self) {
        self.is_read = false;
        self.lines.clear();
    }

    fn abandon(&mut self) {
        let how = self.asked_to_end.map_or(TurnOutcome::Interrupted, |(_, how)| how);
        let lines = self.printer.abandoned(how, Time::now());
        self.print(lines);
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Live(Live::ApprovalRequested(request)) => {
                let patience = match self.answers.is_present() {
                    true => PATIENCE,
                    false => UNANSWERED_AFTER,
                };
                // A rebuilt request replaces the old one with the same position and deadline.
                match self
                    .waiting
                    .iter_mut()
                    .find(|(waiting, _)| waiting.call == request.call)
                {
                    Some((waiting, _)) => *waiting = Arc::clone(request),
                    None => self.waiting.push((Arc::clone(request), Instant::now() + patience)),
                }
                self.answers.tell(Ask::Request(Arc::clone(request)));
            }
            Event::Live(Live::ApprovalGone { call }) => self.settle(call),
            Event::Fact(entry) => {
                if let Body::Approval { call, .. } | Body::ToolResult { call, .. } = &entry.body {
                    self.settle(call);
                }
            }
            Event::Live(_) | Event::Answer(_) => {}
        }
    }

    fn settle(&mut self, call: &CallId) {
        let before = self.waiting.len();
        self.waiting.retain(|(waiting, _)| waiting.call != *call);
        if self.waiting.len() < before {
            self.answers.tell(Ask::Gone(call.clone()));
        }
    }

    fn deny_the_unanswered(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let (request, _) = self.waiting.remove(0);
        self.answers.tell(Ask::Gone(request.call.clone()));
        self.send(Command::Decide {
            call: request.call.clone(),
            edition: 0,
            decision: Decision::Deny {
                reason: Some(NOBODY.to_owned()),
            },
        });
    }

    fn send(&mut self, command: Command) {
        match self.pending.is_empty() {
            true => self.send_now(command),
            false => self.pending.push_back(command),
        }
    }

    fn send_now(&mut self, command: Command) {
        let seat = self.seat;
        match self.orders.try_send(Order { seat, command }) {
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => {}
            Err(mpsc::error::TrySendError::Full(order)) => self.pending.push_front(order.command),
        }
    }

    /// Waits until the last lines are read or the run must end. If not all lines were read, returns another exit code.
    async fn leave(self, ending: Ending, mut stops: Stops, mut fate: Fate) -> Ending {
        let asked = self.asked_to_end.map(|(_, how)| how);
        let over = asked.map(|_| Instant::now() + LINES_PATIENCE).or(self.until);
        let unread_because = if self.is_read {
            tokio::select! {
                heard = fate.hear() => (heard == Heard::Unwritable).then_some(Exit::Internal),
                Some(()) = stops.next() => Some(Exit::Interrupted),
                () = reached(over) => Some(Exit::Limit),
            }
        } else {
            Some(match asked {
                None => Exit::Internal,
                Some(TurnOutcome::Limit) => Exit::Limit,
                Some(_) => Exit::Interrupted,
            })
        };
        Ending {
            exit: unread_because
                .filter(|_| asked.is_none() || ending.exit == Exit::Done)
                .unwrap_or(ending.exit),
            ..ending
        }
    }
}

pub async fn reached(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    Free,
    Gone,
}

async fn room(orders: &mpsc::Sender<Order>) -> Room {
    match orders.reserve().await {
        Ok(_) => Room::Free,
        Err(_) => Room::Gone,
    }
}

#[cfg(test)]
mod tests;
