//! Interrupt, terminate and hang-up signals as stops of a run.

use std::io;

use futures::{StreamExt, stream};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Stops;

/// Returns the signals that ask this process to end. From now on, they no longer end it by themselves.
pub fn stops() -> io::Result<Stops> {
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
