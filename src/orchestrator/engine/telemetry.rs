//! Exports spans of turns, requests and calls to the telemetry collector that the person configured.
//!
//! A span contains names, sizes, times and codes, but never content. Turns never wait for the collector. If the
//! collector does not accept spans, they are dropped.

pub(crate) mod otlp;

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout, timeout_at};
use tracing::{info, warn};

use benchdog_config::settings::Settings;
use benchdog_provider::transport::{Endpoint, Owner, Request, Transport, Verb};
use otlp::Span;

/// Maximum number of queued spans. Further spans are dropped.
const MOST_WAITING: usize = 2_048;

const BATCH: usize = 512;

/// Maximum time that a span waits for further spans of the same export request.
const EVERY: Duration = Duration::from_secs(5);

const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum time that the exit waits for the last spans.
const LAST: Duration = Duration::from_secs(1);

const PATH: &str = "v1/traces";

/// The channel to the exporter. Has no effect if no collector is configured.
#[derive(Clone, Default)]
pub(crate) struct Telemetry(Option<mpsc::Sender<Message>>);

enum Message {
    Span(Box<Span>),
    /// Requests an answer as soon as all spans that were queued earlier are sent or dropped.
    Flush(oneshot::Sender<()>),
}

impl Telemetry {
    pub(crate) fn start(settings: &Settings) -> Self {
        let Some(endpoint) = &settings.telemetry_endpoint else {
            return Self(None);
        };
        let transport = Transport::new(Endpoint {
            owner: Owner::Telemetry,
            base_url: endpoint.clone(),
            api_key: None,
            headers: Vec::new(),
            ca_file: None,
            network: settings.network.clone(),
            idle_timeout: PATIENCE,
        });
        let (messages, waiting) = mpsc::channel(MOST_WAITING);
        tokio::spawn(export(transport, url(endpoint), waiting));
        Self(Some(messages))
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn send(&self, span: Span) {
        if let Some(messages) = &self.0 {
            let _ = messages.try_send(Message::Span(Box::new(span)));
        }
    }

    pub(crate) async fn flush(&self) {
        let Some(messages) = &self.0 else { return };
        let (done, flushed) = oneshot::channel();
        let flush = async {
            if messages.send(Message::Flush(done)).await.is_ok() {
                let _ = flushed.await;
            }
        };
        let _ = timeout(LAST, flush).await;
    }
}

fn url(endpoint: &str) -> String {
    let endpoint = endpoint.trim().trim_end_matches('/');
    match endpoint.ends_with(PATH) {
        true => endpoint.to_owned(),
        false => format!("{endpoint}/{PATH}"),
    }
}

async fn export(transport: Transport, url: String, mut waiting: mpsc::Receiver<Message>) {
    let mut is_reached = true;
    while let Some(first) = waiting.recv().await {
        let (batch, flush) = gather(first, &mut waiting).await;
        if !batch.is_empty() {
            let sent = send(&transport, &url, &batch).await;
            match (&sent, is_reached) {
                (Ok(()), false) => info!("telemetry is sent again"),
                // Log each outage once. Omit the address, which may be private.
                (Err((code, status)), true) => warn!(code, status, "telemetry cannot be sent"),
                (Ok(()), true) | (Err(_), false) => {}
            }
            is_reached = sent.is_ok();
        }
        if let Some(flush) = flush {
            let _ = flush.send(());
        }
    }
}

async fn gather(first: Message, waiting: &mut mpsc::Receiver<Message>) -> (Vec<Span>, Option<oneshot::Sender<()>>) {
    let until = Instant::now() + EVERY;
    let (mut batch, mut next) = (Vec::new(), Some(first));
    loop {
        match next {
            Some(Message::Span(span)) => batch.push(*span),
            Some(Message::Flush(flush)) => return (batch, Some(flush)),
            None => return (batch, None),
        }
        if batch.len() >= BATCH {
            return (batch, None);
        }
        next = match timeout_at(until, waiting.recv()).await {
            Ok(next) => next,
            Err(_) => return (batch, None),
        };
    }
}

/// The error code, and the HTTP status if the collector answered.
type Trouble = (&'static str, Option<u16>);

async fn send(transport: &Transport, url: &str, batch: &[Span]) -> Result<(), Trouble> {
    let asked = Request {
        verb: Verb::Post,
        url,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Some(otlp::body(batch)),
        patience: PATIENCE,
    };
    match transport.ask(asked).await {
        Ok(incoming) if (200..300).contains(&incoming.status) => Ok(()),
        Ok(incoming) => Err(("refused", Some(incoming.status))),
        Err(error) => Err((error.code(), error.status)),
    }
}

#[cfg(test)]
mod tests;
