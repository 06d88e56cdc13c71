//! Writes text on another thread, so that a stopped terminal blocks only that thread.

use std::collections::VecDeque;
use std::io::Write;

use tokio::sync::{mpsc, watch};

const WAITING: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unwritable;

pub(super) struct Paper {
    waiting: VecDeque<String>,
    pieces: mpsc::Sender<String>,
    sent: u64,
    written: watch::Receiver<u64>,
}

pub(super) fn start(out: impl Write + Send + 'static) -> Paper {
    let (pieces, arrive) = mpsc::channel(WAITING);
    let (tells, written) = watch::channel(0);
    tokio::task::spawn_blocking(move || write(arrive, &tells, out));
    Paper {
        waiting: VecDeque::new(),
        pieces,
        sent: 0,
        written,
    }
}

impl Paper {
    pub(super) fn print(&mut self, text: String) {
        self.waiting.push_back(text);
    }

    pub(super) fn has_room(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn is_written(&self) -> bool {
        self.waiting.is_empty() && *self.written.borrow() == self.sent
    }

    /// Waits until the writer accepts or finishes a piece of text. Never returns if no piece is left.
    pub(super) async fn goes_on(&mut self) -> Result<(), Unwritable> {
        if self.waiting.is_empty() {
            // Wait even if nothing is queued, because the caller needs to know when the last piece was written.
            return self.written.changed().await.map_err(|_| Unwritable);
        }
        let room = self.pieces.reserve().await.map_err(|_| Unwritable)?;
        if let Some(text) = self.waiting.pop_front() {
            room.send(text);
            self.sent += 1;
        }
        Ok(())
    }

    pub(super) async fn ends(&mut self) -> Result<(), Unwritable> {
        while !self.is_written() {
            self.goes_on().await?;
        }
        Ok(())
    }
}

/// Writes pieces of text until the channel closes. A write error ends the loop, which closes both channels.
fn write(mut arrive: mpsc::Receiver<String>, tells: &watch::Sender<u64>, mut out: impl Write) {
    while let Some(text) = arrive.blocking_recv() {
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
        tells.send_modify(|written| *written += 1);
    }
}

#[cfg(test)]
mod tests;
