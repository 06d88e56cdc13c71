//! Signals as values.

use std::io;

use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

use crate::base::process;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// The process is asked to end; the exit code says by which number.
    End(i32),
    Resize,
    /// Another process asks us to stop; our own Ctrl+Z arrives as a key.
    Stop,
    /// We run again; the terminal may have been used in between.
    Continue,
}

pub(super) struct Signals {
    terminate: Stream,
    hang_up: Stream,
    interrupt: Stream,
    quit: Stream,
    resize: Stream,
    stop: Stream,
    resume: Stream,
}

const STOP: i32 = rustix::process::Signal::TSTP.as_raw();
const RESUME: i32 = rustix::process::Signal::CONT.as_raw();

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            resize: signal(SignalKind::window_change())?,
            stop: signal(SignalKind::from_raw(STOP))?,
            resume: signal(SignalKind::from_raw(RESUME))?,
        })
    }

    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal::End(15),
            _ = self.hang_up.recv() => Signal::End(1),
            _ = self.interrupt.recv() => Signal::End(2),
            _ = self.quit.recv() => Signal::End(3),
            _ = self.resize.recv() => Signal::Resize,
            _ = self.stop.recv() => Signal::Stop,
            _ = self.resume.recv() => Signal::Continue,
        }
    }
}

/// Whether anybody could make us run again: a shell above us, which has given our job a group of its own. Without one (the
/// terminal's first process, or a script that is) we would stay stopped for ever.
pub(super) fn can_stop() -> bool {
    let Some(own) = process::own_stat() else { return false };
    let mut parent = own.parent;
    // Processes of our group stop with us, so the first ancestor outside of it is the one that can continue us.
    while let Some(above) = process::stat(parent) {
        if above.group != own.group {
            return above.session == own.session;
        }
        parent = above.parent;
    }
    false
}

/// Stops this process and those it shares its job with.
pub(super) fn stop() {
    if can_stop() {
        // SIGSTOP, because SIGTSTP is ours to catch.
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::STOP);
    }
}
