//! Client of Ollama's native API. Ollama's OpenAI-compatible API cannot be used, because it ignores the requested
//! context window and truncates prompts.

pub(super) mod about;
mod body;
mod line;
mod load;
mod pull;

#[cfg(test)]
pub(super) use body::body;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::{Mutex, mpsc};

use super::ask::{Question, ask};
use super::decoder::{Format, Framing};
use super::embeddings;
use super::exchange::{Exchange, Wire};
use super::failure::ProviderError;
use super::openai::list::parse_list;
use super::replay::record::Recorder;
use super::transport::Endpoint;
use super::{ListedModel, ModelRequest, Progress, Provider, Pulled};
use benchdog_domain::agent::{Api, Knowledge};
use benchdog_domain::message::{Reply, Stage};

const PATIENCE: Duration = Duration::from_secs(10);
const BEFORE_A_REQUEST: Duration = Duration::from_secs(3);

pub(crate) const FORMAT: Format = Format {
    framing: Framing::Lines,
    read: line::parse,
};

const WIRE: Wire = Wire {
    api: Api::Ollama,
    path: "/api/chat",
    body: body::body,
    format: FORMAT,
};

pub(crate) struct Ollama {
    exchange: Exchange,
    /// Facts about models, by name. They are requested once and never updated, because Ollama reloads a model if the
    /// context window in a request changes.
    known: Mutex<BTreeMap<String, Knowledge>>,
    untold: AtomicBool,
}

impl Ollama {
    pub(crate) fn new(endpoint: Endpoint, recorder: Option<Arc<Recorder>>) -> Self {
        Self {
            exchange: Exchange::new(endpoint, WIRE).with_recorder(recorder),
            known: Mutex::new(BTreeMap::new()),
            untold: AtomicBool::new(false),
        }
    }

    async fn known(&self, model: &str) -> Result<Knowledge, ProviderError> {
        if let Some(known) = self.known.lock().await.get(model) {
            return Ok(known.clone());
        }
        let told = about::about(&self.exchange.transport, model, PATIENCE).await?;
        self.known.lock().await.insert(model.to_owned(), told.clone());
        Ok(told)
    }

    /// Returns the context window of a model. After one timeout, returns `None` at once if the window is still unknown.
    async fn window(&self, model: &str) -> Option<u64> {
        if let Some(known) = self.known.lock().await.get(model) {
            return known.window;
        }
        if self.untold.load(Ordering::Relaxed) {
            return None;
        }
        // Ignore errors, because the following model request reports the same problem.
        let told = tokio::time::timeout(BEFORE_A_REQUEST, self.known(model)).await;
        if told.is_err() {
            self.untold.store(true, Ordering::Relaxed);
        }
        told.ok()?.ok()?.window
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
                request.window = self.window(&request.model).await;
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
            parse_list,
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

    fn load(
        &self,
        model: &str,
        window: Option<u64>,
        extra_body: &Map<String, Value>,
    ) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        let (model, extra) = (model.to_owned(), extra_body.clone());
        let loading = async move {
            // Load with the window that requests will use. Otherwise, the first request would load the model again.
            let window = match window {
                Some(window) => Some(window),
                None => self.known(&model).await?.window,
            };
            load::load(&self.exchange.transport, &model, window, &extra).await?;
            if let Some(known) = self.known.lock().await.get_mut(&model) {
                known.loaded = Some(true);
            }
            Ok(())
        };
        Some(loading.boxed())
    }

    fn can_pull(&self) -> bool {
        true
    }

    fn pull(&self, model: &str, progress: mpsc::Sender<Pulled>) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        let model = model.to_owned();
        Some(async move { pull::pull(&self.exchange.transport, &model, progress).await }.boxed())
    }

    fn embed(&self, model: &str, texts: &[String]) -> Option<BoxFuture<'_, Result<Vec<Vec<f32>>, ProviderError>>> {
        Some(embeddings::embed(&self.exchange, &embeddings::OLLAMA, model, texts))
    }

    fn warm(&self) {
        self.exchange.transport.warm();
    }
}

#[cfg(test)]
mod tests;
