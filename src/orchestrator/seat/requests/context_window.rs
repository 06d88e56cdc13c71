//! Keeps requests within the context window of their model: plans compactions and requests summaries.

use crate::effect::Room;
use crate::engine::Engine;
use crate::input::Happened;
use crate::seat::Seat;
use crate::seat::requests::summary::Purpose;
use benchdog_base::id::EntryId;
use benchdog_context::compaction::{Bench, Policy, Step};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Window;
use benchdog_domain::compaction::{Compaction, Why};
use benchdog_domain::notice::Notice;
use benchdog_protocol::Answer;

/// Maximum number of compaction steps for one request, as a guard against an endless loop.
const STEPS: u8 = 4;

impl Seat {
    /// Returns the context window of a model. If the server has rejected a request that was smaller than the known
    /// window, returns the smaller window that follows from this.
    pub(in crate::seat) fn window_of(&self, engine: &Engine, model: &ModelRef) -> Window {
        let known = engine.window(&self.settings, model);
        let refused = self.refused.as_ref().filter(|(by, _)| by == model);
        let tokens = refused.map_or(known, |(_, most)| known.min(*most));
        let is_guess = refused.is_none() && engine.window_from(&self.settings, model).is_guess();
        Window {
            is_guess,
            ..Window::of(tokens, self.settings.model_settings(model).output)
        }
    }

    pub(in crate::seat) fn window(&self, engine: &Engine) -> Window {
        self.window_of(engine, self.machine.model())
    }

    /// Learns the real context window from a rejected request. If the server did not state its size, the learned window
    /// still has space for a prompt.
    pub(in crate::seat) async fn learn_refusal(
        &mut self,
        engine: &Engine,
        model: &ModelRef,
        used: u64,
        limit: Option<u64>,
    ) {
        let known = engine.window(&self.settings, model);
        match limit {
            Some(limit) if limit < known => self.refused = Some((model.clone(), limit.max(1))),
            // The server accepted the request, but the answer exceeded the window.
            _ if self.machine.answer_began() => return,
            None if used >= known / 2 => {
                let most = used.max(self.estimator.fixed() * 2).min(known);
                self.refused = Some((model.clone(), most));
            }
            // The window is as large as known, so the estimate of the request was too low.
            Some(_) | None => {
                let window = self.window_of(engine, model);
                self.estimator.refused(window);
            }
        }
        self.tell_context(engine).await;
    }

    pub(in crate::seat) fn bench(&self, window: Window, used: u64) -> Bench<'_> {
        let settings = &self.settings.compaction;
        Bench {
            history: self.log.history(),
            assembly: &self.assembly,
            estimator: &self.estimator,
            tools: &self.facts,
            window,
            policy: Policy {
                auto: settings.auto,
                prune: settings.prune,
                threshold: settings.threshold,
            },
            used,
        }
    }

    pub(in crate::seat) fn alone(&self, window: Window, prompt: &str) -> u64 {
        self.bench(window, 0).alone(prompt)
    }

    /// Takes the next compaction step for a request. Returns `None` if no step is needed or possible.
    pub(in crate::seat) fn make_room(
        &mut self,
        engine: &mut Engine,
        request: u64,
        used: u64,
        window: Window,
        room: Room,
    ) -> Option<Happened> {
        if room.steps >= STEPS {
            return None;
        }
        let bench = self.bench(window, used);
        let why = bench.need(room.refused)?;
        let summarised = room.summarised || self.summariser_fails(engine) || (room.unwilling && why == Why::Threshold);
        let step = bench.step(why, summarised)?;
        self.tell_of_room(engine, "auto");
        match step {
            Step::Take(compaction) => Some(Happened::RoomMade {
                request,
                compaction: Box::new(compaction),
            }),
            Step::Summarise(plan) => Some(match self.summarise(engine, Purpose::Request(request), plan, "") {
                Ok(()) => Happened::Summarising { request },
                Err(why) => Happened::NotSummarised { request, why },
            }),
        }
    }

    pub(in crate::seat) fn measured(&mut self, engine: &Engine) -> (Window, u64) {
        let window = self.window(engine);
        let ledger = self.ledger(engine);
        (window, ledger.used)
    }

    // --- requested by the person ---

    /// Excludes an entry from compactions, or allows its compaction again.
    pub(crate) async fn pin(&mut self, engine: &mut Engine, entry: EntryId, pinned: bool) {
        let (window, used) = self.measured(engine);
        if pinned {
            let bench = self.bench(window, used);
            let (item, taken) = (bench.whole(entry), bench.pinned_without(entry));
            let most = window.room() / 4;
            if taken + item > most {
                let notice = Notice::PinsFull { item, taken, most };
                engine.notice(self.id, notice).await;
                return;
            }
        }
        let comes_back = pinned && self.log.history().carried().is_lessened(entry);
        self.feed(engine, Happened::Pinned { entry, pinned }).await;
        if comes_back {
            engine.notice(self.id, Notice::PinnedWhole).await;
            self.tell_context(engine).await;
        }
        self.list_context(engine).await;
    }

    pub(crate) async fn drop_item(&mut self, engine: &mut Engine, entry: EntryId) {
        if self.is_busy() {
            engine.notice(self.id, Notice::Busy).await;
            return;
        }
        let (window, used) = self.measured(engine);
        let bench = self.bench(window, used);
        if let Some((tokens, line)) = bench.nothing_saved(entry) {
            engine.notice(self.id, Notice::NothingSaved { tokens, line }).await;
            return;
        }
        let compaction = bench.weighed(Compaction {
            why: Why::Asked,
            dropped: vec![entry],
            ..Compaction::default()
        });
        let compaction = Box::new(compaction);
        if self.log.history().carried().is_pinned(entry) {
            self.feed(engine, Happened::Pinned { entry, pinned: false }).await;
        }
        self.feed(engine, Happened::Compacted { compaction }).await;
        self.tell_context(engine).await;
        self.list_context(engine).await;
    }

    pub(crate) async fn list_context(&mut self, engine: &Engine) {
        let (window, used) = self.measured(engine);
        let items = self.bench(window, used).items();
        engine.answer(self.id, Answer::Context(items)).await;
    }
}
