//! A non-blocking descriptor that the event loop waits for.

use std::io;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::task::Context;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A descriptor that is registered with the runtime at the first wait, because a host is created before the runtime.
#[derive(Debug)]
pub(super) struct Source<T: AsRawFd> {
    of: Arc<T>,
    watched: Option<AsyncFd<Arc<T>>>,
}

impl<T: AsRawFd> Source<T> {
    pub(super) fn new(of: T) -> Self {
        Self {
            of: Arc::new(of),
            watched: None,
        }
    }

    /// Returns the descriptor. Operations on it do not change what the event loop waits for.
    pub(super) fn get(&self) -> &T {
        &self.of
    }

    /// Stops watching, so that the descriptor can be used after the end of the runtime.
    pub(super) fn unwatch(&mut self) {
        self.watched = None;
    }

    /// Performs an operation. `WouldBlock` means that the next wait waits for readiness.
    pub(super) fn attempt<R>(&self, kind: Interest, act: impl FnOnce(&T) -> io::Result<R>) -> io::Result<R> {
        match &self.watched {
            Some(watched) => watched.try_io(kind, |of| act(of)),
            None => act(&self.of),
        }
    }

    /// Whether an operation may succeed. Otherwise, the context is woken when it may.
    pub(super) fn is_ready(&mut self, kind: Interest, context: &mut Context<'_>) -> bool {
        if self.watched.is_none() {
            #[expect(
                deprecated,
                reason = "the form that does not need `unsafe`; the registration holds the descriptor"
            )]
            let watched = AsyncFd::new(Arc::clone(&self.of));
            // If the system refuses to watch the descriptor, only this connection is lost.
            self.watched = watched.ok();
        }
        self.watched.as_ref().is_some_and(|watched| match kind.is_readable() {
            true => watched.poll_read_ready(context).is_ready(),
            false => watched.poll_write_ready(context).is_ready(),
        })
    }
}
