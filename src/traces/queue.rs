//! The queue of lines for the disk. Adding a line never waits. Lines that do not fit are counted and dropped.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::file::LogFile;
use benchdog_base::clock::Time;

/// The maximum number of waiting bytes. A slow disk costs further lines, but no more memory.
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
    /// Dropped lines that the log does not mention yet.
    lost: u64,
    /// Dropped lines that the current write mentions.
    telling: u64,
    phase: Phase,
    /// The first error that prevented a write.
    trouble: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Open,
    /// Waiting lines are written. New ones are refused.
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

    /// Adds a line if there is space. The queue adds the time, so that lines of several threads are in order.
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

    /// Waits for lines and returns all of them. `None` after the end.
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
        // The last line reports dropped lines.
        state.lost += count - u64::from(told > 0);
        state.trouble.get_or_insert_with(|| error.to_string());
    }

    /// Refuses new lines, and waits at most `limit` for the last write. Returns the error that prevented writes.
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
mod tests {
    use std::time::Duration;

    use super::{LogFile, MOST_WAITING, Queue};

    /// The time before a line.
    const STAMP: usize = "2026-11-22T02:43:56.861Z ".len();

    #[test]
    fn a_line_that_finds_no_room_is_counted_and_waits_for_nobody() {
        // Nobody takes lines from it.
        let queue = Queue::default();
        let line = "x".repeat(MOST_WAITING / 4 - STAMP);
        for _ in 0..6 {
            queue.push(&line);
        }
        let state = queue.state();
        assert_eq!((state.waiting.len(), state.lost), (MOST_WAITING, 2));
    }

    #[test]
    fn lines_of_several_threads_stand_in_the_order_of_their_times() {
        let queue = Queue::default();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..2_000).for_each(|_| queue.push("line\n")));
            }
        });
        let lines = String::from_utf8(queue.take().unwrap()).unwrap();
        let times: Vec<&str> = lines.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(times.len() == 16_000 && times.is_sorted());
    }

    #[test]
    fn what_was_lost_is_said_as_soon_as_there_is_room() {
        let queue = Queue::default();
        queue.push(&"x".repeat(MOST_WAITING - STAMP));
        queue.push("too much\n");
        let lines = String::from_utf8(queue.take().unwrap()).unwrap();
        assert!(lines.ends_with(" WARN benchdog_traces: lines lost lines=1\n"));
    }

    #[test]
    fn what_was_lost_is_counted_until_a_disk_has_taken_the_word_of_it() {
        let queue = Queue::default();
        queue.push(&format!("{}\n", "x".repeat(MOST_WAITING - STAMP - 1)));
        queue.push("too much\n");
        let lines = queue.take().unwrap();
        queue.written(&lines, Err(std::io::Error::other("full")));
        assert_eq!(queue.state().lost, 2);
        queue.push("next\n");
        let lines = queue.take().unwrap();
        assert!(String::from_utf8(lines.clone()).unwrap().ends_with("lines=2\n"));
        queue.written(&lines, Ok(()));
        assert_eq!(queue.state().lost, 0);
    }

    #[test]
    fn closing_waits_for_the_last_line_and_says_what_went_wrong() {
        let home = tempfile::tempdir().unwrap();
        let queue = Queue::start(LogFile::new(home.path(), 4_096, 2)).unwrap();
        queue.push("last\n");
        assert_eq!(queue.close(Duration::from_secs(10)), None);
        let log = std::fs::read_to_string(home.path().join("benchdog.log")).unwrap();
        assert_eq!(log.get(STAMP..), Some("last\n"));

        let no_folder = home.path().join("benchdog.log").join("logs");
        let queue = Queue::start(LogFile::new(&no_folder, 4_096, 2)).unwrap();
        queue.push("nowhere\n");
        assert!(queue.close(Duration::from_secs(10)).is_some());
    }

    #[test]
    fn a_disk_that_does_not_answer_holds_up_closing_only_for_its_limit() {
        // Without a thread, nothing is written.
        let queue = Queue::default();
        queue.push("never\n");
        let began = std::time::Instant::now();
        assert!(queue.close(Duration::from_millis(50)).unwrap().contains("in time"));
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}
