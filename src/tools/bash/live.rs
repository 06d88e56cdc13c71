//! Live output of a running command, sent at most twenty times per second without blocking. Sends complete lines. Also
//! sends the incomplete last line, which may be a progress bar or a prompt, and which the next chunk replaces.

use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::size::floor;
use benchdog_base::id::CallId;
use benchdog_domain::tool::OutputChunk;

const PAUSE: Duration = Duration::from_millis(50);

/// Maximum bytes of a chunk. If there is more output, older lines are dropped. The call's result still contains
/// everything.
const MOST: usize = 4 * 1024;

/// Maximum bytes to send from the end of the incomplete line.
const MOST_UNFINISHED: usize = 1024;

pub(super) struct Live {
    call: CallId,
    output: mpsc::Sender<OutputChunk>,
    waiting: String,
    /// The incomplete line that was sent last.
    shown: String,
    /// Whether there is output that was not sent yet.
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

    /// Adds text. If more than `MOST` bytes are unsent, keeps only the newest complete lines.
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

    pub(super) fn due(&self) -> Instant {
        self.sent.map_or_else(Instant::now, |sent| sent + PAUSE)
    }

    /// Sends complete lines and a changed incomplete line. If the channel is full, keeps them for the next call.
    pub(super) fn flush(&mut self, unfinished: &str) {
        self.sent = Some(Instant::now());
        let begins = unfinished.ceil_char_boundary(unfinished.len().saturating_sub(MOST_UNFINISHED));
        let unfinished = unfinished.get(begins..).unwrap_or_default();
        let end = self.waiting.rfind('\n').map_or(0, |end| end + 1);
        self.stirred = (end > 0 || unfinished != self.shown) && !self.send(end, unfinished);
    }

    pub(super) fn finish(&mut self) {
        if !self.waiting.is_empty() || !self.shown.is_empty() {
            self.send(self.waiting.len(), "");
        }
    }

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
