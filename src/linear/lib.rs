//! Linear mode: the workbench as plain lines, for terminals without a movable cursor and for screen readers. Linear
//! mode prints no escape sequences. The terminal edits the input line.
//!
//! `Desk` is pure and decides what is printed and sent. This file contains the loop for events, lines and signals. Only
//! a terminal line begun after a request was printed can decide the request. A request without an answer is denied.

mod answers;
mod ask;
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

pub use ask::{dialog, terminal};
use benchdog_base::clock::Zone;
use benchdog_base::id::SeatId;
use benchdog_headless::exit::Exit;
use benchdog_headless::reached;
use benchdog_protocol::{Order, Told};
pub use commands::{LAST as LAST_OF_COMMAND, MOST as MOST_OF_COMMAND, MOST_OF_MODEL};
use desk::{Act, Desk};
pub use input::LONGEST as LONGEST_LINE;
use input::{Input, Read};
pub use question::PAGE;
use signals::{Signal, Signals};
pub use telling::SHOWN_LINES;
use writing::Paper;

const LAST_LINES: Duration = Duration::from_secs(1);

const WHOLE_LINE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// A person, who can decide requests.
    Terminal,
    /// A file or another program, which cannot decide requests.
    Elsewhere,
}

pub struct Session {
    pub seat: SeatId,
    pub orders: mpsc::Sender<Order>,
    pub told: mpsc::Receiver<Told>,
    pub prompt: Option<String>,
    pub from: From,
}

pub async fn run(session: Session, out: impl io::Write + Send + 'static) -> io::Result<Exit> {
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
    outbox: VecDeque<Order>,
    paper: Paper,
    input: Input,
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
                    // The result could not be written, so the exit code must not be success.
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

    /// Called when all output was printed. If a question is waiting, discards the input that was typed before the
    /// question. Returns whether there is more to print.
    async fn all_is_read(&mut self) -> io::Result<bool> {
        if self.desk.asks() {
            let early = self.input.forget_all().await?;
            self.desk.question_is_read(early, Instant::now());
            return Ok(true);
        }
        Ok(self.desk.marks())
    }
}
