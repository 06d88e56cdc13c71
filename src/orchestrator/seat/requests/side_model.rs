//! Requests outside the conversation: summaries, titles and commit messages. Only their token usage is logged.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use crate::engine::{Engine, Report};
use crate::input::Happened;
use crate::seat::{Access, Seat};
use benchdog_agent::Profile;
use benchdog_base::id::SeatId;
use benchdog_config::resolve_model;
use benchdog_context::compaction::most_bytes;
use benchdog_domain::agent::{ModelRef, Thinking};
use benchdog_domain::child::Spent;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::message::{Delta, Reply};
use benchdog_provider::failure::Kind;
use benchdog_provider::{ModelRequest, Progress, Provider};

/// Maximum length of a model's reasoning, as a multiple of the maximum length of the summary.
const THOUGHT: usize = 8;

/// A model that answers requests outside the conversation.
pub(in crate::seat) struct SideModel {
    pub(super) provider: Arc<dyn Provider>,
    pub(super) model: ModelRef,
    pub(super) seat: SeatId,
    /// Receives the token usage of each answer. `None` if the session has no entries yet or is read-only. A commit
    /// message must not create a session without a prompt.
    pub(super) reports: Option<mpsc::Sender<Report>>,
}

impl SideModel {
    /// Returns the answer, without reasoning if the server supports this. Reports the token usage even if the caller
    /// cannot use the answer.
    pub(in crate::seat) async fn ask(
        &self,
        order: ModelRequest,
        most: u64,
        first: Duration,
    ) -> Result<Reply, NoSummary> {
        let plain = ModelRequest {
            thinking: Some(Thinking::Off),
            ..order.clone()
        };
        let provider = self.provider.as_ref();
        let answer = match listen(provider, plain, most, first).await {
            Err((Some(Kind::BadRequest), _)) => listen(provider, order, most, first).await,
            other => other,
        };
        let reply = answer.map_err(|(_, why)| why)?;
        let spent = Happened::Spent(Spent {
            model: self.model.clone(),
            answers: 1,
            usage: reply.usage.unwrap_or_default(),
        });
        if let Some(reports) = &self.reports {
            let (seat, happened) = (self.seat, spent);
            let _ = reports.send(Report::Happened { seat, happened }).await;
        }
        Ok(reply)
    }
}

impl Seat {
    /// Returns a model for requests outside the conversation. `None` if its provider is not configured.
    pub(in crate::seat) fn side_model(&self, engine: &mut Engine, model: &ModelRef) -> Option<SideModel> {
        let has_log = self.access == Access::Writable && !self.log.history().entries().is_empty();
        Some(SideModel {
            provider: engine.provider(&self.settings, &model.provider)?,
            model: model.clone(),
            seat: self.id,
            reports: has_log.then(|| engine.reports()),
        })
    }

    /// Returns a request without messages and tools, for use outside the conversation. The settings of `agent` override
    /// those of the model.
    pub(in crate::seat) fn side_request(
        &self,
        engine: &Engine,
        model: &ModelRef,
        output: u64,
        agent: Option<&Profile>,
    ) -> ModelRequest {
        let configured = self.settings.model_settings(model);
        let insisted = self.settings.insisted.temperature;
        ModelRequest {
            window: engine.told_window(&self.settings, model),
            temperature: insisted
                .or(agent.and_then(|agent| agent.temperature))
                .or(configured.temperature),
            top_p: agent.and_then(|agent| agent.top_p).or(configured.top_p),
            ..ModelRequest::new(model, configured, output)
        }
    }

    pub(in crate::seat) fn small_model(&self) -> ModelRef {
        let small = self.settings.small_model.as_deref();
        let small = small.and_then(|text| resolve_model(text, &self.settings).ok());
        small.unwrap_or_else(|| self.machine.model().clone())
    }
}

/// Receives the answer. Gives up if the answer does not begin in time, or if it can no longer become a valid summary.
async fn listen(
    provider: &dyn Provider,
    order: ModelRequest,
    most: u64,
    first: Duration,
) -> Result<Reply, (Option<Kind>, NoSummary)> {
    let (progress, mut arriving) = mpsc::channel(64);
    let given_up = async {
        let Ok(mut next) = tokio::time::timeout(first, said_next(&mut arriving)).await else {
            return NoSummary::Silent {
                seconds: first.as_secs(),
            };
        };
        let (mut said, mut thought) = (0, 0);
        while let Some(delta) = next {
            match delta {
                Delta::Text(text) => said += text.len(),
                Delta::Reasoning(text) => thought += text.len(),
            }
            if said > most_bytes(most) || thought > most_bytes(most) * THOUGHT {
                return NoSummary::TooLong;
            }
            next = said_next(&mut arriving).await;
        }
        std::future::pending().await
    };
    tokio::select! {
        answer = provider.stream(order, progress) => answer.map_err(|error| {
            let why = match error.kind {
                Kind::Timeout => NoSummary::Silent { seconds: 0 },
                _ => {
                    let server = error.server_error();
                    NoSummary::Failed {
                        error: server.to_string(),
                        server: Some(Box::new(server)),
                    }
                }
            };
            (Some(error.kind), why)
        }),
        why = given_up => Err((None, why)),
    }
}

async fn said_next(arriving: &mut mpsc::Receiver<Progress>) -> Option<Delta> {
    loop {
        match arriving.recv().await? {
            Progress::Delta(delta) => return Some(delta),
            Progress::Retrying { .. } | Progress::Stage(_) => {}
        }
    }
}
