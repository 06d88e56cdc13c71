//! The test kit: a real model server, the real binary with and without a terminal, and a builder for its home.
//!
//! The kit never sleeps for a fixed time. Every wait has a condition and ends as soon as it is true. On a timeout, it
//! shows the state.

pub mod answers;
pub mod api;
pub mod bench;
mod body;
pub mod editor;
pub mod embedding_server;
pub mod guarded;
pub mod home;
pub mod keys;
pub mod nobody;
mod page;
pub mod process;
pub mod pty;
pub mod reply;
pub mod repository;
pub mod request;
mod responses;
pub mod schema;
pub mod screen;
mod seen;
pub mod server;
pub mod small_disk;
pub mod tls;
pub mod traced;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Timeout of every wait. It is far longer than necessary on a loaded machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A shared value. Other threads can wait for a condition on it.
pub struct Watched<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> Watched<T> {
    pub fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            changed: Condvar::new(),
        }
    }

    /// Ignores poisoning, because a panicking test must still be able to read the value.
    pub fn look(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let result = change(&mut self.look());
        self.changed.notify_all();
        result
    }

    /// Waits until `ready` returns a value. On a timeout, the error contains the lock.
    pub fn wait<R>(
        &self,
        patience: Duration,
        mut ready: impl FnMut(&mut T) -> Option<R>,
    ) -> Result<R, MutexGuard<'_, T>> {
        let end = Instant::now() + patience;
        let mut guard = self.look();
        loop {
            if let Some(found) = ready(&mut guard) {
                return Ok(found);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(guard);
            }
            guard = self
                .changed
                .wait_timeout(guard, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}
