//! Summaries of earlier turns. A summary is requested when a request needs space, or as a preview for the person.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::AbortHandle;

use crate::engine::{Engine, Report};
use crate::input::Happened;
use crate::seat::Seat;
use crate::seat::requests::side_model::SideModel;
use benchdog_context::compaction::{Plan, Task, judged, requests};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::compaction::{Compaction, NoSummary, Why};
use benchdog_domain::failure::Failure;
use benchdog_domain::notice::Notice;
use benchdog_protocol::{Answer, Live, Preview};
use benchdog_provider::ModelRequest;

#[derive(Debug, Clone, Copy)]
struct Patience {
    /// Timeout for the first part of the answer. The server sends nothing while it reads the request.
    first: Duration,
    whole: Duration,
}

/// Timeouts of a summary that a prompt waits for. They are short, because the session can continue without a summary.
const BEFORE_A_REQUEST: Patience = Patience {
    first: Duration::from_secs(60),
    whole: Duration::from_secs(180),
};

/// Timeouts of a summary that the person asked for and can stop. They are long, because a slow server may read a
/// request for minutes.
const AS_ASKED: Patience = Patience {
    first: Duration::from_secs(600),
    whole: Duration::from_secs(900),
};

#[derive(Default)]
pub(in crate::seat) struct Summaries {
    current: Option<Summarising>,
    last: u64,
    /// The model whose last summary failed. Automatic summaries no longer use this model.
    failing: Option<ModelRef>,
}

struct Summarising {
    /// The number of this summary. A report with another number belongs to an abandoned summary.
    number: u64,
    purpose: Purpose,
    model: ModelRef,
    plan: Plan,
    /// Number of tokens in the summary request, and number of tokens that the summary replaces. Set only if the first
    /// number is much smaller than the second.
    read_in_part: Option<(u64, u64)>,
    task: AbortHandle,
    shown: Option<Compaction>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::seat) enum Purpose {
    Request(u64),
    Preview,
}

impl Drop for Summarising {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Seat {
    // --- fetching the summary ---

    pub(in crate::seat) fn summarise(
        &mut self,
        engine: &mut Engine,
        purpose: Purpose,
        plan: Plan,
        instructions: &str,
    ) -> Result<(), NoSummary> {
        let model = self.summariser(engine);
        let Some(side_model) = self.side_model(engine, &model) else {
            self.summaries.failing = Some(model.clone());
            return Err(NoSummary::Failed {
                error: format!("no provider `{}` is configured", model.provider),
                server: None,
            });
        };
        let window = self.window_of(engine, &model);
        let agent = Arc::clone(&engine.at(self.folder()).agents);
        let agent = agent.summary();
        let instructions = [agent.prompt.as_str(), instructions].join("\n\n");
        let task = requests(&plan, window, instructions.trim());
        let order = self.side_request(engine, &model, task.output, Some(agent));
        let read_in_part = task.read_in_part;
        let (seat, reports) = (self.id, engine.reports());
        self.summaries.last += 1;
        let number = self.summaries.last;
        let patience = match purpose {
            Purpose::Request(_) => BEFORE_A_REQUEST,
            Purpose::Preview => AS_ASKED,
        };
        let fetched = tokio::spawn(async move {
            let result = fetch(&side_model, order, task, patience).await;
            let _ = reports.send(Report::Summarised { seat, number, result }).await;
        });
        self.summaries.current = Some(Summarising {
            number,
            purpose,
            model,
            plan,
            read_in_part,
            task: fetched.abort_handle(),
            shown: None,
        });
        Ok(())
    }

    fn summariser(&self, engine: &Engine) -> ModelRef {
        let own = engine.at(self.folder()).agents.summary().model.clone();
        own.unwrap_or_else(|| self.small_model())
    }

    pub(in crate::seat) fn summariser_fails(&self, engine: &Engine) -> bool {
        self.summaries
            .failing
            .as_ref()
            .is_some_and(|failing| *failing == self.summariser(engine))
    }

