//! The last lines of the program's log, read again each second while they are on screen.

use std::sync::Arc;

use super::viewer::Viewer;
use crate::app::op::Op;
use crate::base::clock::Time;

/// When the lines that are shown are read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// They do not change.
    Never,
    /// They are being read.
    Asked,
    At(Time),
}

const EVERY_MS: i64 = 1_000;

impl Viewer {
    pub(crate) fn of_log(title: String) -> Self {
        Self {
            again: Again::Asked,
            ..Self::new(title)
        }
    }

    pub(crate) fn is_log(&self) -> bool {
        self.again != Again::Never
    }

    /// Takes the lines as they are now. Whoever looks at the last one goes on looking at the last one.
    pub(crate) fn read_again(&mut self, text: Result<Arc<str>, String>, now: Time) {
        if self.again != Again::Asked {
            return;
        }
        let first = self.text.is_none();
        let at_end = self.top >= self.last_top;
        self.fill(text);
        if first || at_end {
            // The next picture takes it to the last line.
            self.top = self.lines.len();
        }
        self.again = Again::At(Time(now.0 + EVERY_MS));
    }

    /// Asks for the lines once more where it is time.
    pub(crate) fn due(&mut self, now: Time) -> Option<Op> {
        let is_due = matches!(self.again, Again::At(at) if at <= now);
        is_due.then(|| {
            self.again = Again::Asked;
            Op::ReadLog
        })
    }

    pub(crate) fn wakes_at(&self) -> Option<Time> {
        match self.again {
            Again::At(at) => Some(at),
            Again::Never | Again::Asked => None,
        }
    }
}
