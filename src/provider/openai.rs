//! Client of OpenAI-compatible chat completions, as offered by vLLM, llama.cpp, LM Studio, SGLang and hosted services.

pub(super) mod about;
mod body;
mod chunk;
pub(super) mod count;
mod dialect;
pub(super) mod list;
pub(super) mod speech;
mod thinking;

pub(super) use body::{body, declares, id_of, strict_schema, tool};
#[cfg(test)]
pub(super) use chunk::plain;
pub(super) use thinking::is_hosted;

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::mpsc;

use super::body::merge_all;
use super::decoder::{Format, Framing};
use super::embeddings;
use super::exchange::{Exchange, Wire};
use super::failure::ProviderError;
use super::ollama;
use super::replay::record::Recorder;
use super::transport::Endpoint;
use super::{ListedModel, ModelRequest, Progress, Provider};
use benchdog_domain::agent::{Api, Knowledge};
use benchdog_domain::message::{Reply, Stage};

const LIST_PATIENCE: Duration = Duration::from_secs(10);

pub const FORMAT: Format = Format {
    framing: Framing::Events,
    read: chunk::parse,
};

const WIRE: Wire = Wire {
    api: Api::OpenAi,
    path: "chat/completions",
    body,
    format: FORMAT,
};

pub(crate) struct OpenAi {
    exchange: Exchange,
}

impl OpenAi {
    pub(crate) fn new(endpoint: Endpoint, recorder: Option<Arc<Recorder>>) -> Self {
        Self {
            exchange: Exchange::new(endpoint, WIRE).with_recorder(recorder),
        }
    }
}

impl Provider for OpenAi {
    fn stream(
        &self,
        mut request: ModelRequest,
        progress: mpsc::Sender<Progress>,
    ) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        let mut said = thinking::fields(request.thinking, self.exchange.transport.base_url());
        merge_all(&mut said, &request.extra_body);
        request.extra_body = said;
        self.exchange.answer(Stage::Asked, request, progress).boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>> {
        list::models(&self.exchange.transport, LIST_PATIENCE).boxed()
    }

    fn about(&self, model: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>> {
        let model = model.to_owned();
        async move { about::about(&self.exchange.transport, &model, LIST_PATIENCE).await }.boxed()
    }

    fn count(&self, request: ModelRequest) -> Option<BoxFuture<'_, Result<u64, ProviderError>>> {
        Some(count::count(&self.exchange.transport, request, LIST_PATIENCE).boxed())
    }

    fn runs_with(&self, model: &str) -> BoxFuture<'_, Option<u64>> {
        let model = model.to_owned();
        async move { ollama::about::runs_with(&self.exchange.transport, &model, LIST_PATIENCE).await }.boxed()
    }

    fn transcribe<'s>(
        &'s self,
        model: &'s str,
        recording: &'s [u8],
        patience: Duration,
    ) -> Option<BoxFuture<'s, Result<String, ProviderError>>> {
        Some(speech::transcribe(&self.exchange.transport, model, recording, patience).boxed())
    }

    fn embed(&self, model: &str, texts: &[String]) -> Option<BoxFuture<'_, Result<Vec<Vec<f32>>, ProviderError>>> {
        Some(embeddings::embed(&self.exchange, &embeddings::OPENAI, model, texts))
    }

    fn warm(&self) {
        self.exchange.transport.warm();
    }
}

#[cfg(test)]
mod tests;
