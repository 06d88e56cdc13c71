//! `benchdog run`, and the plain lines of `demo`: one prompt, one turn, printed. It speaks only `Command` and `Event`.
//!
//! What is printed is decided by `Printer`, a pure machine; the loop here only moves events in and lines out. It never
//! grants anything: an approval that the engine leaves open is denied, because nobody is here to answer.

mod children;
pub(crate) mod exit;
mod findings;
pub(crate) mod plain;
mod printer;
pub(crate) mod signals;
pub(crate) mod words;
mod writing;

use std::collections::VecDeque;
use std::io::Write;
use std::ops::Range;
use std::pin::Pin;
use std::time::Duration;

use futures::{Stream, StreamExt};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::base::clock::Time;
use crate::base::id::{CallId, SeatId};
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::finding::Severity;
use crate::domain::permission::Decision;
use crate::protocol::{Command, Delivery, Event, Live, Order, Told};
use exit::Exit;
use printer::{Line, Printer};
use writing::{Fate, Heard};

/// The reason of a denial where nobody answered; the model reads it.
pub(crate) const NOBODY: &str = "nobody is here to answer";

/// How long the engine may take to decide a request by policy before it counts as unanswered.
const UNANSWERED_AFTER: Duration = Duration::from_millis(500);
/// How long after a stop, or after its time, a run waits for a reader who does not read.
const READER_PATIENCE: Duration = Duration::from_millis(300);
/// How long it then waits for its turn to end.
const TURN_PATIENCE: Duration = Duration::from_millis(850);
/// How long the last lines may take from then on.
const LINES_PATIENCE: Duration = Duration::from_millis(50);

/// What is printed, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// The answer on stdout, tools and notices on stderr.
    Text,
    /// One object when the turn has ended.
    Json,
    /// One object a line, as things happen.
    StreamJson,
    /// The whole turn as readable lines on stdout, for `demo` without a terminal.
    Plain,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) output: Output,
    pub(crate) prompt: String,
    /// The bytes of it in which nothing names a file.
    pub(crate) pasted: Vec<Range<usize>>,
    /// When its time is over.
    pub(crate) until: Option<Instant>,
    /// Changed files are looked at.
    pub(crate) review: Option<Review>,
}

/// What is asked of a look at changed files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Review {
    /// From this severity on a finding fails it.
    pub(crate) fail_on: Option<Severity>,
}

/// How the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) outcome: TurnOutcome,
    pub(crate) exit: Exit,
    /// The engine did not end the turn in time, so it is not to be waited for.
    pub(crate) abandoned: bool,
}

/// Something that asks the run to stop: an interrupt from the keyboard or a signal.
pub(crate) type Stops = Pin<Box<dyn Stream<Item = ()> + Send>>;

/// The ends of the engine's channels.
pub(crate) struct Ends {
    pub(crate) seat: SeatId,
    pub(crate) orders: mpsc::Sender<Order>,
    pub(crate) told: mpsc::Receiver<Told>,
}

/// Sends the prompt and prints the turn until it has ended. The first stop interrupts the turn, a second one leaves at once.
pub(crate) async fn run(
    options: Options,
    engine: Ends,
    stops: Stops,
    out: impl Write + Send + 'static,
    err: impl Write + Send + 'static,
) -> Ending {
    let mut run = Run {
        printer: Printer::new(options.output, &options.prompt, options.review),
        seat: engine.seat,
        orders: engine.orders,
        pending: None,
        waiting: Vec::new(),
        lines: VecDeque::new(),
        is_read: true,
        until: options.until,
        asked_to_end: None,
    };
    run.send(Command::Prompt {
        text: options.prompt,
        pasted: options.pasted,
        delivery: Delivery::Queue,
    });
    let (writing, fate) = writing::start(out, err);
    run.until_the_end(engine.told, stops, writing, fate).await
}

/// The last lines of a run that ended before there was a session: scripts get them whatever happens. The words for people go
/// to stderr, and are the caller's.
pub(crate) fn never_began(output: Output, failure: &Failure<'_>, review: Option<Review>, out: &mut dyn Write) {
    let lines = match output {
        Output::Json | Output::StreamJson => {
            let mut printer = Printer::new(output, "", review);
            printer.cannot_go_on(failure, Time::now())
        }
        Output::Text | Output::Plain => Vec::new(),
    };
    for line in lines {
        // A reader that is gone needs no last line; the exit code still tells.
        let _ = writeln!(out, "{}", line.text);
    }
    let _ = out.flush();
}

