//! Doing a list of effects: in order, and nothing after a `Persist` before it is durable.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Driver;
use crate::base::id::BlobId;
use crate::domain::entry::{Body, Entry};
use crate::domain::permission::DecidedBy;
use crate::domain::tool::AppliedChange;
use crate::orchestrator::effect::Effect;
use crate::orchestrator::input::Happened;
use crate::protocol::Event;
use crate::storage::StorageError;

impl Driver {
    /// Does the effects and returns what the machine must be told at once.
    pub(super) async fn perform(&mut self, effects: Vec<Effect>) -> Vec<Happened> {
        let mut tell = Vec::new();
        let mut effects = VecDeque::from(effects);
        while !effects.is_empty() {
            if let Err(error) = self.perform_log_run(&mut effects, &mut tell).await {
                return self.after_lost_commit(&error, effects).await;
            }
            if let Some(effect) = effects.pop_front() {
                self.perform_one(effect, &mut tell).await;
            }
        }
        tell
    }

    /// The leading entries and events: all entries in one commit, then the events.
    async fn perform_log_run(
        &mut self,
        effects: &mut VecDeque<Effect>,
        tell: &mut Vec<Happened>,
    ) -> Result<(), StorageError> {
        let mut entries = Vec::new();
        let mut blobs = Vec::new();
        let mut events = Vec::new();
        while let Some(Effect::Persist(_) | Effect::Keep(_) | Effect::Emit(_)) = effects.front() {
            match effects.pop_front() {
                Some(Effect::Persist(entry)) => entries.push(entry),
                Some(Effect::Keep(changes)) => blobs.extend(changes.into_iter().flat_map(bodies)),
                Some(Effect::Emit(event)) => events.push(event),
                Some(_) | None => {}
            }
        }
        let kept = if entries.is_empty() {
            Ok(())
        } else {
            self.commit(entries, blobs).await
        };
        for event in events {
            // What is known is shown, saved or not; a front end that is never told of an end waits for ever.
            if kept.is_ok()
                && let Event::ApprovalRequested { request, .. } = &event
                && let Some(decision) = self.setup.approver.answer(request)
            {
                tell.push(Happened::Decided {
                    call: request.call.clone(),
                    decision,
                    by: DecidedBy::Policy,
                });
            }
            let ended = matches!(event, Event::TurnFinished { .. });
            self.emit(event).await;
            if ended {
                self.describe().await;
                self.tell_notices().await;
            }
        }
        kept
    }

    async fn commit(&mut self, entries: Vec<Arc<Entry>>, blobs: Vec<(BlobId, Arc<[u8]>)>) -> Result<(), StorageError> {
        self.session.entries += entries.len() as u64;
        if let Some(last) = entries.last() {
            self.session.updated = last.time;
        }
        if self.session.title.is_empty() {
            self.session.title = entries.iter().find_map(|entry| title(entry)).unwrap_or_default();
            if !self.session.title.is_empty() {
                self.describe().await;
            }
        }
        self.log.extend(entries.iter().cloned());
        self.unsaved.extend(entries);
        self.unsaved_blobs.extend(blobs);
        if !self.writable {
            // It could not be begun when it was opened; without a log nothing is done.
            let (meta, holder) = (self.session.clone(), self.setup.holder.clone());
            self.setup.storage.create(meta, holder).await?;
            self.writable = true;
        }
        self.setup
            .storage
            .append(&self.session.id, self.unsaved.clone(), self.unsaved_blobs.clone())
            .await?;
        self.unsaved.clear();
        self.unsaved_blobs.clear();
        Ok(())
    }

    /// The log could not be written. Nothing that was to follow is done; the entries stay in memory and are tried
    /// again with the next commit.
    async fn after_lost_commit(&mut self, error: &StorageError, rest: VecDeque<Effect>) -> Vec<Happened> {
        let text = error.to_string();
        if self.told_lost.as_ref() != Some(&text) {
            self.storage_failed(error).await;
            self.told_lost = Some(text);
        }
        for effect in rest {
            match effect {
                Effect::Cancel(call) => self.cancel(&call),
                Effect::StopModel => self.stop_model(),
                Effect::Persist(entry) => {
                    self.log.push(Arc::clone(&entry));
                    self.unsaved.push(entry);
                }
                Effect::Emit(event) => self.emit(event).await,
                Effect::Keep(_)
                | Effect::CallModel { .. }
                | Effect::Prepare(_)
                | Effect::Run { .. }
                | Effect::Drop(_)
                | Effect::Remember(_)
                | Effect::PlanValidation
                | Effect::RunValidation { .. } => {}
            }
        }
        if self.machine.is_busy() {
            vec![Happened::LogLost]
        } else {
            Vec::new()
        }
    }

    async fn perform_one(&mut self, effect: Effect, tell: &mut Vec<Happened>) {
        match effect {
            Effect::CallModel { request, upto } => tell.extend(self.call_model(request, upto).await),
            Effect::StopModel => self.stop_model(),
            Effect::Prepare(call) => self.prepare(call),
            Effect::Run { call, decision } => tell.extend(self.run(call, decision)),
            Effect::Drop(call) | Effect::Cancel(call) => self.cancel(&call),
            Effect::Remember(scope) => self.policy.remember(scope),
            Effect::PlanValidation => tell.extend(self.plan_validation()),
            Effect::RunValidation { call } => tell.extend(self.run_validation(call)),
            Effect::Persist(_) | Effect::Keep(_) | Effect::Emit(_) => {}
        }
    }

    pub(super) fn stop_model(&mut self) {
        if let Some(task) = self.stream.take() {
            task.abort();
        }
    }

    /// The session's row in the index; never on the way between a key and a request.
    pub(super) async fn describe(&self) {
        if self.writable && self.session.entries > 0 {
            let _ = self.setup.storage.describe(self.session.clone()).await;
        }
    }
}

fn title(entry: &Entry) -> Option<String> {
    let text = match &entry.body {
        Body::User { text, .. } => text.clone(),
        Body::Shell { command, .. } => format!("!{command}"),
        _ => return None,
    };
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim().chars().take(100).collect())
}

fn bodies(change: AppliedChange) -> impl Iterator<Item = (BlobId, Arc<[u8]>)> {
    [change.before, change.after]
        .into_iter()
        .flatten()
        .map(|bytes| (BlobId::of(&bytes), bytes))
}
