//! Commands of the person's own: what they print comes line by line while they run, and is not printed again at their end. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::id::CallId;
use crate::base::text::clean;
use crate::domain::call::SHELL;
use crate::domain::tool::OutputChunk;
use crate::headless::words;
use crate::lang;

/// Lines of one command that are printed while it runs.
pub(crate) const MOST: usize = 200;
/// Lines of the end of one that printed more.
pub(crate) const LAST: usize = 8;

#[derive(Default)]
pub(super) struct Commands {
    /// Those that run, with the lines that were there so far.
    running: BTreeMap<CallId, usize>,
    /// Their end was told before the log has it where the model reads it.
    told: BTreeSet<CallId>,
}

impl Commands {
    pub(super) fn started(&mut self, call: &CallId, tool: &str) {
        if tool == SHELL {
            self.running.insert(call.clone(), 0);
        }
    }

    /// The lines of it that have ended, as far as they are printed. One that has not ended may be a secret not known yet.
    pub(super) fn printed(&mut self, chunk: &OutputChunk) -> Vec<String> {
        let Some(before) = self.running.get_mut(&chunk.call) else {
            return Vec::new();
        };
        let lines = chunk.text.lines().count();
        let room = MOST.saturating_sub(*before);
        let was_room = *before <= MOST;
        *before = before.saturating_add(lines);
        let cut = (*before > MOST && was_room).then(|| lang::goes_on(LAST));
        let text = clean(&chunk.text);
        let shown = text.lines().take(room.min(lines)).map(words::behind_bar);
        shown.chain(cut.as_deref().map(words::behind_bar)).collect()
    }

    /// It is over: how many of its lines were not printed. `None`: nothing of it was.
    pub(super) fn ended(&mut self, call: &CallId) -> Option<usize> {
        let lines = self.running.remove(call).filter(|lines| *lines > 0)?;
        Some(lines.saturating_sub(MOST))
    }

    pub(super) fn tell_once(&mut self, call: &CallId) {
        self.told.insert(call.clone());
    }

    /// Whether its end was told: said once.
    pub(super) fn take_told(&mut self, call: &CallId) -> bool {
        self.told.remove(call)
    }
}

/// The end of what it printed, where so many of its lines were not.
pub(super) fn last(output: &str, left_out: usize) -> Vec<String> {
    let text = clean(output);
    let mut lines: Vec<&str> = text.trim_end().lines().collect();
    let shown = lines.split_off(lines.len().saturating_sub(left_out.min(LAST)));
    shown.into_iter().map(words::behind_bar).collect()
}
