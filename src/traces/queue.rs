//! The queue of log lines for the writer thread. Adding never blocks. Lines that do not fit are dropped.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::file::LogFile;
use benchdog_base::clock::Time;

/// The maximum size of the queue in bytes. If the disk is slow, lines are dropped.
const MOST_WAITING: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    called: Condvar,
    emptied: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<u8>,
    /// The number of dropped lines that no log line has reported yet.
    lost: u64,
    /// The number of dropped lines that the current write reports.
    telling: u64,
    phase: Phase,
    /// The first error that prevented a write.
    trouble: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Open,
    /// Queued lines are still written, but new lines are refused.
    Closing,
    Closed,
}

impl Queue {
    pub(super) fn start(mut file: LogFile) -> io::Result<Arc<Self>> {
        let queue = Arc::new(Self::default());
        let own = Arc::clone(&queue);
        std::thread::Builder::new().name("log".to_owned()).spawn(move || {
            while let Some(lines) = own.take() {
                let written = file.write(&lines);
                own.written(&lines, written);
            }
        })?;
        Ok(queue)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line if there is space. Its time stamp is taken under the lock, so that lines are in order.
    pub(super) fn push(&self, line: &str) {
        let mut state = self.state();
        if state.phase != Phase::Open {
            return;
        }
        let line = format!("{} {line}", Time::now().rfc3339());
        if state.waiting.len() + line.len() > MOST_WAITING {
            state.lost += 1;
            return;
        }
        state.waiting.extend_from_slice(line.as_bytes());
        drop(state);
        self.called.notify_one();
    }

    /// Waits for lines, and returns all queued lines. Returns `None` once the queue is closed and empty.
    pub(super) fn take(&self) -> Option<Vec<u8>> {
        let idle = |state: &mut State| state.waiting.is_empty() && state.phase == Phase::Open;
        let state = self.state();
        let mut state = self
            .called
            .wait_while(state, idle)
            .unwrap_or_else(PoisonError::into_inner);
        if state.waiting.is_empty() {
            state.phase = Phase::Closed;
            self.emptied.notify_all();
            return None;
        }
        let mut lines = std::mem::take(&mut state.waiting);
        if state.lost > 0 {
            let lost = state.lost;
            state.telling = lost;
            let (now, process) = (Time::now().rfc3339(), std::process::id());
            let line = format!("{now} {process}  WARN benchdog_traces: lines lost lines={lost}\n");
            lines.extend_from_slice(line.as_bytes());
        }
        Some(lines)
    }

    fn written(&self, lines: &[u8], written: io::Result<()>) {
        let mut state = self.state();
        let told = std::mem::take(&mut state.telling);
        let Err(error) = written else {
            state.lost -= told;
            return;
        };
        let count = lines.split(|byte| *byte == b'\n').count().saturating_sub(1) as u64;
        // The report about dropped lines is not counted as lost.
        state.lost += count - u64::from(told > 0);
        state.trouble.get_or_insert_with(|| error.to_string());
    }

    /// Refuses new lines, and waits at most `limit` for the last write. Returns the first write error.
    pub(super) fn close(&self, limit: Duration) -> Option<String> {
        let mut state = self.state();
        state.phase = Phase::Closing;
        self.called.notify_one();
        let (mut state, _) = self
            .emptied
            .wait_timeout_while(state, limit, |state| state.phase != Phase::Closed)
            .unwrap_or_else(PoisonError::into_inner);
        let late = state.phase != Phase::Closed;
        let late = late.then(|| "the disk did not take the last lines in time".to_owned());
        state.trouble.take().or(late)
    }
}

#[cfg(test)]
mod tests;
