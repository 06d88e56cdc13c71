//! Output while a command runs: whole lines, gathered, some twenty times a second at the most, never waiting for whoever looks.
//!
//! Every piece is whole lines, each with its line end; only the very last may lack it, when the command's output does. Beside them stands
//! the line that is not finished, as it is now: a bar that is drawn anew, or a question that nobody can answer and that says why the
//! command hangs. The next piece takes it back.

use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::base::id::CallId;
use crate::domain::tool::OutputChunk;
use crate::tools::size::floor;

const PAUSE: Duration = Duration::from_millis(50);

/// Nobody reads more than this twenty times a second; the result has it all.
const MOST: usize = 4 * 1024;

/// Of a line that is not finished, its end.
const MOST_UNFINISHED: usize = 1024;

pub(super) struct Live {
    call: CallId,
    output: mpsc::Sender<OutputChunk>,
    waiting: String,
    /// The unfinished line as it was sent last.
    shown: String,
    /// Something came since: the unfinished line may be another.
    stirred: bool,
    sent: Option<Instant>,
}

impl Live {
    pub(super) fn new(call: CallId, output: mpsc::Sender<OutputChunk>) -> Self {
        Self {
            call,
            output,
            waiting: String::new(),
            shown: String::new(),
            stirred: false,
            sent: None,
        }
    }

    /// Takes text as it comes. Of more than anybody reads the newest whole lines are kept; of a line that is itself longer, at the most the end.
    pub(super) fn push(&mut self, text: &str) {
        self.stirred = true;
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
        self.stirred
    }

    /// When the next piece may go out.
    pub(super) fn due(&self) -> Instant {
        self.sent.map_or_else(Instant::now, |sent| sent + PAUSE)
    }

    /// Sends the lines that are there, and how the unfinished one stands where that is news. A full channel keeps them for the next time.
    pub(super) fn flush(&mut self, unfinished: &str) {
        self.sent = Some(Instant::now());
        let begins = unfinished.ceil_char_boundary(unfinished.len().saturating_sub(MOST_UNFINISHED));
        let unfinished = unfinished.get(begins..).unwrap_or_default();
        let end = self.waiting.rfind('\n').map_or(0, |end| end + 1);
        self.stirred = (end > 0 || unfinished != self.shown) && !self.send(end, unfinished);
    }

    /// Sends all that is there: no more will come.
    pub(super) fn finish(&mut self) {
        if !self.waiting.is_empty() || !self.shown.is_empty() {
            self.send(self.waiting.len(), "");
        }
    }

    /// Whether nothing of it is left to be sent.
    fn send(&mut self, end: usize, unfinished: &str) -> bool {
        let chunk = OutputChunk {
            call: self.call.clone(),
            text: self.waiting.get(..end).unwrap_or_default().to_owned(),
            unfinished: unfinished.to_owned(),
        };
        if let Err(mpsc::error::TrySendError::Full(_)) = self.output.try_send(chunk) {
            return false;
        }
        self.waiting.drain(..end);
        unfinished.clone_into(&mut self.shown);
        true
    }
}

#[cfg(test)]
mod tests;
