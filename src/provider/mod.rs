//! Model endpoints: one trait, one file an API. Knows HTTP; knows nothing of sessions or screens.

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

/// One request, whole. Between compactions `tools` and the parameters stay equal and `messages` only grows.
#[derive(Debug, Clone)]
pub(crate) struct ModelRequest {
    pub(crate) model: String,
    pub(crate) messages: Messages,
    /// The bytes of the images that messages name.
    pub(crate) images: Images,
    pub(crate) tools: Arc<[ToolDeclaration]>,
    pub(crate) protocol: Protocol,
    /// The server has sent calls of its own in this session: those that a model writes as text are leaks.
    pub(crate) calls_itself: bool,
    /// Calls go by ids of nine letters and digits, as templates of Mistral's demand.
    pub(crate) short_ids: bool,
    pub(crate) reasoning: SendReasoning,
    /// The server is asked to hold calls to the schemas of their tools.
    pub(crate) strict: bool,
    pub(crate) output: u64,
    /// The server is asked to tell how far it has read, where it is known to understand that.
    pub(crate) tells_reading: bool,
    /// The window the person configured or the server told; `None`: nobody has.
    pub(crate) window: Option<u64>,
    pub(crate) temperature: Option<f64>,
    /// `None`: as the server does by itself.
    pub(crate) thinking: Option<Thinking>,
    /// Merged into the body last, as the configuration says.
    pub(crate) extra_body: serde_json::Map<String, serde_json::Value>,
}

impl ModelRequest {
    /// One that stands by itself, of no conversation: nothing is said in it yet, and no tool goes along.
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

/// An endpoint that speaks `api`.
pub(crate) fn of(api: Api, endpoint: Endpoint, recorder: Option<Arc<Recorder>>) -> Arc<dyn Provider> {
    match api {
        Api::OpenAi => Arc::new(openai::OpenAi::new(endpoint, recorder)),
        Api::Ollama => Arc::new(ollama::Ollama::new(endpoint, recorder)),
        Api::Anthropic => Arc::new(anthropic::Anthropic::new(endpoint, recorder)),
    }
}

/// How the answers of an API are read.
pub(crate) fn format_of(api: Api) -> decoder::Format {
    match api {
        Api::OpenAi => openai::FORMAT,
        Api::Ollama => ollama::FORMAT,
        Api::Anthropic => anthropic::FORMAT,
    }
}

/// What a running request reports while it goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Progress {
    Delta(Delta),
    /// Nothing of the answer is here yet.
    Stage(Stage),
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
    /// What the model was trained for.
    pub(crate) trained: Option<u64>,
    /// `owned_by`, which tells several servers apart.
    pub(crate) owner: Option<String>,
}

/// Whether a name means the model that is listed as `id`.
pub(crate) fn means(id: &str, name: &str) -> bool {
    id == name || id.strip_suffix(":latest") == Some(name)
}

/// How far the server is with fetching a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pulled {
    /// In the server's words, such as `pulling 6a0746a1ec1a`.
    pub(crate) step: String,
    /// Bytes of this step.
    pub(crate) total: Option<u64>,
    pub(crate) completed: Option<u64>,
}

impl ListedModel {
    /// Whether it is meant by a name; Ollama's `qwen3` is short for `qwen3:latest`.
    pub(crate) fn is(&self, name: &str) -> bool {
        means(&self.id, name)
    }

    /// Such a server answers to any name with the one model it has.
    pub(crate) fn is_llama_cpp(&self) -> bool {
        self.owner.as_deref() == Some("llamacpp")
    }
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

    /// What the server tells of itself and of one model.
    fn about(&self, model: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>>;

    /// The tokens of a request's prompt by the server's own tokenizer; `None`: it has no way to ask.
    fn count(&self, _request: ModelRequest) -> Option<BoxFuture<'_, Result<u64, ProviderError>>> {
        None
    }

    /// The window a model runs with at this moment, as far as the server tells.
    fn runs_with(&self, _model: &str) -> BoxFuture<'_, Option<u64>> {
        futures::future::ready(None).boxed()
    }

    /// Has the server take a model into memory, as requests with these settings would; `None`: it cannot be told to.
    fn load(
        &self,
        _model: &str,
        _window: Option<u64>,
        _extra_body: &serde_json::Map<String, serde_json::Value>,
    ) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        None
    }

    /// Has the server fetch a model; `None`: it cannot be told to.
    fn pull(&self, _model: &str, _progress: mpsc::Sender<Pulled>) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        None
    }
}
