//! Making room in the window: plans are made here, by the window of the model that is asked, and summaries are fetched.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::Seat;
use crate::base::id::EntryId;
use crate::config::resolve_model;
use crate::context::compaction::{Bench, Plan, Policy, Step, Task, judged, most_bytes, requests};
use crate::domain::agent::ModelRef;
use crate::domain::budget::Window;
use crate::domain::compaction::{Compaction, NoSummary, Why};
use crate::domain::failure::Failure;
use crate::domain::image::Images;
use crate::domain::message::{Delta, Reply};
use crate::domain::notice::Notice;
use crate::orchestrator::effect::Room;
use crate::orchestrator::engine::{Engine, Report};
use crate::orchestrator::input::Happened;
use crate::protocol::{Answer, Live, Preview};
use crate::provider::failure::Kind;
use crate::provider::{ModelRequest, Progress, Provider};

/// Steps to make one request fit; each frees something, so more are never needed.
const STEPS: u8 = 4;

/// A model that thinks is not stopped before it has thought this many times as much as it may write.
const THOUGHT: usize = 8;

/// How long one summary may take in all, over all its requests.
const PATIENCE: Duration = Duration::from_secs(900);

/// A summary under way, or one that the person looks at.
pub(super) struct Summarising {
    /// Tells its report from that of one that was given up.
    number: u64,
    purpose: Purpose,
    plan: Plan,
    /// The tokens that are read for it, and those it stands for, where these are many more.
    read_in_part: Option<(u64, u64)>,
    task: AbortHandle,
    /// The compaction as it was shown.
    shown: Option<Compaction>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The request that waits for it.
    Request(u64),
    /// The person asked to see it.
    Preview,
}

impl Drop for Summarising {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Seat {
    /// The window of a model: what is known of it, and less where its server refused more.
    pub(super) fn window_of(&self, engine: &Engine, model: &ModelRef) -> Window {
        let known = engine.window(&self.settings, model);
        let refused = self.refused.as_ref().filter(|(by, _)| by == model);
        let tokens = refused.map_or(known, |(_, most)| known.min(*most));
        Window::of(tokens, self.settings.model_settings(model).output)
    }

    pub(super) fn window(&self, engine: &Engine) -> Window {
        self.window_of(engine, self.machine.model())
    }

    /// The server said that a request of so many tokens does not fit. Whatever is learned of it leaves room for a prompt, unless
    /// the server itself states less.
    pub(super) async fn learn_refusal(&mut self, engine: &Engine, model: &ModelRef, used: u64, limit: Option<u64>) {
        let known = engine.window(&self.settings, model);
        match limit {
            Some(limit) if limit < known => self.refused = Some((model.clone(), limit.max(1))),
            // It was not the request that did not fit, but the answer that had begun.
            _ if self.machine.answer_began() => return,
            None if used >= known / 2 => {
                let most = used.max(self.estimator.fixed() * 2).min(known);
                self.refused = Some((model.clone(), most));
            }
            // The window is as large as it was thought to be, or nobody knows: the request is larger than it was thought to be.
            Some(_) | None => {
                let window = self.window_of(engine, model);
                self.estimator.refused(window);
            }
        }
        self.tell_context(engine).await;
    }

    fn bench(&self, window: Window, used: u64) -> Bench<'_> {
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

    /// The tokens of a request with nothing but this prompt and what every request must have.
    pub(super) fn alone(&self, window: Window, prompt: &str) -> u64 {
        self.bench(window, 0).alone(prompt)
    }

