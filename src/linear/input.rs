//! Input lines from a person at a terminal, or from a file or program.

use std::io::{self, BufRead, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::QueueSelector;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc;

use super::From;

/// The maximum line length in bytes. Terminals limit lines to 4,095.
pub const LONGEST: u64 = 1024 * 1024;

/// Pause before checking for more input to discard. Needed because a paste arrives in pieces. `MOST_PAUSES` limits the
/// number of pauses, because a stream may never end.
const PAUSE: Duration = Duration::from_millis(50);
const MOST_PAUSES: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Read {
    Line(String),
    /// The line is longer than `LONGEST`. The line is ignored, and no further input is read.
    TooLong,
    End,
}

pub(super) enum Input {
    Terminal {
        lines: AsyncFd<OwnedFd>,
        /// Input without a line break. The terminal delivers such input when the person presses Ctrl+D within a line.
        begun: Vec<u8>,
    },
    Elsewhere(mpsc::Receiver<io::Result<Read>>),
}

impl Input {
    pub(super) fn new(from: From) -> io::Result<Self> {
        match from {
            From::Terminal => Self::of(io::stdin().as_fd().try_clone_to_owned()?),
            From::Elsewhere => {
                let (sends, lines) = mpsc::channel(1);
                tokio::task::spawn_blocking(move || read_on(&sends));
                Ok(Self::Elsewhere(lines))
            }
        }
    }

    pub(super) fn of(terminal: OwnedFd) -> io::Result<Self> {
        #[expect(deprecated, reason = "the form that does not need `unsafe`; the descriptor is owned")]
        let lines = AsyncFd::with_interest(terminal, Interest::READABLE)?;
        Ok(Self::Terminal {
            lines,
            begun: Vec::new(),
        })
    }

    /// Returns the next line. Cancel-safe. A terminal is read only while this future is polled.
    pub(super) async fn next(&mut self) -> io::Result<Read> {
        match self {
            Self::Terminal { lines, begun } => typed(lines, begun).await,
            Self::Elsewhere(lines) => match lines.recv().await {
                Some(read) => read,
                None => Ok(Read::End),
            },
        }
    }

    /// Discards all input so far, including the rest of a paste. Returns whether a whole line was discarded.
    pub(super) async fn forget_all(&mut self) -> io::Result<bool> {
        let mut early = self.forget()?;
        for _ in 0..MOST_PAUSES {
            tokio::time::sleep(PAUSE).await;
            if !self.forget()? {
                break;
            }
            early = true;
        }
        Ok(early)
    }

    fn forget(&mut self) -> io::Result<bool> {
        let Self::Terminal { lines, begun } = self else {
            return Ok(false);
        };
        let terminal = lines.get_ref();
        let early = has_line(terminal)?;
        begun.clear();
        rustix::termios::tcflush(terminal, QueueSelector::IFlush)?;
        Ok(early)
    }
}

async fn typed(lines: &AsyncFd<OwnedFd>, begun: &mut Vec<u8>) -> io::Result<Read> {
    // A read from a terminal returns one line.
    let mut bytes = [0_u8; 4096];
    loop {
        let mut ready = lines.readable().await?;
        // Read only if a line is available, so that the read never blocks. The shell shares the blocking mode of the
        // terminal, so the mode must not change.
        if !has_line(lines.get_ref())? {
            ready.clear_ready();
            continue;
        }
        let count = match rustix::io::read(lines.get_ref(), &mut bytes) {
            Ok(count) => count,
            Err(rustix::io::Errno::INTR) => continue,
            // The terminal was closed.
            Err(rustix::io::Errno::IO) => 0,
            Err(error) => return Err(error.into()),
        };
        if count == 0 {
            return Ok(Read::End);
        }
        begun.extend(bytes.iter().take(count));
        if begun.ends_with(b"\n") {
            return Ok(Read::Line(text(&std::mem::take(begun))));
        }
        if begun.len() as u64 >= LONGEST {
            return Ok(Read::TooLong);
        }
    }
}

fn has_line(terminal: &OwnedFd) -> io::Result<bool> {
    let mut asked = [PollFd::new(terminal, PollFlags::IN)];
    match poll(&mut asked, Some(&Timespec::default())) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches(['\n', '\r']).to_owned()
}

/// Reads lines on a separate thread, at most one line ahead of the consumer.
fn read_on(sends: &mpsc::Sender<io::Result<Read>>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let read = match read {
            Ok(0) => return,
            Ok(_) if line.len() as u64 >= LONGEST && !line.ends_with(b"\n") => Ok(Read::TooLong),
            Ok(_) => Ok(Read::Line(text(&line))),
            Err(error) => Err(error),
        };
        let goes_on = matches!(read, Ok(Read::Line(_)));
        if sends.blocking_send(read).is_err() || !goes_on {
            return;
        }
    }
}
