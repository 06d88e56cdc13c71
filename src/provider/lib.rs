//! Model providers: one trait, one module per API.

mod answer;
pub(crate) mod anthropic;
mod ask;
mod body;
pub mod bounds;
mod calls;
mod cause;
pub mod certificates;
pub mod choice;
mod chunk;
#[cfg(test)]
pub(crate) mod corpus;
pub mod decoder;
pub mod discover;
mod embeddings;
mod exchange;
pub mod failure;
pub mod family;
mod history;
pub(crate) mod ollama;
pub mod openai;
mod outlet;
pub mod replay;
pub(crate) mod responses;
pub(crate) mod retry;
#[cfg(test)]
pub(crate) mod sample;
pub mod sse;
pub mod textcalls;
mod think;
pub mod transport;
mod written;

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::mpsc;

use benchdog_config::settings::ModelSettings;
use benchdog_domain::agent::{Api, Knowledge, ModelRef, Protocol, SendReasoning, Thinking};
use benchdog_domain::image::Images;
use benchdog_domain::message::{Delta, Messages, Reply, Stage, ToolDeclaration};
use benchdog_domain::server_error::ServerError;
use failure::ProviderError;
use replay::record::Recorder;
use transport::Endpoint;

/// A complete request. Until the next compaction, `tools` and the parameters stay the same, and `messages` are only
/// appended.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    pub model: String,
    pub messages: Messages,
    pub images: Images,
    pub tools: Arc<[ToolDeclaration]>,
    pub protocol: Protocol,
    /// Whether the server has sent native calls of this model in this session. If so, a call in the text is a call that
    /// the server's parser missed.
    pub calls_itself: bool,
    /// Whether call ids must have nine alphanumeric characters, as Mistral's chat templates require.
    pub short_ids: bool,
    pub reasoning: SendReasoning,
    pub strict: bool,
    pub output: u64,
    /// Whether to request progress reports while the server processes the prompt. Only some servers support them.
    pub tells_reading: bool,
    pub window: Option<u64>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub thinking: Option<Thinking>,
    /// Fields configured by the user. They are merged into the request body last.
    pub extra_body: serde_json::Map<String, serde_json::Value>,
}

impl ModelRequest {
    /// Creates a request outside of a conversation, without messages and tools.
    pub fn new(model: &ModelRef, configured: ModelSettings, output: u64) -> Self {
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
            top_p: configured.top_p,
            thinking: configured.thinking,
            extra_body: configured.extra_body,
        }
    }
}

pub fn new_provider(api: Api, endpoint: Endpoint, recorder: Option<Arc<Recorder>>) -> Arc<dyn Provider> {
    match api {
        Api::OpenAi => Arc::new(openai::OpenAi::new(endpoint, recorder)),
        Api::Ollama => Arc::new(ollama::Ollama::new(endpoint, recorder)),
        Api::Anthropic => Arc::new(anthropic::Anthropic::new(endpoint, recorder)),
        Api::Responses => Arc::new(responses::Responses::new(endpoint, recorder)),
    }
}

pub fn format_of(api: Api) -> decoder::Format {
    match api {
        Api::OpenAi => openai::FORMAT,
        Api::Ollama => ollama::FORMAT,
        Api::Anthropic => anthropic::FORMAT,
        Api::Responses => responses::FORMAT,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    Delta(Delta),
    Stage(Stage),
    /// An attempt failed. The next one follows after `wait_ms`.
    Retrying {
        attempt: u32,
        wait_ms: u64,
        reason: ServerError,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedModel {
    pub id: String,
    /// Context window, from `max_model_len`, `context_length`, or a similar field.
    pub context: Option<u64>,
    pub trained: Option<u64>,
    pub weights: Option<u64>,
    pub owner: Option<String>,
}

pub fn is_same_model(id: &str, name: &str) -> bool {
    id == name || id.strip_suffix(":latest") == Some(name)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pulled {
    /// The server's description of the current step, such as `pulling 6a0746a1ec1a`.
    pub step: String,
    pub total: Option<u64>,
    pub completed: Option<u64>,
}

impl ListedModel {
    /// Whether `name` means this model. Ollama's `qwen3` is short for `qwen3:latest`.
    pub fn is(&self, name: &str) -> bool {
        is_same_model(&self.id, name)
    }

    /// Whether llama.cpp serves the model. llama.cpp accepts any model name in a request.
    pub fn is_llama_cpp(&self) -> bool {
        self.owner.as_deref() == Some("llamacpp")
    }
}

/// Client of a configured endpoint. Dropping a returned future closes the connection and stops the server's work.
pub trait Provider: Send + Sync {
    /// Streams one answer. While the channel `progress` is full, deltas are merged. A failed request is not retried if
    /// text was already reported.
    fn stream(
        &self,
        request: ModelRequest,
        progress: mpsc::Sender<Progress>,
    ) -> BoxFuture<'_, Result<Reply, ProviderError>>;

    /// Prepares the first request while the first frame is drawn, such as by reading certificates. Does not connect.
    fn warm(&self) {}

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>>;

    fn about(&self, model: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>>;

    /// Counts the tokens of a request with the server's tokenizer. `None` if the API does not support that.
    fn count(&self, _request: ModelRequest) -> Option<BoxFuture<'_, Result<u64, ProviderError>>> {
        None
    }

    /// Returns the context window with which the server loaded the model. `None` if the server does not report it.
    fn runs_with(&self, _model: &str) -> BoxFuture<'_, Option<u64>> {
        futures::future::ready(None).boxed()
    }

    /// Loads a model with the settings that requests use. `None` if unsupported.
    fn load(
        &self,
        _model: &str,
        _window: Option<u64>,
        _extra_body: &serde_json::Map<String, serde_json::Value>,
    ) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        None
    }

    /// Transcribes a recording in WAV format. `None` if the API does not support that.
    fn transcribe<'s>(
        &'s self,
        _model: &'s str,
        _recording: &'s [u8],
        _patience: Duration,
    ) -> Option<BoxFuture<'s, Result<String, ProviderError>>> {
        None
    }

    /// Returns the embeddings of the texts, in the same order and with equal dimensions. `None` if unsupported.
    fn embed(&self, _model: &str, _texts: &[String]) -> Option<BoxFuture<'_, Result<Vec<Vec<f32>>, ProviderError>>> {
        None
    }

    fn can_pull(&self) -> bool {
        false
    }

    /// Downloads a model. `None` if the API does not support that.
    fn pull(&self, _model: &str, _progress: mpsc::Sender<Pulled>) -> Option<BoxFuture<'_, Result<(), ProviderError>>> {
        None
    }
}
