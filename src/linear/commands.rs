//! Commands that run: what they print comes line by line, and is not printed again at their end. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::id::CallId;
use crate::base::text::clean;
use crate::domain::call::{CHECK, SHELL};
use crate::domain::tool::OutputChunk;
use crate::headless::words;
use crate::lang;

/// Lines of one command that are printed while it runs.
pub(crate) const MOST: usize = 200;
/// Lines of the end of one that printed more.
pub(crate) const LAST: usize = 8;

#[derive(Default)]
pub(super) struct Commands {
    running: BTreeMap<CallId, Running>,
    /// Their end was told before the log has it where the model reads it.
    told: BTreeSet<CallId>,
}

/// One that runs.
struct Running {
    /// The lines that were there so far.
    lines: usize,
    /// Of them so many are printed.
    most: usize,
    /// The first of them.
    first: Option<String>,
}

/// Lines of one that the model runs, which the person did not ask to read.
pub(crate) const MOST_OF_MODEL: usize = 20;

impl Commands {
    pub(super) fn started(&mut self, call: &CallId, tool: &str) {
        let most = match tool {
            SHELL => MOST,
            // What it found is told whole.
            CHECK => return,
            _ => MOST_OF_MODEL,
        };
        let running = Running {
            lines: 0,
            most,
            first: None,
        };
        self.running.insert(call.clone(), running);
    }

    /// The lines of it that have ended, as far as they are printed. One that has not ended may be a secret not known yet.
    pub(super) fn printed(&mut self, chunk: &OutputChunk) -> Vec<String> {
        let Some(running) = self.running.get_mut(&chunk.call) else {
            return Vec::new();
        };
        let text = clean(&chunk.text);
        if running.first.is_none() {
            running.first = text.lines().next().map(str::to_owned);
        }
        let Running {
            lines: before, most, ..
        } = running;
        let lines = chunk.text.lines().count();
        let room = most.saturating_sub(*before);
        let was_room = *before <= *most;
        *before = before.saturating_add(lines);
        let cut = (*before > *most && was_room).then(|| lang::goes_on(LAST));
        let shown = text.lines().take(room.min(lines)).map(words::behind_bar);
        shown.chain(cut.as_deref().map(words::behind_bar)).collect()
    }

    /// It is over: how many lines of what came out of it were printed. `None`: nothing of it was, as where a server told of its progress.
    pub(super) fn ended(&mut self, call: &CallId, output: &str) -> Option<usize> {
        let running = self.running.remove(call)?;
        let first = running.first?;
        let is_of_it = clean(output).lines().any(|line| line == first);
        is_of_it.then(|| running.lines.min(running.most))
    }

    pub(super) fn tell_once(&mut self, call: &CallId) {
        self.told.insert(call.clone());
    }

    /// Whether its end was told: said once.
    pub(super) fn take_told(&mut self, call: &CallId) -> bool {
        self.told.remove(call)
    }
}

/// The end of what came out of it, where only so many of its lines are on the paper, and how many are left out. What pours comes while
/// it runs with gaps.
pub(super) fn last(output: &str, printed: usize) -> Vec<String> {
    let text = clean(output);
    let mut lines: Vec<&str> = text.trim_end().lines().collect();
    let unseen = lines.len().saturating_sub(printed);
    let shown = lines.split_off(lines.len().saturating_sub(unseen.min(LAST)));
    let left_out = (unseen > LAST).then(|| lang::more_lines(unseen - LAST));
    let rows = left_out.as_deref().into_iter().chain(shown);
    rows.map(words::behind_bar).collect()
}
