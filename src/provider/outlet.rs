//! Forwards an answer through a bounded channel. While the channel is full, waiting deltas are merged.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::Progress;
use crate::failure::ProviderError;
use crate::retry::Output;
use benchdog_domain::message::{Delta, Stage};

pub(crate) struct Outlet {
    progress: mpsc::Sender<Progress>,
    waiting: Vec<Delta>,
    shown: Output,
    first: Stage,
}

impl Outlet {
    pub(crate) fn new(progress: mpsc::Sender<Progress>, first: Stage) -> Self {
        Self {
            progress,
            first,
            waiting: Vec::new(),
            shown: Output::Nothing,
        }
    }

    pub(crate) fn output(&self) -> Output {
        self.shown
    }

    pub(crate) fn offer(&mut self, deltas: Vec<Delta>) {
        for delta in deltas {
            self.shown = Output::Text;
            Delta::merge(&mut self.waiting, delta);
        }
        let mut waiting = std::mem::take(&mut self.waiting).into_iter();
        while let Some(delta) = waiting.next() {
            if let Err(TrySendError::Full(Progress::Delta(delta))) = self.progress.try_send(Progress::Delta(delta)) {
                self.waiting.push(delta);
                self.waiting.extend(waiting);
                return;
            }
        }
    }

    pub(crate) fn report_first_stage(&self) {
        self.stage(self.first);
    }

    /// Reports a stage. If the channel is full, the stage is dropped.
    pub(crate) fn stage(&self, stage: Stage) {
        let _ = self.progress.try_send(Progress::Stage(stage));
    }

    /// Awaits `next`. During the wait, sends pending deltas as soon as the channel has room.
    pub(crate) async fn forward_while<T>(&mut self, next: impl Future<Output = T>) -> T {
        let mut next = std::pin::pin!(next);
        while !self.waiting.is_empty() {
            tokio::select! {
                biased;
                done = &mut next => return done,
                permit = self.progress.reserve() => match permit {
                    Ok(permit) => permit.send(Progress::Delta(self.waiting.remove(0))),
                    Err(_) => self.waiting.clear(),
                },
            }
        }
        next.await
    }

    pub(crate) async fn flush(&mut self) {
        for delta in std::mem::take(&mut self.waiting) {
            if self.progress.send(Progress::Delta(delta)).await.is_err() {
                return;
            }
        }
    }

    pub(crate) async fn report_retry(&mut self, attempt: u32, wait: Duration, error: &ProviderError) {
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        let _ = self
            .progress
            .send(Progress::Retrying {
                attempt,
                wait_ms,
                reason: error.server_error(),
            })
            .await;
    }
}

#[cfg(test)]
mod tests;
