//! `benchdog run`, and the plain lines of `demo`: one prompt, one turn, printed. It speaks only `Command` and `Event`.
//!
//! What is printed is decided by `Printer`, a pure machine; the loop here only moves events in and lines out. It never
//! grants anything: an approval that the engine leaves open is denied, because nobody is here to answer.

pub(crate) mod exit;
mod plain;
mod printer;
pub(crate) mod signals;
mod words;

use std::io::{self, Write};
use std::pin::Pin;
use std::time::Duration;

use futures::{Stream, StreamExt};
use tokio::sync::mpsc;

use crate::base::clock::Time;
use crate::base::id::{CallId, SeatId};
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::permission::Decision;
use crate::protocol::{Command, Delivery, Event, Live, Order, Told};
use exit::Exit;
use printer::{Line, Printer, To};

/// How long the engine may take to decide a request by policy before it counts as unanswered.
const UNANSWERED_AFTER: Duration = Duration::from_millis(500);

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
}

/// How the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) outcome: TurnOutcome,
    pub(crate) exit: Exit,
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
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
) -> Ending {
    let mut run = Run {
        printer: Printer::new(options.output, &options.prompt),
        seat: engine.seat,
        orders: engine.orders,
        pending: None,
        waiting: Vec::new(),
        writable: true,
    };
    run.send(Command::Prompt {
        text: options.prompt,
        pasted: Vec::new(),
        delivery: Delivery::Queue,
    });
    run.until_the_end(engine.told, stops, out, err).await
}

/// The last lines of a run that ended before there was a session: scripts get them whatever happens. The words for people go
/// to stderr, and are the caller's.
pub(crate) fn never_began(output: Output, failure: &Failure<'_>, out: &mut dyn Write) {
    let lines = match output {
        Output::Json | Output::StreamJson => {
            let mut printer = Printer::new(output, "");
            printer.cannot_go_on(failure.code, failure.text, failure.hint, Time::now())
        }
        Output::Text | Output::Plain => Vec::new(),
    };
    for line in lines {
        // A reader that is gone needs no last line; the exit code still tells.
        let _ = writeln!(out, "{}", line.text);
    }
    let _ = out.flush();
}

/// What ended a run before it began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failure<'a> {
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
    waiting: Vec<(CallId, tokio::time::Instant)>,
    /// Whether anybody still reads what we write.
    writable: bool,
}

impl Run {
    async fn until_the_end(
        mut self,
        mut told: mpsc::Receiver<Told>,
        mut stops: Stops,
        out: &mut (dyn Write + Send),
        err: &mut (dyn Write + Send),
    ) -> Ending {
        let mut stopped = 0_u32;
        let mut hears_stops = true;
        loop {
            if let Some(ending) = self.printer.ending() {
                return self.leave(ending);
            }
            let retry = self.pending.is_some();
            let unanswered = self.waiting.first().map(|(_, at)| *at);
            tokio::select! {
                told = told.recv() => match told {
                    Some(Told { event, .. }) => {
                        self.note(&event);
                        let lines = self.printer.on(&event, Time::now());
                        self.write(&lines, out, err);
                    }
                    None => {
                        let lines = self.printer.engine_gone(Time::now());
                        self.write(&lines, out, err);
                    }
                },
                stop = stops.next(), if hears_stops => match stop {
                    Some(()) => {
                        stopped += 1;
                        if stopped > 1 {
                            let lines = self.printer.abandoned(Time::now());
                            self.write(&lines, out, err);
                        } else {
                            self.send(Command::Interrupt);
                        }
                    }
                    None => hears_stops = false,
                },
                () = reached(unanswered) => self.deny_the_unanswered(),
                room = room(&self.orders), if retry => {
                    if let Some(command) = self.pending.take().filter(|_| room == Room::Free) {
                        self.send(command);
                    }
                }
            }
        }
    }

    /// Keeps track of the requests somebody has to answer.
    fn note(&mut self, event: &Event) {
        match event {
            Event::Live(Live::ApprovalRequested(request)) => {
                let moment = tokio::time::Instant::now() + UNANSWERED_AFTER;
                self.waiting.push((request.call.clone(), moment));
            }
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
            decision: Decision::Deny {
                reason: Some("nobody is here to answer".to_owned()),
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

    /// A reader that went away (`benchdog run | head`) ends the turn: nobody would see what it does.
    fn write(&mut self, lines: &[Line], out: &mut (dyn Write + Send), err: &mut (dyn Write + Send)) {
        for line in lines {
            let writer: &mut (dyn Write + Send) = match line.to {
                To::Out => &mut *out,
                To::Err => &mut *err,
            };
            let written = writeln!(writer, "{}", line.text).and_then(|()| writer.flush());
            if let Err(error) = written
                && line.to == To::Out
                && self.writable
            {
                self.writable = false;
                // A reader that has seen enough is no mistake; anything else is told.
                if error.kind() != io::ErrorKind::BrokenPipe {
                    let _ = writeln!(err, "{}", words::unwritable(&error));
                }
                self.send(Command::Interrupt);
            }
        }
    }

    fn leave(&self, ending: Ending) -> Ending {
        if self.writable {
            ending
        } else {
            Ending {
                exit: Exit::Internal,
                ..ending
            }
        }
    }
}

/// Ends at `moment`; never, without one.
async fn reached(moment: Option<tokio::time::Instant>) {
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
