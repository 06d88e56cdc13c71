//! Performs a list of effects in order. An effect after a `Persist` starts only when that entry is on disk.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Seat;
use super::requests::Order;
use crate::effect::Effect;
use crate::engine::Engine;
use crate::input::Happened;
use benchdog_base::id::BlobId;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::permission::DecidedBy;
use benchdog_protocol::{Event, Live};
use benchdog_storage::StorageError;
use benchdog_tools::cancelled;

impl Seat {
    /// Performs the effects. Returns the inputs for the machine that the effects produce at once.
    pub(super) async fn perform(&mut self, engine: &mut Engine, effects: Vec<Effect>) -> Vec<Happened> {
        let mut tell = Vec::new();
        let mut effects = VecDeque::from(effects);
        while !effects.is_empty() {
            if let Err(error) = self.perform_log_run(engine, &mut effects, &mut tell).await {
                return self.after_lost_commit(engine, &error, effects).await;
            }
            if let Some(effect) = effects.pop_front() {
                self.perform_one(engine, effect, &mut tell).await;
            }
        }
        tell
    }

    /// Performs the entries and events at the start of a list: commits all entries at once, then sends the events.
    async fn perform_log_run(
        &mut self,
        engine: &Engine,
        effects: &mut VecDeque<Effect>,
        tell: &mut Vec<Happened>,
    ) -> Result<(), StorageError> {
        let mut entries = Vec::new();
        let mut blobs = Vec::new();
        let mut events = Vec::new();
        while let Some(Effect::Persist(_) | Effect::Keep(_) | Effect::Live(_) | Effect::Answer(_)) = effects.front() {
            match effects.pop_front() {
                Some(Effect::Persist(entry)) => {
                    self.traces.logged(&entry);
                    entries.push(Arc::clone(&entry));
                    events.push(Event::Fact(entry));
                }
                Some(Effect::Keep(bytes)) => blobs.extend(named(bytes)),
                Some(Effect::Live(live)) => events.push(Event::Live(live)),
                Some(Effect::Answer(answer)) => events.push(Event::Answer(answer)),
                Some(_) | None => {}
            }
        }
        let saved = if entries.is_empty() {
            Ok(())
        } else {
            self.commit(engine, &entries, blobs).await
        };
        if saved.is_ok() {
            self.printed.logged(&entries);
        }
        for event in events {
            // Send events even if the commit failed. A front end would otherwise wait forever for the end of the turn.
            if saved.is_ok() {
                tell.extend(self.answered_by_policy(engine, &event));
            }
            self.traces.note(&event);
            self.note(&event);
            self.watch_asked(engine, &event);
            self.tell_hooks(engine, &event);
            self.note_folder(engine, &event);
            let ended = is_end(&event);
            engine.tell(self.id, event).await;
            if ended {
                self.look_after_turn(engine);
                self.end_forms(engine).await;
                self.describe(engine).await;
                engine.tell_notices(self.id).await;
            }
        }
        self.renew_status_line(engine);
        saved
    }

    fn answered_by_policy(&self, engine: &Engine, event: &Event) -> Option<Happened> {
        let Event::Live(Live::ApprovalRequested(request)) = event else {
            return None;
        };
        let definition = self.checks.definition(&request.call);
        Some(Happened::Decided {
            call: request.call.clone(),
            decision: engine.setup.approver.answer(request, definition)?,
            by: DecidedBy::Policy,
        })
    }

    /// Handles the effects after a failed commit: stops work and keeps entries in memory, but starts nothing. The next
    /// commit writes the kept entries.
    async fn after_lost_commit(
        &mut self,
        engine: &Engine,
        error: &StorageError,
        rest: VecDeque<Effect>,
    ) -> Vec<Happened> {
        let mut unrun = Vec::new();
        if self.log.note_lost(error) {
            engine.storage_failed(self.id, error).await;
        }
        for effect in rest {
            match effect {
                Effect::Cancel(call) => self.cancel(&call),
                Effect::StopModel => self.stop_model(),
                Effect::StopHooks => self.stop_hooks(),
                Effect::Drop(call) => self.forget(&call),
                // The machine assumes that the call is running, so report that the call did not start.
                Effect::Run { call, .. } => {
                    self.forget(&call);
                    unrun.push(Happened::Finished {
                        call,
                        outcome: cancelled("It had not started; nothing was done."),
                        took_ms: 0,
                    });
                }
                Effect::Keep(bytes) => self.log.hold_blobs(named(bytes)),
                Effect::Persist(entry) => {
                    self.log.hold_blobs(self.pictures.logged(&entry));
                    self.log.hold(Arc::clone(&entry));
                    let event = Event::Fact(entry);
                    self.traces.note(&event);
                    self.note(&event);
                    engine.tell(self.id, event).await;
                }
                Effect::Live(live) => {
                    let event = Event::Live(live);
                    self.note(&event);
                    engine.tell(self.id, event).await;
                }
                Effect::Answer(answer) => engine.answer(self.id, answer).await,
                Effect::Weigh { .. }
                | Effect::CallModel { .. }
                | Effect::Prepare(_)
                | Effect::LookAhead { .. }
                | Effect::Remember { .. }
                | Effect::Hook { .. }
                | Effect::PlanCheck => {}
            }
        }
        let lost = self.is_busy().then_some(Happened::LogLost);
        lost.into_iter().chain(unrun).collect()
    }

    async fn perform_one(&mut self, engine: &mut Engine, effect: Effect, tell: &mut Vec<Happened>) {
        match effect {
            Effect::Weigh {
                weighing,
                prompt,
                ran_first,
                notes,
            } => tell.extend(self.weigh(engine, (weighing, ran_first), &prompt, notes)),
            // Ignore the agent, because all agents have the same system prompt.
            Effect::CallModel {
                request,
                model,
                upto,
                room,
                nudge,
                ..
            } => {
                let order = Order {
                    request,
                    model,
                    upto,
                    room,
                    nudge,
                };
                if !self.wait_for_servers(engine, &order) {
                    tell.extend(self.call_model(engine, order).await);
                }
            }
            Effect::StopModel => self.stop_model(),
            Effect::Prepare(call) => self.prepare(engine, call),
            Effect::LookAhead { of, calls } => self.look_ahead(engine, of, calls),
            Effect::Run { call, decision, by } => self.run(engine, call, decision, by),
            Effect::Drop(call) => self.forget(&call),
            Effect::Cancel(call) => self.cancel(&call),
            Effect::Remember { scope, lasts } => self.remember(engine, scope, lasts).await,
            Effect::Hook { number, point } => tell.extend(self.ask_hooks(engine, number, point)),
            Effect::StopHooks => {
                self.stop_hooks();
                self.end_forms(engine).await;
            }
            Effect::PlanCheck => tell.push(self.plan_check(engine)),
            Effect::Persist(_) | Effect::Keep(_) | Effect::Live(_) | Effect::Answer(_) => {}
        }
    }

    pub(super) fn stop_model(&mut self) {
        self.stop_summary();
        if let Some(stream) = self.stream.take() {
            stream.task.abort();
            self.traces.request_stopped(stream.request, stream.began.elapsed());
        }
    }
}

fn is_end(event: &Event) -> bool {
    let is_end = |entry: &Arc<Entry>| matches!(entry.body, Body::TurnEnded { .. });
    matches!(event, Event::Fact(entry) if is_end(entry))
}

pub(super) fn named(bytes: Vec<Arc<[u8]>>) -> impl Iterator<Item = (BlobId, Arc<[u8]>)> {
    bytes.into_iter().map(|bytes| (BlobId::of(&bytes), bytes))
}
