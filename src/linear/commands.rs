//! Prints the output of running commands line by line, and does not repeat it at the end. Pure.

use std::collections::{BTreeMap, BTreeSet};

use benchdog_base::id::CallId;
use benchdog_base::text::clean;
use benchdog_domain::call::{CHECK, SHELL};
use benchdog_domain::tool::OutputChunk;
use benchdog_headless::words;
use benchdog_lang as lang;

/// The maximum number of lines printed while a command of the person runs.
pub const MOST: usize = 200;
/// The number of final lines printed if the output is longer than the maximum.
pub const LAST: usize = 8;

#[derive(Default)]
pub(super) struct Commands {
    running: BTreeMap<CallId, Running>,
    /// Commands whose end was printed before their log entry for the model arrived.
    told: BTreeSet<CallId>,
}

struct Running {
    lines: usize,
    most: usize,
    first: Option<String>,
}

/// The maximum number of lines printed while a command of the model runs.
pub const MOST_OF_MODEL: usize = 20;

impl Commands {
    pub(super) fn started(&mut self, call: &CallId, tool: &str) {
        let most = match tool {
            SHELL => MOST,
            // The output of a check is only printed when the check has ended.
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

    /// Returns complete lines to print. Holds back an incomplete line, because the line may contain part of a secret.
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

    /// Ends a command. Returns how many lines of its output were printed. `None` if the printed lines are not in the
    /// output, for example because they were the progress of a server.
    pub(super) fn ended(&mut self, call: &CallId, output: &str) -> Option<usize> {
        let running = self.running.remove(call)?;
        let first = running.first?;
        let is_of_it = clean(output).lines().any(|line| line == first);
        is_of_it.then(|| running.lines.min(running.most))
    }

    pub(super) fn tell_once(&mut self, call: &CallId) {
        self.told.insert(call.clone());
    }

    pub(super) fn take_told(&mut self, call: &CallId) -> bool {
        self.told.remove(call)
    }
}

/// Returns the last output lines that were not printed, preceded by the number of omitted lines.
pub(super) fn last(output: &str, printed: usize) -> Vec<String> {
    let text = clean(output);
    let mut lines: Vec<&str> = text.trim_end().lines().collect();
    let unseen = lines.len().saturating_sub(printed);
    let shown = lines.split_off(lines.len().saturating_sub(unseen.min(LAST)));
    let left_out = (unseen > LAST).then(|| lang::message::count_more_lines(unseen - LAST));
    let rows = left_out.as_deref().into_iter().chain(shown);
    rows.map(words::behind_bar).collect()
}
