//! Signal that stops running calls. A stopped call reports its work up to that point.

use std::future::pending;

use tokio::sync::watch;

use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, Outcome};

#[derive(Debug)]
pub struct Stopper(watch::Sender<bool>);

/// Receiver of the stop signal. A signal stays set. If the sender is dropped without a signal, no signal will come.
#[derive(Debug, Clone)]
pub struct Stop(watch::Receiver<bool>);

impl Stop {
    pub fn pair() -> (Stopper, Self) {
        let (says, hears) = watch::channel(false);
        (Stopper(says), Self(hears))
    }

    pub fn is_said(&self) -> bool {
        *self.0.borrow()
    }

    pub async fn stopped(&self) {
        let mut hears = self.0.clone();
        if hears.wait_for(|said| *said).await.is_err() {
            pending().await
        }
    }
}

impl Stopper {
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

pub fn cancelled(what: impl Into<String>) -> Outcome {
    Outcome {
        status: CallStatus::Cancelled,
        summary: Summary::Interrupted,
        ..Outcome::error("cancelled", what)
    }
}

pub(super) async fn or_stopped(stop: &Stop, looking: impl Future<Output = Outcome>) -> Outcome {
    tokio::select! {
        biased;
        outcome = looking => outcome,
        () = stop.stopped() => cancelled("It only looked; nothing was changed."),
    }
}

#[cfg(test)]
mod tests;