/// The last lines of a look at changed files where none changed.
pub(crate) fn nothing_to_review(output: Output, out: &mut dyn Write) {
    let mut printer = Printer::new(output, "", Some(Review { fail_on: None }));
    for line in printer.nothing_to_do(Time::now()) {
        // A reader that is gone needs no last line; the exit code still tells.
        let _ = writeln!(out, "{}", line.text);
    }
    let _ = out.flush();
}

/// What ended a run before it began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failure<'a> {
    pub(crate) outcome: TurnOutcome,
    pub(crate) code: &'a str,
    pub(crate) text: &'a str,
    pub(crate) hint: &'a str,
}

struct Run {
    printer: Printer,
    seat: SeatId,
    orders: mpsc::Sender<Order>,
    /// A command that did not fit; nothing here needs more than the newest one.
    pending: Option<Command>,
    /// Requests that the engine has not decided yet, with the moment they count as unanswered.
    waiting: Vec<(CallId, Instant)>,
    /// Lines that wait for room. Until they have it, nothing more is taken from the engine.
    lines: VecDeque<Line>,
    /// Whether anybody still reads what we write.
    is_read: bool,
    /// `--timeout`, until it is over.
    until: Option<Instant>,
    /// Since when the turn is to end, and how.
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
                && let Some(ending) = self.printer.ending()
            {
                drop(writing);
                return self.leave(ending, stops, fate).await;
            }
            let takes = self.lines.is_empty();
            let retry = self.pending.is_some();
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
                        None => self.printer.engine_gone(Time::now()),
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
                stop = stops.next(), if hears_stops => match stop {
                    Some(()) if self.ask_to_end(TurnOutcome::Interrupted) => self.abandon(),
                    Some(()) => self.send(Command::Interrupt),
                    None => hears_stops = false,
                },
                () = reached(self.until) => {
                    self.until = None;
                    self.ask_to_end(TurnOutcome::Limit);
                    self.send(Command::OutOfTime);
                }
                () = reached(unread) => self.unread(),
                () = reached(endless) => self.abandon(),
                () = reached(unanswered) => self.deny_the_unanswered(),
                room = room(&self.orders), if retry => {
                    if let Some(command) = self.pending.take().filter(|_| room == Room::Free) {
                        self.send(command);
                    }
                }
            }
        }
    }

    /// Asks the turn to end. Says whether a stop had asked before.
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

    /// Nobody reads; the turn ends without being seen.
    fn unread(&mut self) {
        self.is_read = false;
        self.lines.clear();
    }

    fn abandon(&mut self) {
        let how = self.asked_to_end.map_or(TurnOutcome::Interrupted, |(_, how)| how);
        let lines = self.printer.abandoned(how, Time::now());
        self.print(lines);
    }

    /// Keeps track of the requests somebody has to answer.
    fn note(&mut self, event: &Event) {
        match event {
            Event::Live(Live::ApprovalRequested(request)) => {
                let moment = Instant::now() + UNANSWERED_AFTER;
                self.waiting.push((request.call.clone(), moment));
            }
            Event::Live(Live::ApprovalGone { call }) => self.waiting.retain(|(waiting, _)| waiting != call),
            Event::Fact(entry) => {
                if let Body::Approval { call, .. } | Body::ToolResult { call, .. } = &entry.body {
                    self.waiting.retain(|(waiting, _)| waiting != call);
                }
            }
            Event::Live(_) | Event::Answer(_) => {}
        }
    }

    fn deny_the_unanswered(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let (call, _) = self.waiting.remove(0);
        self.send(Command::Decide {
            call,
            edition: 0,
            decision: Decision::Deny {
                reason: Some(NOBODY.to_owned()),
            },
        });
    }

    /// Never waits: what does not fit is kept and sent when there is room.
    fn send(&mut self, command: Command) {
        let seat = self.seat;
        match self.orders.try_send(Order { seat, command }) {
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => {}
            Err(mpsc::error::TrySendError::Full(order)) => self.pending = Some(order.command),
        }
    }

    /// Waits for the reader of the last lines, as long as nobody wants the run to end. Where they were not read, the
    /// exit code says why.
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

/// Ends at `moment`; never, without one.
pub(crate) async fn reached(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    Free,
    /// The engine does not listen any more.
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