    /// What has to be done before a request of so many tokens is sent; `None`: it can be sent as it is.
    pub(super) fn make_room(
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
        let summarised = room.summarised || (room.unwilling && why == Why::Threshold);
        match bench.step(why, summarised)? {
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

    // --- fetching a summary ---

    fn summarise(
        &mut self,
        engine: &mut Engine,
        purpose: Purpose,
        plan: Plan,
        instructions: &str,
    ) -> Result<(), NoSummary> {
        let (model, provider) = self.summariser(engine)?;
        let window = self.window_of(engine, &model);
        let configured = self.settings.model_settings(&model);
        let task = requests(&plan, window, instructions);
        let order = ModelRequest {
            model: model.id,
            messages: Vec::new().into(),
            images: Images::new(),
            tools: Arc::new([]),
            output: task.output,
            temperature: configured.temperature,
            extra_body: configured.extra_body,
        };
        let read_in_part = task.read_in_part;
        let (seat, reports) = (self.id, engine.reports());
        self.last_summary += 1;
        let number = self.last_summary;
        let fetched = tokio::spawn(async move {
            let result = tokio::time::timeout(PATIENCE, fetch(provider, order, task)).await;
            let result = result.unwrap_or(Err(NoSummary::Silent));
            let _ = reports.send(Report::Summarised { seat, number, result }).await;
        });
        self.summarising = Some(Summarising {
            number,
            purpose,
            plan,
            read_in_part,
            task: fetched.abort_handle(),
            shown: None,
        });
        Ok(())
    }

    /// Who summarises: the small model where there is one, else the model itself.
    fn summariser(&self, engine: &mut Engine) -> Result<(ModelRef, Arc<dyn Provider>), NoSummary> {
        let small = self.settings.small_model.as_deref();
        let small = small.and_then(|text| resolve_model(text, &self.settings).ok());
        let model = small.unwrap_or_else(|| self.machine.model().clone());
        match engine.provider(&self.settings, &model.provider) {
            Some(provider) => Ok((model, provider)),
            None => Err(NoSummary::Failed {
                error: format!("no provider `{}` is configured", model.provider),
            }),
        }
    }

    pub(in crate::orchestrator) async fn on_summarised(
        &mut self,
        engine: &mut Engine,
        number: u64,
        result: Result<String, NoSummary>,
    ) {
        let Some(mut summarising) = self.summarising.take_if(|known| known.number == number) else {
            return;
        };
        let compaction = result.and_then(|summary| self.with_summary(engine, &summarising, summary));
        if let (Some((read, whole)), Ok(_)) = (summarising.read_in_part, &compaction) {
            engine.notice(self.id, Notice::SummarisedInPart { read, whole }).await;
        }
        match (summarising.purpose, compaction) {
            (Purpose::Request(request), Ok(compaction)) => {
                let compaction = Box::new(compaction);
                self.feed(engine, Happened::RoomMade { request, compaction }).await;
            }
            (Purpose::Request(request), Err(why)) => {
                self.feed(engine, Happened::NotSummarised { request, why }).await;
            }
            (Purpose::Preview, Ok(compaction)) => {
                let preview = Preview::of(&compaction);
                summarising.shown = Some(compaction);
                self.summarising = Some(summarising);
                engine.answer(self.id, Answer::CompactionReady(preview)).await;
            }
            (Purpose::Preview, Err(why)) => engine.notice(self.id, Notice::NotSummarised(why)).await,
        }
    }

    fn with_summary(
        &mut self,
        engine: &Engine,
        summarising: &Summarising,
        summary: String,
    ) -> Result<Compaction, NoSummary> {
        let (window, used) = self.measured(engine);
        let bench = self.bench(window, used);
        let compaction = bench.with_summary(summarising.plan.clone(), summary);
        let wanted = summarising.purpose == Purpose::Preview;
        if compaction.is_worth_it() || wanted {
            Ok(compaction)
        } else {
            Err(NoSummary::NoGain)
        }
    }

    /// The window, and the tokens of a request as the log stands.
    pub(super) fn measured(&mut self, engine: &Engine) -> (Window, u64) {
        let window = self.window(engine);
        let ledger = self.ledger(engine);
        (window, ledger.used)
    }

    // --- as the person asks ---

    /// Fetches a summary to look at.
    pub(in crate::orchestrator) async fn compact(&mut self, engine: &mut Engine, instructions: &str) {
        if self.is_busy() {
            engine.notice(self.id, Notice::Busy).await;
            return;
        }
        if !self.has_model {
            engine.live(self.id, Live::Error(Failure::NoModel)).await;
            return;
        }
        let (window, used) = self.measured(engine);
        let Some(plan) = self.bench(window, used).plan(Why::Asked) else {
            engine.notice(self.id, Notice::NothingToCompact).await;
            return;
        };
        let notice = match self.summarise(engine, Purpose::Preview, plan, instructions) {
            Ok(()) => Notice::Summarising,
            Err(why) => Notice::NotSummarised(why),
        };
        engine.notice(self.id, notice).await;
    }

    /// The person took the summary, as it is or as they wrote it.
    pub(in crate::orchestrator) async fn accept_compaction(&mut self, engine: &mut Engine, summary: String) {
        let shown = self.summarising.take_if(|known| known.shown.is_some());
        let point = self.log.history().carried().point();
        let Some(shown) = shown.filter(|known| !self.is_busy() && known.plan.is_of(point)) else {
            engine.notice(self.id, Notice::PreviewStale).await;
            return;
        };
        let (window, used) = self.measured(engine);
        let compaction = self.bench(window, used).with_summary(shown.plan.clone(), summary);
        let compaction = Box::new(compaction);
        self.feed(engine, Happened::Compacted { compaction }).await;
        self.tell_context(engine).await;
    }

    /// The person does not want the summary, or not any more.
    pub(in crate::orchestrator) async fn drop_compaction(&mut self, engine: &Engine) {
        let preview = self.summarising.take_if(|known| known.purpose == Purpose::Preview);
        if preview.is_some_and(|preview| preview.shown.is_none()) {
            engine.notice(self.id, Notice::SummaryStopped).await;
        }
    }

    /// The request that waited for a summary was stopped.
    pub(super) fn stop_summary(&mut self) {
        self.summarising.take_if(|known| known.purpose != Purpose::Preview);
    }

    pub(in crate::orchestrator) async fn undo_compaction(&mut self, engine: &mut Engine) {
        if self.is_busy() {
            engine.notice(self.id, Notice::Busy).await;
            return;
        }
        let Some(compaction) = self.log.history().carried().undoable().map(|entry| entry.id) else {
            engine.notice(self.id, Notice::NothingToUndo).await;
            return;
        };
        self.feed(engine, Happened::CompactionUndone { compaction }).await;
        self.tell_context(engine).await;
    }

    /// Compactions leave the entry alone, or not any more.
    pub(in crate::orchestrator) async fn pin(&mut self, engine: &mut Engine, entry: EntryId, pinned: bool) {
        let (window, used) = self.measured(engine);
        if pinned {
            let taken = self.bench(window, used).pinned_with(entry);
            let most = window.room() / 4;
            if taken > most {
                engine.notice(self.id, Notice::PinsFull { used: taken, most }).await;
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

    /// One line is carried in the place of the entry from now on.
    pub(in crate::orchestrator) async fn drop_item(&mut self, engine: &mut Engine, entry: EntryId) {
        if self.is_busy() {
            engine.notice(self.id, Notice::Busy).await;
            return;
        }
        let (window, used) = self.measured(engine);
        let compaction = self.bench(window, used).weighed(Compaction {
            why: Why::Asked,
            dropped: vec![entry],
            ..Compaction::default()
        });
        let compaction = Box::new(compaction);
        self.feed(engine, Happened::Compacted { compaction }).await;
        self.tell_context(engine).await;
        self.list_context(engine).await;
    }

    pub(in crate::orchestrator) async fn list_context(&mut self, engine: &Engine) {
        let (window, used) = self.measured(engine);
        let items = self.bench(window, used).items();
        engine.answer(self.id, Answer::Context(items)).await;
    }
}

/// One summary, by as many requests as its text needs.
async fn fetch(provider: Arc<dyn Provider>, order: ModelRequest, task: Task) -> Result<String, NoSummary> {
    let mut summary = String::new();
    for piece in &task.pieces {
        let request = ModelRequest {
            messages: task.messages(piece, &summary),
            ..order.clone()
        };
        let reply = ask(provider.as_ref(), request, task.most).await?;
        summary = judged(&reply, piece, task.most)?;
    }
    Ok(summary)
}

/// One request, without thinking where the server knows how to do without.
async fn ask(provider: &dyn Provider, order: ModelRequest, most: u64) -> Result<Reply, NoSummary> {
    let mut plain = order.clone();
    let thinks = plain.extra_body.entry("chat_template_kwargs");
    thinks.or_insert_with(|| json!({ "enable_thinking": false }));
    match listen(provider, plain, most).await {
        Err((Some(Kind::BadRequest), _)) => listen(provider, order, most).await.map_err(|(_, why)| why),
        other => other.map_err(|(_, why)| why),
    }
}

/// Reads the answer, and stops once it cannot become a summary any more.
async fn listen(provider: &dyn Provider, order: ModelRequest, most: u64) -> Result<Reply, (Option<Kind>, NoSummary)> {
    let (progress, mut arriving) = mpsc::channel(64);
    let counted = async {
        let (mut said, mut thought) = (0, 0);
        while let Some(piece) = arriving.recv().await {
            match piece {
                Progress::Delta(Delta::Text(text)) => said += text.len(),
                Progress::Delta(Delta::Reasoning(text)) => thought += text.len(),
                Progress::Retrying { .. } => {}
            }
            if said > most_bytes(most) || thought > most_bytes(most) * THOUGHT {
                return;
            }
        }
        std::future::pending().await
    };
    tokio::select! {
        answer = provider.stream(order, progress) => answer.map_err(|error| {
            let why = match error.kind {
                Kind::Timeout => NoSummary::Silent,
                _ => NoSummary::Failed { error: error.to_string() },
            };
            (Some(error.kind), why)
        }),
        () = counted => Err((None, NoSummary::TooLong)),
    }
}
