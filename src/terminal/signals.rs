//! Converts signals to values.

use std::io;

use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

use benchdog_base::process;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    End(i32),
    Resize,
    /// Another process asks Benchdog to stop. Ctrl+Z in the terminal arrives as a key instead.
    Stop,
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

/// Whether a shell can resume this process after a stop. For this, the shell must run Benchdog as a job in a separate
/// process group. Without such a shell, the process would stay stopped forever.
pub(super) fn can_stop() -> bool {
    let Some(own) = process::own_stat() else { return false };
    let mut parent = own.parent;
    // Find the nearest ancestor in another process group. A stop affects the whole group of this process.
    while let Some(above) = process::stat(parent) {
        if above.group != own.group {
            return above.session == own.session;
        }
        parent = above.parent;
    }
    false
}

pub(super) fn stop() {
    if can_stop() {
        // Send SIGSTOP, because SIGTSTP is caught and would not stop the process.
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::STOP);
    }
}
