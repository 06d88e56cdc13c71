//! Model providers: one trait, one module per API.

mod answer;
pub(crate) mod anthropic;
mod ask;
mod body;
pub(crate) mod bounds;
mod calls;
mod cause;
pub(crate) mod certificates;
pub(crate) mod choice;
mod chunk;
pub(crate) mod decoder;
pub(crate) mod discover;
mod exchange;
pub(crate) mod failure;
mod history;
#[cfg(test)]
pub(crate) mod model_server;
pub(crate) mod ollama;
pub(crate) mod openai;
mod outlet;
pub(crate) mod replay;
pub(crate) mod retry;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod sse;
pub(crate) mod textcalls;
mod think;
pub(crate) mod transport;
mod written;

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::mpsc;

use crate::config::settings::ModelSettings;
use crate::domain::agent::{Api, Knowledge, ModelRef, Protocol, SendReasoning, Thinking};
use crate::domain::image::Images;
use crate::domain::message::{Delta, Messages, Reply, Stage, ToolDeclaration};
use failure::ProviderError;
use replay::record::Recorder;
use transport::Endpoint;

/// A complete request. Between compactions, `tools` and parameters stay equal and `messages` only grows.
#[derive(Debug, Clone)]
pub(crate) struct ModelRequest {
    pub(crate) model: String,
    pub(crate) messages: Messages,
    pub(crate) images: Images,
    pub(crate) tools: Arc<[ToolDeclaration]>,
    pub(crate) protocol: Protocol,
    /// The server has sent native calls in this session, so calls in text are leaks.
    pub(crate) calls_itself: bool,
    /// Uses call ids of nine alphanumeric characters, as Mistral templates require.
    pub(crate) short_ids: bool,
    pub(crate) reasoning: SendReasoning,
    pub(crate) strict: bool,
    pub(crate) output: u64,
    /// Asks the server to report its progress in the prompt, if supported.
    pub(crate) tells_reading: bool,
    /// The configured or reported window. `None` if unknown.
    pub(crate) window: Option<u64>,
    pub(crate) temperature: Option<f64>,
    /// `None` for the server's default.
    pub(crate) thinking: Option<Thinking>,
    /// Configured fields, merged into the body last.
    pub(crate) extra_body: serde_json::Map<String, serde_json::Value>,
}

impl ModelRequest {
    /// Creates a request outside of a conversation, without messages and tools.
    pub(crate) fn apart(model: &ModelRef, configured: ModelSettings, output: u64) -> Self {
        Self {
            model: model.id.clone(),
            messages: Messages::default(),
            images: Images::new(),
            tools: Arc::new([]),
            protocol: Protocol::Native,
            calls_itself: false,
            short_ids: false,
            reasoning: configured.reasoning,
            strict: false,
            output,
            tells_reading: false,
            window: configured.context,
            temperature: configured.temperature,
            thinking: None,
            extra_body: configured.extra_body,
        }
    }
}

pub(crate) fn of(api: Api, endpoint: Endpoint, recorder: Option<Arc<Recorder>>) -> Arc<dyn Provider> {
    match api {
        Api::OpenAi => Arc::new(openai::OpenAi::new(endpoint, recorder)),
        Api::Ollama => Arc::new(ollama::Ollama::new(endpoint, recorder)),
        Api::Anthropic => Arc::new(anthropic::Anthropic::new(endpoint, recorder)),
    }
}

pub(crate) fn format_of(api: Api) -> decoder::Format {
    match api {
        Api::OpenAi => openai::FORMAT,
        Api::Ollama => ollama::FORMAT,
        Api::Anthropic => anthropic::FORMAT,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Progress {
    Delta(Delta),
    /// No data has arrived yet.
    Stage(Stage),
    /// An attempt failed, and another follows after `wait_ms`.
    Retrying {
        attempt: u32,
        wait_ms: u64,
        reason: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedModel {
    pub(crate) id: String,
    /// `max_model_len`, `context_length`, or a similar field.
    pub(crate) context: Option<u64>,
    pub(crate) trained: Option<u64>,
    /// `owned_by`, which identifies some servers.
    pub(crate) owner: Option<String>,
}

pub(crate) fn means(id: &str, name: &str) -> bool {
    id == name || id.strip_suffix(":latest") == Some(name)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pulled {
    /// The server's text, such as `pulling 6a0746a1ec1a`.
    pub(crate) step: String,
    /// Bytes of this step.
    pub(crate) total: Option<u64>,
    pub(crate) completed: Option<u64>,
}

impl ListedModel {
    /// Whether a name refers to this model. Ollama's `qwen3` is short for `qwen3:latest`.
    pub(crate) fn is(&self, name: &str) -> bool {
        means(&self.id, name)
    }

    /// Whether the server is llama.cpp, which accepts any model name.
    pub(crate) fn is_llama_cpp(&self) -> bool {
        self.owner.as_deref() == Some("llamacpp")
    }
}

/// A configured endpoint. Dropping a returned future closes the connection, which cancels the work at the server.
pub(crate) trait Provider: Send + Sync {
    /// Streams one answer. `progress` is bounded, and deltas are merged while it is full. Retries never happen after the first text was
    /// reported.
    fn stream(
        &self,
        request: ModelRequest,
        progress: mpsc::Sender<Progress>,
    ) -> BoxFuture<'_, Result<Reply, ProviderError>>;

    /// Prepares the first request without a connection. It may read certificates, so call it in parallel with the first frame.
    fn warm(&self) {}

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>>;

    fn about(&self, model: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>>;

    /// Counts the tokens of a prompt with the server's tokenizer. `None` if unsupported.
    fn count(&self, _request: ModelRequest) -> Option<BoxFuture<'_, Result<u64, ProviderError>>> {
        None
    }

    /// Returns the window with which the model is currently loaded, if reported.
    fn runs_with(&self, _model: &str) -> BoxFuture<'_, Option<u64>> {
        futures::future::ready(None).boxed()
    }

    /// Loads a model with the settings of requests. `None` if unsupported.
    fn load(
        &self,
        _model: &str,
        _window: Option<u64>,
        _extra_body: &serde_json::Map<String, serde_json::Value>,
    ) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        None
    }

    /// Downloads a model. `None` if unsupported.
    fn pull(&self, _model: &str, _progress: mpsc::Sender<Pulled>) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        None
    }
}
