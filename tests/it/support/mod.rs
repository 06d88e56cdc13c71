//! The kit: a real model server, the real binary with and without a terminal, one builder for a home of its own.
//!
//! Nothing here sleeps. Every wait names what it waits for, ends as soon as that has come, and shows what there was when
//! it did not.

pub mod answers;
pub mod api;
pub mod bench;
mod body;
pub mod guarded;
pub mod home;
pub mod keys;
pub mod nobody;
pub mod process;
pub mod pty;
pub mod reply;
pub mod repository;
pub mod request;
pub mod screen;
mod seen;
pub mod server;
pub mod small_disk;
pub mod tls;
pub mod traced;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long anything may take before it counts as not coming. Far above what a loaded machine needs.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A value several threads share, and a way to wait for it to become something.
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

    /// A panicking test must still be able to look: a poisoned lock is taken as it is.
    pub fn look(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let result = change(&mut self.look());
        self.changed.notify_all();
        result
    }

    /// Waits until `ready` gives a value. `Err` holds the lock as it was when the time ran out.
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
