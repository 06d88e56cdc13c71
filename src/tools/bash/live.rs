//! Output while a command runs: whole lines, gathered, some twenty times a second at the most, never waiting for whoever looks.

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

    /// Takes whole lines.
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
        !self.waiting.is_empty()
    }

    /// When the next piece may go out.
    pub(super) fn due(&self) -> Instant {
        self.sent.map_or_else(Instant::now, |sent| sent + PAUSE)
    }

    /// Sends what is there. A full channel keeps it for the next time.
    pub(super) fn flush(&mut self) {
        let text = self.waiting.trim_end_matches('\n');
        if self.waiting.is_empty() {
            return;
        }
        self.sent = Some(Instant::now());
        match self.output.try_send(OutputChunk {
            call: self.call.clone(),
            text: text.to_owned(),
        }) {
            Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => self.waiting.clear(),
            Err(mpsc::error::TrySendError::Full(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests;
