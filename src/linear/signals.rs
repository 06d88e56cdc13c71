//! Converts signals to values. The system handles suspend and resume, because the terminal settings are unchanged.

use std::io;

use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    Interrupt,
    End,
}

pub(super) struct Signals {
    interrupt: Stream,
    quit: Stream,
    terminate: Stream,
    hang_up: Stream,
}

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.quit.recv() => Signal::End,
            _ = self.terminate.recv() => Signal::End,
            _ = self.hang_up.recv() => Signal::End,
        }
    }
}
