//! A non-blocking descriptor that an event loop waits for.

use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::task::Context;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A descriptor that is registered with the runtime at the first wait, because a host is created before the runtime.
/// Write readiness is registered only while it is wanted. Otherwise, each read at the other end would wake this
/// process.
#[derive(Debug)]
pub(crate) struct Source<T: AsRawFd> {
    of: Arc<T>,
    watched: Option<(Interest, AsyncFd<Arc<T>>)>,
}

impl<T: AsRawFd> Source<T> {
    pub(crate) fn new(of: T) -> Self {
        Self {
            of: Arc::new(of),
            watched: None,
        }
    }

    /// Returns the descriptor. Operations on it do not change what the event loop waits for.
    pub(crate) fn get(&self) -> &T {
        &self.of
    }

    /// Stops watching, so that the descriptor can be used after the end of the runtime.
    pub(crate) fn unwatch(&mut self) {
        self.watched = None;
    }

    /// Reads from a socket into `bytes`. After `WouldBlock`, the next wait lasts until there is input.
    pub(crate) fn read(&self, bytes: &mut [u8], read: fn(&T, &mut [u8]) -> io::Result<usize>) -> io::Result<usize> {
        let most = bytes.len();
        let count = self.attempt(Interest::READABLE, |of| read(of, bytes))?;
        if count > 0 && count < most {
            // All input was read, so clear the readiness. Later input sets the readiness again.
            let nothing: io::Result<()> = self.attempt(Interest::READABLE, |_| Err(ErrorKind::WouldBlock.into()));
            debug_assert!(nothing.is_err(), "the attempt fails by itself");
        }
        Ok(count)
    }

    /// Performs an operation. After `WouldBlock`, the next wait lasts until the operation may succeed.
    pub(crate) fn attempt<R>(&self, kind: Interest, act: impl FnOnce(&T) -> io::Result<R>) -> io::Result<R> {
        match &self.watched {
            Some((watches, watched)) if covers(*watches, kind) => watched.try_io(kind, |of| act(of)),
            Some(_) | None => act(&self.of),
        }
    }

    /// Whether one of the operations may succeed. Otherwise, wakes the context as soon as one of them may succeed.
    pub(crate) fn is_ready(&mut self, wants: Interest, context: &mut Context<'_>) -> bool {
        if self.watched.as_ref().is_none_or(|(watches, _)| *watches != wants) {
            // A descriptor can be registered only once.
            self.watched = None;
            #[expect(
                deprecated,
                reason = "the form that does not need `unsafe`; the registration holds the descriptor"
            )]
            let watched = AsyncFd::with_interest(Arc::clone(&self.of), wants);
            // If the system refuses to watch the descriptor, only this connection is lost.
            self.watched = watched.ok().map(|watched| (wants, watched));
        }
        let Some((_, watched)) = &self.watched else {
            return false;
        };
        let readable = wants.is_readable() && watched.poll_read_ready(context).is_ready();
        let writable = wants.is_writable() && watched.poll_write_ready(context).is_ready();
        readable || writable
    }
}

fn covers(watches: Interest, kind: Interest) -> bool {
    (watches.is_readable() || !kind.is_readable()) && (watches.is_writable() || !kind.is_writable())
}

/// Returns the wanted operations: reads, writes, both, or none.
pub(crate) fn wants(reads: bool, writes: bool) -> Option<Interest> {
    match (reads, writes) {
        (true, true) => Some(Interest::READABLE | Interest::WRITABLE),
        (true, false) => Some(Interest::READABLE),
        (false, true) => Some(Interest::WRITABLE),
        (false, false) => None,
    }
}
