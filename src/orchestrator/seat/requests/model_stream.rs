//! A running request: its settings, the streamed answer, and the error for an unknown model.

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::sync::mpsc;

use crate::engine::{Line, Report, SlotOfSeat};
use crate::input::Happened;
use crate::seat::recovery::answer::AnswerWriter;
use crate::seat::requests::call_protocol::{Holding, Settled, Wanted, protocol};
use crate::seat::traces::Pace;
use benchdog_base::clock::Time;
use benchdog_base::spelling::nearest;
use benchdog_config::settings::Settings;
use benchdog_domain::agent::{ModelRef, Protocol, Terms};
use benchdog_domain::message::{Delta, Reply};
use benchdog_domain::notice::{Notice, WrittenCalls};
use benchdog_protocol::{Event, Live};
use benchdog_provider::failure::{Kind, Missing, ProviderError};
use benchdog_provider::{ModelRequest, Progress, Provider};
use benchdog_storage::Partial;

const PROGRESS: usize = 256;
const LIST_PATIENCE: std::time::Duration = std::time::Duration::from_secs(3);
const OFFERED: usize = 4;

pub(in crate::seat) struct Asked {
    pub(in crate::seat) request: u64,
    pub(in crate::seat) order: ModelRequest,
    pub(in crate::seat) terms: Holding,
    pub(in crate::seat) wanted: Wanted,
    pub(in crate::seat) slot: SlotOfSeat,
    pub(in crate::seat) reports: mpsc::Sender<Report>,
    pub(in crate::seat) settings: Arc<Settings>,
    pub(in crate::seat) model: ModelRef,
}

impl Asked {
    /// Sends a request. If the server rejects tools, sends the request again with calls as text, unless the
    /// configuration requires tools.
    async fn answered(
        self,
        provider: &dyn Provider,
        progress: mpsc::Sender<Progress>,
        line: &Line,
    ) -> Result<Reply, ProviderError> {
        let Self {
            mut order,
            terms: holding,
            wanted,
            slot,
            reports,
            settings,
            model,
            ..
        } = self;
        let style = wanted.style;
        let known = wanted.known.clone();
        let Settled {
            terms,
            new,
            written,
            told,
        } = holding.settle(provider, &order.model, wanted).await;
        let known = told.clone().or(known).unwrap_or_default();
        order.extra_body = in_slot(order.extra_body, slot.take(&known));
        if let Some(known) = told {
            let model = model.clone();
            let _ = reports.send(Report::Known { settings, model, known }).await;
        }
        if new {
            line.happened(fixed(&model, terms)).await;
        }
        let calls_written = |because| {
            Event::Live(Live::Notice(Notice::CallsWritten {
                model: order.model.clone(),
                because,
            }))
        };
        if let Some(because) = written {
            line.tell(calls_written(because)).await;
        }
        let error = match provider.stream(by(terms, &order), progress.clone()).await {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        let without_fields = protocol(style, &order.model, Some(false), known.weights);
        let Some(other) = holding.refused(terms, error.kind, style, without_fields) else {
            return Err(error);
        };
        line.happened(fixed(&model, other)).await;
        if error.kind == Kind::NoTools {
            let because = match other.protocol {
                Protocol::Off => WrittenCalls::TooSmall,
                Protocol::Native | Protocol::Text => WrittenCalls::Refused,
            };
            line.tell(calls_written(because)).await;
        }
        provider.stream(by(other, &order), progress).await
    }
}

/// Adds the slot of a llama.cpp server to the body of a request, unless the configuration sets this field.
fn in_slot(mut extra_body: Map<String, Value>, slot: Option<u64>) -> Map<String, Value> {
    if let Some(slot) = slot {
        extra_body.entry("id_slot").or_insert(slot.into());
        extra_body.entry("cache_prompt").or_insert(true.into());
    }
    extra_body
}

fn fixed(model: &ModelRef, terms: Terms) -> Happened {
    let model = model.clone();
    Happened::TermsFixed { model, terms }
}

fn by(terms: Terms, order: &ModelRequest) -> ModelRequest {
    ModelRequest {
        protocol: terms.protocol,
        strict: terms.strict,
        short_ids: terms.short_ids,
        reasoning: terms.reasoning.unwrap_or(order.reasoning),
        ..order.clone()
    }
}

/// Sends a request and reports its streamed answer. While the engine is busy, pieces of text are merged.
pub(in crate::seat) async fn stream(provider: Arc<dyn Provider>, asked: Asked, partial: Partial, line: Line) {
    let request = asked.request;
    let mut writer = AnswerWriter::new(partial);
    let (progress, mut arriving) = mpsc::channel(PROGRESS);
    let mut pace = Pace::begin();
    let forward = async {
        let mut behind = None;
        while let Some(piece) = match behind.take() {
            Some(piece) => Some(piece),
            None => writer.write_until(arriving.recv()).await,
        } {
            match piece {
                Progress::Delta(delta) => {
                    pace.heard();
                    let gathered;
                    (gathered, behind) = gather(delta, &mut arriving);
                    for delta in gathered {
                        writer.add(&delta);
                        let happened = line.happened(Happened::Delta { request, delta });
                        writer.write_until(happened).await;
                    }
                }
                Progress::Stage(stage) => line.tell(Event::Live(Live::Stage(stage))).await,
                Progress::Retrying {
                    attempt,
                    wait_ms,
                    reason,
                } => {
                    pace.retrying(attempt, wait_ms);
                    let retrying = Live::Retrying {
                        attempt,
                        wait_ms,
                        reason,
                        at: Time::now(),
                    };
                    line.tell(Event::Live(retrying)).await;
                }
            }
        }
    };
    let model = asked.order.model.clone();
    let (answer, ()) = tokio::join!(asked.answered(provider.as_ref(), progress, &line), forward);
    writer.end().await;
    pace.ended(&answer);
    let answer = match answer {
        Err(error) if error.kind == Kind::NotFound(Missing::Model) => {
            Err(offering(provider.as_ref(), error, &model).await)
        }
        answer => answer,
    };
    let happened = match answer {
        Ok(reply) => Happened::Replied { request, reply },
        Err(error) => Happened::Failed {
            request,
            failure: error.failure(),
            spent: error.usage(),
            elsewhere: error.is_endpoint_specific(),
        },
    };
    line.happened(happened).await;
}

async fn offering(provider: &dyn Provider, error: ProviderError, model: &str) -> ProviderError {
    let listed = tokio::time::timeout(LIST_PATIENCE, provider.models()).await;
    let Ok(Ok(models)) = listed else { return error };
    let ids: Vec<&str> = models.iter().map(|listed| listed.id.as_str()).collect();
    // The server lists the model, so there is no similar name to suggest.
    if ids.contains(&model) {
        return error;
    }
    let offered = match nearest(model, ids.iter().copied()) {
        Some(near) => vec![near],
        None => ids.into_iter().take(OFFERED).collect(),
    };
    error.with_offer(&offered)
}

fn gather(first: Delta, arriving: &mut mpsc::Receiver<Progress>) -> (Vec<Delta>, Option<Progress>) {
    let mut gathered = vec![first];
    while let Ok(next) = arriving.try_recv() {
        let next = match next {
            Progress::Delta(next) => next,
            other => return (gathered, Some(other)),
        };
        Delta::merge(&mut gathered, next);
    }
    (gathered, None)
}
