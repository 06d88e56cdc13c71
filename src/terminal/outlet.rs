//! Writes to the terminal without blocking. A slow or stopped terminal would otherwise delay events, keys and signals.
//!
//! Bytes that the terminal does not accept yet are queued, and the next frame waits for them. Benchdog opens the
//! terminal separately, because the flag `O_NONBLOCK` of the inherited handle would also affect the shell.
//!
//! In a host process, the bytes go directly to the attached terminals. The pseudo-terminal would delay each frame.

use std::fs::{File, OpenOptions};
use std::future::poll_fn;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::OnceLock;
use std::task::Poll;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::io::Errno;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use benchdog_detached::host::Host;

const PAUSE: Duration = Duration::from_millis(2);

const FAREWELL: Duration = Duration::from_millis(500);

/// Returns a separately opened handle of the terminal. If that fails, returns standard output, where writes may block.
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

fn write_some(bytes: &[u8]) -> io::Result<usize> {
    loop {
        match rustix::io::write(terminal(), bytes) {
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(0),
            other => return Ok(other?),
        }
    }
}

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
    host: Option<Host>,
    /// The registration for write readiness. Set only while bytes are queued, because it wakes the event loop.
    ready: Option<AsyncFd<BorrowedFd<'static>>>,
    waiting: Vec<u8>,
}

impl Outlet {
    pub(super) fn new(host: Option<Host>) -> Self {
        Self {
            host,
            ready: None,
            waiting: Vec::new(),
        }
    }

    pub(super) fn is_clear(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Drops queued bytes, because another program uses the terminal now.
    pub(super) fn discard(&mut self) {
        self.waiting.clear();
        self.ready = None;
    }

    /// Waits until the terminal accepts bytes, and writes queued bytes. Cancel-safe.
    pub(super) async fn room(&mut self) -> io::Result<()> {
        if let Some(host) = &self.host {
            // The event loop polls the host's events first, and each event wakes this task.
            poll_fn(|_| {
                if host.has_room() {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })
            .await;
            let count = host.show(&self.waiting);
            self.waiting.drain(..count);
            return Ok(());
        }
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
    /// Accepts all bytes. Queues the bytes that the terminal does not accept at once.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = match &self.host {
            _ if !self.is_clear() => 0,
            Some(host) => host.show(bytes),
            None => write_some(bytes)?,
        };
        self.waiting.extend_from_slice(bytes.get(count..).unwrap_or_default());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
