//! Interrupt, terminate and hang-up as stops of a run, from its first moment on.

use std::io;

use futures::{StreamExt, stream};
use nix::sys::signal::{SigSet, Signal as Number};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Stops;

/// Keeps those signals waiting while it exists: one that comes before `stops` stands is heard then, and one that nobody is
/// to hear ends the process. Only this thread and those that it starts meanwhile hold them back.
pub(crate) struct Held(SigSet);

impl Held {
    pub(crate) fn back() -> Self {
        let signals: SigSet = [Number::SIGINT, Number::SIGTERM, Number::SIGHUP].into_iter().collect();
        // Cannot fail for signals that exist.
        let _ = signals.thread_block();
        Self(signals)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.thread_unblock();
    }
}

/// Every signal that asks this process to end, as it arrives. From here on they no longer end it by themselves.
pub(crate) fn stops() -> io::Result<Stops> {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let streams = kinds
        .into_iter()
        .map(|kind| signal(kind).map(arrivals))
        .collect::<io::Result<Vec<_>>>()?;
    Ok(stream::select_all(streams).boxed())
}

fn arrivals(signal: Signal) -> Stops {
    stream::unfold(signal, |mut signal| async move {
        signal.recv().await?;
        Some(((), signal))
    })
    .boxed()
}
