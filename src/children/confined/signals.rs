//! Blocks signals of this process, and restores them.

use std::io;

use nix::sys::signal::{SigSet, Signal};

/// From here on none but those that cannot be refused.
pub(super) fn hear_none() -> io::Result<()> {
    Ok(SigSet::all().thread_block()?)
}

/// Unblocks all signals, because a program inherits the mask of its parent.
pub(crate) fn hear_all() {
    // Cannot fail for signals that exist, here and below.
    let _ = SigSet::all().thread_unblock();
}

/// Makes a write at the file size limit fail, instead of ending the process.
pub fn outlive_large_files() {
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

/// Keeps the signals that ask a process to end waiting while it exists: one that comes before somebody listens is heard then, and
/// one that nobody is to hear ends the process. Only this thread and those that it starts meanwhile hold them back.
pub struct Held(SigSet);

impl Held {
    pub fn back() -> Self {
        let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
        let _ = signals.thread_block();
        Self(signals)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.thread_unblock();
    }
}
