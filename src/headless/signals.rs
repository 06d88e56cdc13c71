//! Converts the signals for interrupt, termination and hang-up to requests to stop a run.

use std::io;

use futures::{StreamExt, stream};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Stops;

/// Returns a stream of the signals that ask this process to end. From this call on, these signals no longer end the
/// process.
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
