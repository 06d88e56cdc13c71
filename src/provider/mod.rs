//! Model endpoints: one trait, one file an API. Knows HTTP; knows nothing of sessions or screens.

mod cause;
pub(crate) mod discover;
pub(crate) mod failure;
#[cfg(test)]
pub(crate) mod model_server;
pub(crate) mod openai;
pub(crate) mod replay;
pub(crate) mod retry;
pub(crate) mod sse;
pub(crate) mod transport;

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::sync::mpsc;

use crate::domain::image::Images;
use crate::domain::message::{Delta, Messages, Reply, ToolDeclaration};
use failure::ProviderError;

/// One request, whole. Between compactions `tools` and the parameters stay equal and `messages` only grows.
#[derive(Debug, Clone)]
pub(crate) struct ModelRequest {
    pub(crate) model: String,
    pub(crate) messages: Messages,
    /// The bytes of the images that messages name.
    pub(crate) images: Images,
    pub(crate) tools: Arc<[ToolDeclaration]>,
    pub(crate) output: u64,
    pub(crate) temperature: Option<f64>,
    /// Merged into the body last, as the configuration says.
    pub(crate) extra_body: serde_json::Map<String, serde_json::Value>,
}

/// What a running request reports while it goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Progress {
    Delta(Delta),
    /// An attempt failed and another follows after `wait_ms`.
    Retrying {
        attempt: u32,
        wait_ms: u64,
        reason: String,
    },
}

/// A model as the server lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedModel {
    pub(crate) id: String,
    /// `max_model_len`, `context_length` or what the server calls it.
    pub(crate) context: Option<u64>,
    /// A llama.cpp server's: the list may tell what the model was trained with, the properties tell what it runs with.
    pub(crate) llama_cpp: bool,
}

/// A configured endpoint. Dropping a returned future closes the connection, which cancels the work at the server.
pub(crate) trait Provider: Send + Sync {
    /// Streams one answer. `progress` is bounded; deltas may be coalesced while it is full. Retries happen inside,
    /// never after the first text was reported.
    fn stream(
        &self,
        request: ModelRequest,
        progress: mpsc::Sender<Progress>,
    ) -> BoxFuture<'_, Result<Reply, ProviderError>>;

    /// Does in advance what the first request would otherwise wait for. It makes no connection but may read certificates, so
    /// call it beside the first frame and not before it.
    fn warm(&self) {}

    /// The models the server offers.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>>;

    /// The tokens a model can hold, as far as its server tells.
    fn window(&self, model: &str) -> BoxFuture<'_, Result<Option<u64>, ProviderError>>;
}
