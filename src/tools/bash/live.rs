//! Output while a command runs: whole lines, gathered, some twenty times a second at the most, never waiting for whoever looks.
//!
//! Every piece is whole lines, each with its line end; only the very last may lack it, when the command's output does. A line that is not
//! finished waits until it is: nobody can answer a prompt, and half a line, shown, would have to be taken back.

use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::base::id::CallId;
use crate::domain::tool::OutputChunk;
use crate::tools::size::floor;

const PAUSE: Duration = Duration::from_millis(50);

/// Nobody reads more than this twenty times a second; the result has it all.
const MOST: usize = 4 * 1024;

pub(super) struct Live {
    call: CallId,
    output: mpsc::Sender<OutputChunk>,
    waiting: String,
    sent: Option<Instant>,
}

impl Live {
    pub(super) fn new(call: CallId, output: mpsc::Sender<OutputChunk>) -> Self {
        Self {
            call,
            output,
            waiting: String::new(),
            sent: None,
        }
    }

    /// Takes text as it comes. Of more than anybody reads the newest whole lines are kept; of a line that is itself longer, at the most the end.
    pub(super) fn push(&mut self, text: &str) {
        self.waiting.push_str(text);
        if self.waiting.len() > MOST {
            let cut = floor(&self.waiting, self.waiting.len() - MOST);
            let line = self
                .waiting
                .get(cut..)
                .and_then(|rest| rest.find('\n'))
                .map_or(cut, |at| cut + at + 1);
            self.waiting.drain(..line.min(self.waiting.len()));
        }
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.waiting.contains('\n')
    }

    /// When the next piece may go out.
    pub(super) fn due(&self) -> Instant {
        self.sent.map_or_else(Instant::now, |sent| sent + PAUSE)
    }

    /// Sends the lines that are there. A full channel keeps them for the next time.
    pub(super) fn flush(&mut self) {
        self.sent = Some(Instant::now());
        if let Some(end) = self.waiting.rfind('\n') {
            self.send(end + 1);
        }
    }

    /// Sends all that is there: no more will come.
    pub(super) fn finish(&mut self) {
        if !self.waiting.is_empty() {
            self.send(self.waiting.len());
        }
    }

    fn send(&mut self, end: usize) {
        self.sent = Some(Instant::now());
        match self.output.try_send(OutputChunk {
            call: self.call.clone(),
            text: self.waiting.get(..end).unwrap_or_default().to_owned(),
        }) {
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => drop(self.waiting.drain(..end)),
            Err(mpsc::error::TrySendError::Full(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests;
