//! Selects the signals that this process receives.

use std::io;

use nix::sys::signal::{SigSet, Signal};

pub(super) fn hear_none() -> io::Result<()> {
    Ok(SigSet::all().thread_block()?)
}

/// Unblocks all signals, because a program inherits the mask of its parent.
pub(crate) fn hear_all() {
    // The call cannot fail, because the signals exist.
    let _ = SigSet::all().thread_unblock();
}

/// Makes a write at the file size limit fail, instead of ending the process.
pub fn outlive_large_files() {
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

/// Blocks the signals that ask a process to end. Drop unblocks these signals. Pending signals then reach a listener, or
/// end the process if there is no listener. Applies to this thread and the threads that it starts.
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
