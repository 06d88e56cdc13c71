//! Sends requests and reads answers for all APIs: attempts, retries, streaming, recording.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use super::decoder::{Decoded, Decoder, Format};
use super::failure::{Kind, ProviderError};
use super::history::Repairs;
use super::openai;
use super::outlet::Outlet;
use super::replay::record::{Recorder, Tape};
use super::retry::Failures;
use super::textcalls::{Mode, Recogniser};
use super::transport::{DrainOutcome, Endpoint, Incoming, Transport, redirect_error};
use super::written::as_text;
use super::{ModelRequest, Progress};
use benchdog_base::chance::chance;
use benchdog_domain::agent::{Api, Protocol};
use benchdog_domain::budget::Usage;
use benchdog_domain::message::{Finish, Reply, Stage};

/// Maximum wait for token counts, `[DONE]` and the end of the body, after the model has ended its answer.
const AFTER_FINISH: Duration = Duration::from_secs(5);
/// Maximum waits for the end of the body: first in the request itself, then in a background task.
const DRAIN_HERE: Duration = Duration::from_millis(1);
const DRAIN_BESIDE: Duration = Duration::from_secs(2);

/// Delay before the current stage is reported. Faster responses report no stage.
const WORTH_A_WORD: Duration = Duration::from_millis(200);

#[derive(Debug, Clone, Copy)]
pub(crate) struct Wire {
    pub api: Api,
    pub path: &'static str,
    pub body: fn(&ModelRequest) -> Vec<u8>,
    pub format: Format,
}

pub(crate) struct Exchange {
    pub transport: Transport,
    wire: Wire,
    recorder: Option<Arc<Recorder>>,
    repairs: Repairs,
    /// Random number in 0..=1 that varies the retry delays.
    pub(super) chance: fn() -> f64,
}

impl Exchange {
    pub(crate) fn new(endpoint: Endpoint, wire: Wire) -> Self {
        Self {
            transport: Transport::new(endpoint),
            wire,
            recorder: None,
            repairs: Repairs::default(),
            chance,
        }
    }

    pub(crate) fn with_recorder(mut self, recorder: Option<Arc<Recorder>>) -> Self {
        self.recorder = recorder;
        self
    }

    /// Sends the request, with retries, and returns the answer. `first` is the stage until the server responds.
    pub(crate) async fn answer(
        &self,
        first: Stage,
        request: ModelRequest,
        progress: mpsc::Sender<Progress>,
    ) -> Result<Reply, ProviderError> {
        let request = self.repairs.repair(request);
        let mut tape = self
            .recorder
            .as_ref()
            .map(|recorder| recorder.begin(self.wire.api, &openai::body(&request)));
        let request = match request.protocol {
            Protocol::Native => request,
            Protocol::Text | Protocol::Off => as_text(request),
        };
        let outlet = Outlet::new(progress, first);
        let answer = self.attempts(&request, outlet, tape.as_mut()).await;
        answer.map_err(|error| error.about_model(&request.model))
    }

