//! Interrupt, terminate and hang-up as stops of a run, from its first moment on.

use std::io;

use futures::{StreamExt, stream};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Stops;

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
