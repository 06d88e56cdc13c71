//! The viewer of the program's log. The log is reloaded every second while the viewer is open.

use std::sync::Arc;

use super::viewer::Viewer;
use crate::op::Op;
use benchdog_base::clock::Time;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    Never,
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

    /// Replaces the lines with a newer version of the log. If the end was visible, scrolls to the new end.
    pub(crate) fn read_again(&mut self, text: Result<Arc<str>, String>, now: Time) {
        if self.again != Again::Asked {
            return;
        }
        let first = self.text.is_none();
        let at_end = self.top >= self.last_top;
        self.fill(text);
        if first || at_end {
            self.top = self.lines.len();
        }
        self.again = Again::At(Time(now.0 + EVERY_MS));
    }

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
