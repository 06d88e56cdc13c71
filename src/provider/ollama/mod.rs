//! Ollama's own API. Only here is the window of a request honoured: its OpenAI-compatible address ignores it and cuts.

pub(super) mod about;
mod body;
mod line;
mod pull;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::{Mutex, mpsc};

use super::ask::{Question, ask};
use super::decoder::{Format, Framing};
use super::exchange::{Exchange, Wire};
use super::failure::ProviderError;
use super::openai::list::listed;
use super::replay::record::Recorder;
use super::transport::Endpoint;
use super::{ListedModel, ModelRequest, Progress, Provider, Pulled};
use crate::domain::agent::{Api, Knowledge};
use crate::domain::message::{Reply, Stage};

/// The longest wait for one small answer.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) const FORMAT: Format = Format {
    framing: Framing::Lines,
    read: line::read,
};

const WIRE: Wire = Wire {
    api: Api::Ollama,
    path: "/api/chat",
    body: body::body,
    format: FORMAT,
};

pub(crate) struct Ollama {
    exchange: Exchange,
    /// What was told of each model. It stays: a window that changes between requests loads the model anew.
    known: Mutex<BTreeMap<String, Knowledge>>,
}

impl Ollama {
    pub(crate) fn new(endpoint: Endpoint, recorder: Option<Arc<Recorder>>) -> Self {
        Self {
            exchange: Exchange::new(endpoint, WIRE).recorded(recorder),
            known: Mutex::new(BTreeMap::new()),
        }
    }

    async fn known(&self, model: &str) -> Result<Knowledge, ProviderError> {
        let mut known = self.known.lock().await;
        if let Some(known) = known.get(model) {
            return Ok(known.clone());
        }
        let told = about::about(&self.exchange.transport, model, PATIENCE).await?;
        known.insert(model.to_owned(), told.clone());
        Ok(told)
    }
}

impl Provider for Ollama {
    fn stream(
        &self,
        mut request: ModelRequest,
        progress: mpsc::Sender<Progress>,
    ) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        async move {
            if request.window.is_none() {
                // The request itself meets whatever kept this from being told.
                request.window = self.known(&request.model).await.ok().and_then(|known| known.window);
            }
            let loading = self
                .known
                .lock()
                .await
                .get(&request.model)
                .is_some_and(|known| known.loaded == Some(false));
            let first = if loading { Stage::Loading } else { Stage::Asked };
            let model = request.model.clone();
            let answer = self.exchange.answer(first, request, progress).await;
            if let Some(known) = self.known.lock().await.get_mut(&model).filter(|_| answer.is_ok()) {
                known.loaded = Some(true);
            }
            answer
        }
        .boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>> {
        let tags = Question::Get("/api/tags");
        ask(
            &self.exchange.transport,
            tags,
            PATIENCE,
            "its answer holds no list of models",
            listed,
        )
        .boxed()
    }

    fn about(&self, model: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>> {
        let model = model.to_owned();
        async move { self.known(&model).await }.boxed()
    }

    fn runs_with(&self, model: &str) -> BoxFuture<'_, Option<u64>> {
        let model = model.to_owned();
        async move { about::runs_with(&self.exchange.transport, &model, PATIENCE).await }.boxed()
    }

    fn pull(&self, model: &str, progress: mpsc::Sender<Pulled>) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        let model = model.to_owned();
        Some(async move { pull::pull(&self.exchange.transport, &model, progress).await }.boxed())
    }

    fn warm(&self) {
        self.exchange.transport.warm();
    }
}

#[cfg(test)]
mod tests;