    pub(crate) async fn on_summarised(&mut self, engine: &mut Engine, number: u64, result: Result<String, NoSummary>) {
        let Some(mut summarising) = self.summaries.current.take_if(|known| known.number == number) else {
            return;
        };
        self.summaries.failing = result.is_err().then(|| summarising.model.clone());
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
                self.summaries.current = Some(summarising);
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

    pub(in crate::seat) fn stop_summary(&mut self) {
        self.summaries
            .current
            .take_if(|known| known.purpose != Purpose::Preview);
    }

    pub(crate) async fn skip_summary(&mut self, engine: &mut Engine) {
        let waits = |known: &mut Summarising| known.purpose != Purpose::Preview;
        let Some(Purpose::Request(request)) = self.summaries.current.take_if(waits).map(|known| known.purpose) else {
            return;
        };
        let why = NoSummary::Skipped;
        self.feed(engine, Happened::NotSummarised { request, why }).await;
    }

    // --- requested by the person ---

    pub(crate) async fn compact(&mut self, engine: &mut Engine, instructions: &str) {
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
        self.tell_of_room(engine, "asked");
        let notice = match self.summarise(engine, Purpose::Preview, plan, instructions) {
            Ok(()) => Notice::Summarising,
            Err(why) => Notice::NotSummarised(why),
        };
        engine.notice(self.id, notice).await;
    }

    pub(crate) async fn weigh_summary(&mut self, engine: &mut Engine, summary: String) {
        match self.current_preview() {
            Some(shown) => {
                let (preview, _) = self.in_words(engine, &shown, summary);
                self.summaries.current = Some(shown);
                engine.answer(self.id, Answer::SummaryWeighed(preview)).await;
            }
            None => engine.notice(self.id, Notice::PreviewStale).await,
        }
    }

    /// Applies the accepted, possibly edited summary. An invalid one is shown again with the reason.
    pub(crate) async fn accept_compaction(&mut self, engine: &mut Engine, summary: String) {
        let Some(shown) = self.current_preview() else {
            engine.notice(self.id, Notice::PreviewStale).await;
            return;
        };
        let (preview, compaction) = self.in_words(engine, &shown, summary);
        if preview.unfit.is_some() {
            self.summaries.current = Some(shown);
            engine.answer(self.id, Answer::SummaryWeighed(preview)).await;
            return;
        }
        let compaction = Box::new(compaction);
        self.feed(engine, Happened::Compacted { compaction }).await;
        self.tell_context(engine).await;
    }

    /// Takes the previewed summary. `None` without a preview, or if the session has continued since.
    fn current_preview(&mut self) -> Option<Summarising> {
        let shown = self.summaries.current.take_if(|known| known.shown.is_some());
        let point = self.log.history().carried().point();
        shown.filter(|known| !self.is_busy() && known.plan.is_of(point))
    }

    fn in_words(&mut self, engine: &Engine, shown: &Summarising, summary: String) -> (Preview, Compaction) {
        let (window, used) = self.measured(engine);
        let bench = self.bench(window, used);
        let unfit = shown
            .shown
            .as_ref()
            .and_then(|made| bench.unfit(&shown.plan, made, &summary));
        let compaction = bench.with_summary(shown.plan.clone(), summary);
        let preview = Preview {
            unfit,
            ..Preview::of(&compaction)
        };
        (preview, compaction)
    }

    pub(crate) async fn drop_compaction(&mut self, engine: &Engine) {
        let preview = self
            .summaries
            .current
            .take_if(|known| known.purpose == Purpose::Preview);
        if preview.is_some_and(|preview| preview.shown.is_none()) {
            engine.notice(self.id, Notice::SummaryStopped).await;
        }
    }

    pub(crate) async fn undo_compaction(&mut self, engine: &mut Engine) {
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
}

async fn fetch(
    side_model: &SideModel,
    order: ModelRequest,
    task: Task,
    patience: Patience,
) -> Result<String, NoSummary> {
    let pieces = async {
        let mut summary = String::new();
        for piece in &task.pieces {
            let request = ModelRequest {
                messages: task.messages(piece, &summary),
                ..order.clone()
            };
            let reply = side_model.ask(request, task.most, patience.first).await?;
            summary = judged(&reply, piece, task.most)?;
        }
        Ok(summary)
    };
    let fetched = tokio::time::timeout(patience.whole, pieces).await;
    fetched.unwrap_or(Err(NoSummary::Unfinished {
        seconds: patience.whole.as_secs(),
    }))
}

#[cfg(test)]
mod tests;