    async fn attempts(
        &self,
        request: &ModelRequest,
        mut outlet: Outlet,
        mut tape: Option<&mut Tape>,
    ) -> Result<Reply, ProviderError> {
        let mut failures = Failures::default();
        loop {
            // Serialise the request again for each attempt. Keeping the bytes would store a long history twice.
            let error = match self.attempt(request, &mut outlet, tape.as_deref_mut()).await {
                Ok(reply) => {
                    outlet.flush().await;
                    return Ok(reply);
                }
                Err(error) => error,
            };
            let Some(wait) = failures.wait_after(&error, outlet.output(), (self.chance)()) else {
                outlet.flush().await;
                return Err(error);
            };
            if error.kind == Kind::Loading && failures.count() > 1 {
                outlet.stage(Stage::Loading);
            } else {
                outlet.report_retry(failures.count(), wait, &error).await;
            }
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt(
        &self,
        request: &ModelRequest,
        outlet: &mut Outlet,
        mut tape: Option<&mut Tape>,
    ) -> Result<Reply, ProviderError> {
        let url = self.transport.url(self.wire.path);
        let body = (self.wire.body)(request);
        let (began, bytes) = (Instant::now(), body.len());
        let (answered, waited) = report_wait(self.transport.post(self.wire.path, body), outlet).await;
        let mut incoming = match answered {
            Ok(incoming) => incoming,
            Err(error) => {
                tracing::debug!(code = error.code(), bytes, after_ms = elapsed_ms(began), "no answer");
                if let Some(tape) = tape {
                    tape.record_failure(&error);
                }
                return Err(error);
            }
        };
        tracing::debug!(
            status = incoming.status,
            bytes,
            after_ms = elapsed_ms(began),
            "server answered"
        );
        if let Some(tape) = &mut tape {
            tape.record_response(incoming.status, incoming.content_type.as_deref());
        }
        if waited {
            outlet.stage(Stage::Taken);
        }
        if let Some(error) = redirect_error(&incoming) {
            return Err(self.transport.redact_secrets(error.with_endpoint(&url)));
        }
        let (mut decoded, broken) = self.read(request, &mut incoming, outlet, tape).await;
        recycle(incoming).await;
        decoded.usage = decoded.usage.filter(|usage| is_count(*usage, bytes));
        reply(decoded, broken).map_err(|error| self.transport.redact_secrets(error.with_endpoint(&url)))
    }

    /// Reads the body and forwards its deltas. If the connection fails, also returns the error.
    async fn read(
        &self,
        request: &ModelRequest,
        incoming: &mut Incoming,
        outlet: &mut Outlet,
        mut tape: Option<&mut Tape>,
    ) -> (Decoded, Option<ProviderError>) {
        let decoder = Decoder::new(self.wire.format, incoming.status).retry_after(incoming.retry_after);
        let mut decoder = reading_calls(decoder, request);
        let mut broken = None;
        while !decoder.is_over() {
            let next = async {
                if decoder.is_finished() {
                    // The model has ended its answer. A server that keeps the body open must not delay the answer.
                    tokio::time::timeout(AFTER_FINISH, incoming.next())
                        .await
                        .unwrap_or(Ok(None))
                } else {
                    incoming.next().await
                }
            };
            match outlet.forward_while(next).await {
                Ok(Some(bytes)) => {
                    if let Some(tape) = &mut tape {
                        tape.record_bytes(&self.transport.redact_bytes(&bytes));
                    }
                    outlet.offer(decoder.push(&bytes));
                    if let Some((done, of)) = decoder.prompt_read() {
                        outlet.stage(Stage::Reading { done, of });
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            }
        }
        (decoder.finish(), broken)
    }
}

/// Whether token counts are plausible: at most two prompt tokens for each byte sent, plus a constant for images.
fn is_count(usage: Usage, sent: usize) -> bool {
    const IMAGES: u64 = 1_000_000;
    const LONGEST: u64 = 100_000_000;
    let sent = u64::try_from(sent).unwrap_or(u64::MAX);
    usage.prompt <= sent.saturating_mul(2).saturating_add(IMAGES) && usage.completion <= LONGEST
}

pub(crate) fn reading_calls(decoder: Decoder, request: &ModelRequest) -> Decoder {
    if request.tools.is_empty() {
        return decoder;
    }
    let tools = || Arc::clone(&request.tools);
    // A server that reports native calls also reports calls inside the reasoning, so there is no need to search.
    let native = request.protocol == Protocol::Native && request.calls_itself;
    if native {
        decoder.reading_calls(Recogniser::new(tools(), Mode::Native), None)
    } else {
        decoder.reading_calls(Recogniser::new(tools(), Mode::Open), Some(tools()))
    }
}

async fn report_wait<T>(answered: impl Future<Output = T>, outlet: &Outlet) -> (T, bool) {
    let mut answered = std::pin::pin!(answered);
    match tokio::time::timeout(WORTH_A_WORD, &mut answered).await {
        Ok(answered) => (answered, false),
        Err(_) => {
            outlet.report_first_stage();
            (answered.await, true)
        }
    }
}

/// Returns the reply or an error. A connection error replaces a less specific error about an incomplete answer.
pub(crate) fn reply(decoded: Decoded, broken: Option<ProviderError>) -> Result<Reply, ProviderError> {
    match decoded.error {
        None => Ok(Reply {
            text: decoded.text,
            reasoning: decoded.reasoning,
            seals: decoded.seals,
            calls: decoded.calls,
            finish: Finish::of(decoded.finish.as_deref()),
            usage: decoded.usage,
            calls_itself: decoded.calls_itself,
            written: decoded.written,
        }),
        Some(error) => {
            let usage = decoded.usage;
            let error = match broken {
                Some(broken) if (error.kind, broken.kind) == (Kind::NothingArrived, Kind::StreamEndedEarly) => {
                    broken.with_kind(Kind::NothingArrived)
                }
                Some(broken)
                    if matches!(
                        error.kind,
                        Kind::StreamEndedEarly | Kind::NothingArrived | Kind::NotAnApi
                    ) =>
                {
                    broken
                }
                _ => error,
            };
            Err(error.with_usage(usage))
        }
    }
}

async fn recycle(mut incoming: Incoming) {
    if incoming.drain(DRAIN_HERE).await == DrainOutcome::More {
        tokio::spawn(async move { incoming.drain(DRAIN_BESIDE).await });
    }
}

fn elapsed_ms(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}
