//! Client of Anthropic's Messages API, which llama.cpp, vLLM, Ollama and gateways also serve.

mod about;
mod body;
mod event;

#[cfg(test)]
pub(super) use body::body;

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::mpsc;

use super::decoder::{Format, Framing};
use super::exchange::{Exchange, Wire};
use super::failure::ProviderError;
use super::replay::record::Recorder;
use super::transport::Endpoint;
use super::{ListedModel, ModelRequest, Progress, Provider};
use benchdog_domain::agent::{Api, Knowledge};
use benchdog_domain::message::{Reply, Stage};

const PATIENCE: Duration = Duration::from_secs(10);
/// Version of the API. Servers reject requests without it.
const VERSION: &str = "2023-06-01";

pub(crate) const FORMAT: Format = Format {
    framing: Framing::Events,
    read: event::parse,
};

const WIRE: Wire = Wire {
    api: Api::Anthropic,
    path: "/v1/messages",
    body: body::body,
    format: FORMAT,
};

pub(crate) struct Anthropic {
    exchange: Exchange,
}

impl Anthropic {
    pub(crate) fn new(endpoint: Endpoint, recorder: Option<Arc<Recorder>>) -> Self {
        Self {
            exchange: Exchange::new(with_headers(endpoint), WIRE).with_recorder(recorder),
        }
    }
}

/// Adds the API's headers before the configured ones, so that configured headers take precedence. If an `Authorization`
/// header is configured, the key is not sent.
fn with_headers(mut endpoint: Endpoint) -> Endpoint {
    let authorized = endpoint
        .headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    let key = endpoint.api_key.take().map(|key| key.trim().to_owned());
    let mut ours = vec![("anthropic-version".to_owned(), VERSION.to_owned())];
    ours.extend(
        key.filter(|key| !key.is_empty() && !authorized)
            .map(|key| ("x-api-key".to_owned(), key)),
    );
    endpoint.headers.splice(0..0, ours);
    endpoint
}

impl Provider for Anthropic {
    fn stream(
        &self,
        request: ModelRequest,
        progress: mpsc::Sender<Progress>,
    ) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        self.exchange.answer(Stage::Asked, request, progress).boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>> {
        about::models(&self.exchange.transport, PATIENCE).boxed()
    }

    fn about(&self, model: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>> {
        let model = model.to_owned();
        async move { about::about(&self.exchange.transport, &model, PATIENCE).await }.boxed()
    }

    fn warm(&self) {
        self.exchange.transport.warm();
    }
}

#[cfg(test)]
mod tests;
