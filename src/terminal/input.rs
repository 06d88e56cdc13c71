//! Reads the terminal without a thread. Buffers a lone `Esc` and an unfinished paste until more input or a pause
//! decides their meaning.
//!
//! Reads only while Benchdog owns the terminal, so that Benchdog takes no input of an editor or the shell.

use std::io;
use std::os::fd::BorrowedFd;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::{Instant, timeout_at};

use super::burst::{BURST_WAIT, Burst};
use super::parse::{Input, Parser};

const MOST: usize = 16 * 1024;

pub(super) struct Reader {
    from: AsyncFd<BorrowedFd<'static>>,
    parser: Parser,
    burst: Burst,
    settle_at: Option<Instant>,
    whole_at: Option<Instant>,
    bytes: Box<[u8]>,
    read: Vec<Input>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    Some,
    Closed,
}

impl Reader {
    pub(super) fn new() -> io::Result<Self> {
        #[expect(
            deprecated,
            reason = "the form that does not need `unsafe`; the descriptor is open until the process ends"
        )]
        let from = AsyncFd::with_interest(rustix::stdio::stdin(), Interest::READABLE)?;
        Ok(Self {
            from,
            parser: Parser::default(),
            burst: Burst::default(),
            settle_at: None,
            whole_at: None,
            bytes: vec![0; MOST].into_boxed_slice(),
            read: Vec::new(),
        })
    }

    pub(super) async fn next(&mut self, out: &mut Vec<Input>) -> io::Result<Read> {
        let Some(at) = [self.settle_at, self.whole_at].into_iter().flatten().min() else {
            return self.fill(out).await;
        };
        match timeout_at(at, self.fill(out)).await {
            Ok(read) => read,
            Err(_) => {
                self.settle(at, out);
                Ok(Read::Some)
            }
        }
    }

    fn settle(&mut self, now: Instant, out: &mut Vec<Input>) {
        if self.settle_at.is_some_and(|at| at <= now) {
            self.parser.settle(&mut self.read);
            self.burst.take(&mut self.read, out);
            self.settle_at = self.parser.patience().map(|patience| now + patience);
        }
        if self.whole_at.is_some_and(|at| at <= now) {
            self.burst.settle(out);
            self.whole_at = None;
        }
    }

    pub(super) fn end_burst(&mut self, out: &mut Vec<Input>) {
        self.burst.settle(out);
        self.whole_at = None;
    }

    async fn fill(&mut self, out: &mut Vec<Input>) -> io::Result<Read> {
        loop {
            let mut ready = self.from.readable().await?;
            // Ask for the number of available bytes before reading, so that the read never blocks. The terminal must
            // stay in blocking mode, because the shell shares this setting.
            let waiting = match rustix::io::ioctl_fionread(self.from.get_ref()) {
                Ok(waiting) => waiting,
                Err(rustix::io::Errno::IO) => return Ok(Read::Closed),
                Err(error) => return Err(error.into()),
            };
            if waiting == 0 {
                if ready.ready().is_read_closed() {
                    return Ok(Read::Closed);
                }
                ready.clear_ready();
                continue;
            }
            let count = match rustix::io::read(self.from.get_ref(), &mut *self.bytes) {
                Ok(0) => return Ok(Read::Closed),
                Ok(count) => count,
                Err(rustix::io::Errno::INTR) => continue,
                Err(rustix::io::Errno::IO) => return Ok(Read::Closed),
                Err(error) => return Err(error.into()),
            };
            if u64::try_from(count).is_ok_and(|count| count >= waiting) {
                // Later input sets the readiness again.
                ready.clear_ready();
            }
            let bytes = std::mem::take(&mut self.bytes);
            self.feed(bytes.get(..count).unwrap_or_default(), out);
            self.bytes = bytes;
            return Ok(Read::Some);
        }
    }

    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Vec<Input>) {
        self.parser.feed(bytes, &mut self.read);
        self.burst.take(&mut self.read, out);
        let now = Instant::now();
        self.settle_at = self.parser.patience().map(|patience| now + patience);
        self.whole_at = self.burst.is_held().then(|| now + BURST_WAIT);
    }
}
