//! Bytes to the terminal without ever waiting for it.
//!
//! A terminal that is slow, stopped or gone would hold up whoever writes to it: the engine's events, the keys, even a signal
//! that asks us to end. So what it does not take at once is kept here, and no frame is made until it is taken: the next one
//! then shows how things are, and nothing queues up. `O_NONBLOCK` belongs to the open file and not to the descriptor, and
//! standard output is shared with the shell: the terminal is opened once more for ourselves.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::io::Errno;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Between two attempts where nothing can be awaited.
const PAUSE: Duration = Duration::from_millis(2);

/// How long a terminal that takes nothing is waited for at the end.
const FAREWELL: Duration = Duration::from_millis(500);

/// The terminal, opened for ourselves; standard output where that fails, and then writes may block.
fn terminal() -> BorrowedFd<'static> {
    static OWN: OnceLock<Option<File>> = OnceLock::new();
    let own = OWN.get_or_init(|| {
        ["/proc/self/fd/1", "/dev/tty"].iter().find_map(|path| {
            let mut options = OpenOptions::new();
            let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
            options.write(true).custom_flags(i32::try_from(flags.bits()).ok()?);
            options.open(path).ok().filter(|file| rustix::termios::isatty(file))
        })
    });
    own.as_ref().map_or(rustix::stdio::stdout(), File::as_fd)
}

/// Writes as much as the terminal takes now.
fn write_some(bytes: &[u8]) -> io::Result<usize> {
    loop {
        match rustix::io::write(terminal(), bytes) {
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(0),
            other => return Ok(other?),
        }
    }
}

/// Writes all of it, to give the terminal back. One that takes nothing for too long is left as it is.
pub(super) fn write_farewell(mut bytes: &[u8]) -> io::Result<()> {
    let end = Instant::now() + FAREWELL;
    loop {
        bytes = bytes.get(write_some(bytes)?..).unwrap_or_default();
        if bytes.is_empty() {
            return Ok(());
        }
        if Instant::now() >= end {
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(PAUSE);
    }
}

pub(super) struct Outlet {
    /// Told of by the kernel only while something waits: else each frame would wake us a second time.
    ready: Option<AsyncFd<BorrowedFd<'static>>>,
    /// What the terminal has not taken yet.
    waiting: Vec<u8>,
}

impl Outlet {
    pub(super) fn new() -> Self {
        Self {
            ready: None,
            waiting: Vec::new(),
        }
    }

    /// Whether everything was taken, so that another frame may follow.
    pub(super) fn is_clear(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Drops what is still unwritten: the terminal now belongs to another program.
    pub(super) fn discard(&mut self) {
        self.waiting.clear();
        self.ready = None;
    }

    /// Waits until the terminal takes bytes again, and gives it what waits. May be dropped at any point.
    pub(super) async fn room(&mut self) -> io::Result<()> {
        let ready = match self.ready.take() {
            Some(ready) => ready,
            None => listening()?,
        };
        let mut room = self.ready.insert(ready).writable().await?;
        let count = write_some(&self.waiting)?;
        if count == 0 {
            room.clear_ready();
        }
        self.waiting.drain(..count);
        if self.waiting.is_empty() {
            self.ready = None;
        }
        Ok(())
    }
}

fn listening() -> io::Result<AsyncFd<BorrowedFd<'static>>> {
    #[expect(
        deprecated,
        reason = "the form that does not need `unsafe`; the descriptor is open until the process ends"
    )]
    AsyncFd::with_interest(terminal(), Interest::WRITABLE)
}

impl Write for Outlet {
    /// Takes all of it. In order: nothing overtakes what waits already.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = if self.is_clear() { write_some(bytes)? } else { 0 };
        self.waiting.extend_from_slice(bytes.get(count..).unwrap_or_default());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
