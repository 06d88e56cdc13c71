//! The workbench as lines, for terminals that place no cursor and for screen readers: text behind text, and no escape
//! sequence at all. The terminal itself edits the line that is written.
//!
//! `Desk` decides purely what is printed and what is ordered; the loop here moves events, lines and signals. A request is decided
//! only by a line from a terminal that was begun after the request was on paper, and by nobody else: no answer is a no.

mod answers;
mod commands;
mod desk;
mod input;
mod question;
mod signals;
mod slash;
mod telling;
#[cfg(test)]
mod tests;
mod writing;

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::base::clock::Zone;
use crate::base::id::SeatId;
use crate::headless::exit::Exit;
use crate::headless::reached;
use crate::protocol::{Order, Told};
pub(crate) use commands::{LAST as LAST_OF_COMMAND, MOST as MOST_OF_COMMAND, MOST_OF_MODEL};
pub(crate) use desk::requests::PATIENCE;
use desk::{Act, Desk};
pub(crate) use input::LONGEST as LONGEST_LINE;
use input::{Input, Read};
pub(crate) use question::PAGE;
use signals::{Signal, Signals};
pub(crate) use telling::SHOWN_LINES;
use writing::Paper;

/// How long the last lines may take.
const LAST_LINES: Duration = Duration::from_secs(1);

/// How long a line of an answer is kept back until its end comes.
const WHOLE_LINE: Duration = Duration::from_secs(2);

/// Where lines come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// A person, who can decide.
    Terminal,
    /// A file or another program, which cannot.
    Elsewhere,
}

/// The ends of the engine's channels.
pub(crate) struct Session {
    pub(crate) seat: SeatId,
    pub(crate) orders: mpsc::Sender<Order>,
    pub(crate) told: mpsc::Receiver<Told>,
    /// What is asked first.
    pub(crate) prompt: Option<String>,
    pub(crate) from: From,
}

pub(crate) async fn run(session: Session, out: impl io::Write + Send + 'static) -> io::Result<Exit> {
    let mut desk = Desk::new(session.seat, session.from);
    desk.known.zone = Zone::of_this_machine();
    if let Some(prompt) = &session.prompt {
        desk.first(prompt);
    }
    let driver = Driver {
        desk,
        orders: session.orders,
        outbox: VecDeque::new(),
        paper: writing::start(out),
        input: Input::new(session.from)?,
        kept_until: None,
        signals: Signals::new()?,
    };
    driver.until_the_end(session.told).await
}

struct Driver {
    desk: Desk,
    orders: mpsc::Sender<Order>,
    /// Orders that wait for room.
    outbox: VecDeque<Order>,
    paper: Paper,
    input: Input,
    /// When a line that is kept back is printed as far as it goes.
    kept_until: Option<Instant>,
    signals: Signals,
}

impl Driver {
    async fn until_the_end(mut self, mut told: mpsc::Receiver<Told>) -> io::Result<Exit> {
        loop {
            if let Some(exit) = self.act() {
                let written = tokio::time::timeout(LAST_LINES, self.paper.ends()).await;
                return Ok(match written {
                    Ok(Ok(())) => exit,
                    // Nobody read how it ended, so the exit code does not tell that all went well.
                    Ok(Err(_)) | Err(_) => Exit::Internal,
                });
            }
            if self.paper.is_written() && self.all_is_read().await? {
                continue;
            }
            let takes = self.paper.has_room();
            let hears = self.desk.hears() && self.paper.is_written();
            let sends = !self.outbox.is_empty();
            let unanswered = self.desk.unanswered_at();
            let kept = self.desk.keeps_back();
            self.kept_until = kept.then(|| self.kept_until.unwrap_or_else(|| Instant::now() + WHOLE_LINE));
            let kept_until = self.kept_until;
            tokio::select! {
                told = told.recv(), if takes => match told {
                    Some(Told { seat, event }) => self.desk.event(seat, event),
                    None => return Ok(Exit::Internal),
                },
                read = self.input.next(), if hears => match read? {
                    Read::Line(line) => self.desk.line(&line),
                    Read::TooLong => self.desk.too_long(),
                    Read::End => self.desk.end_of_input(),
                },
                written = self.paper.goes_on() => if written.is_err() {
                    return Ok(Exit::Internal);
                },
                signal = self.signals.next() => match signal {
                    Signal::Interrupt => self.desk.stop(Instant::now()),
                    Signal::End => return Ok(Exit::Interrupted),
                },
                () = reached(unanswered) => self.desk.unanswered(),
                () = reached(kept_until) => self.desk.prints_kept_back(),
                room = self.orders.clone().reserve_owned(), if sends => {
                    if let (Ok(room), Some(order)) = (room, self.outbox.pop_front()) {
                        room.send(order);
                    }
                }
            }
        }
    }

    /// Does what the desk decided.
    fn act(&mut self) -> Option<Exit> {
        for act in self.desk.take_acts() {
            match act {
                Act::Print(text) => self.paper.print(text),
                Act::Send(command) => self.outbox.push_back(Order {
                    seat: self.desk.seat(),
                    command,
                }),
                Act::Leave(exit) => return Some(exit),
            }
        }
        None
    }

    /// Everything is on paper: what was typed up to now was typed before a question that stands there. Whether more is printed.
    async fn all_is_read(&mut self) -> io::Result<bool> {
        if self.desk.asks() {
            let early = self.input.forget_all().await?;
            self.desk.question_is_read(early, Instant::now());
            return Ok(true);
        }
        Ok(self.desk.marks())
    }
}
