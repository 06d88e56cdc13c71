//! Agent profiles, models, and known facts about model servers.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// The name of an agent profile. Sessions start with `build`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct AgentName(pub String);

pub const BUILD: &str = "build";
pub const PLAN: &str = "plan";
pub const ACCEPT_EDITS: &str = "accept-edits";
pub const AUTO: &str = "auto";
pub const CHAT: &str = "chat";
pub const GENERAL: &str = "general";
pub const EXPLORE: &str = "explore";
pub const SUMMARY: &str = "summary";
/// Agent that writes session titles, if the configuration gives it a model.
pub const TITLE: &str = "title";

pub fn meant(name: &str) -> &str {
    match name {
        "default" => BUILD,
        "auto-approve" => ACCEPT_EDITS,
        name => name,
    }
}
/// Agent that reviews changed files as a subagent. A person cannot select it.
pub const REVIEW: &str = "review";

impl Default for AgentName {
    fn default() -> Self {
        Self(BUILD.to_owned())
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    #[default]
    Primary,
    Subagent,
}

impl Mode {
    pub(crate) const ALL: [Self; 2] = [Self::Primary, Self::Subagent];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Subagent => "subagent",
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Completion {
    #[default]
    Text,
    Evidence,
}

impl Completion {
    pub(crate) const ALL: [Self; 2] = [Self::Text, Self::Evidence];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Evidence => "evidence",
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|completion| completion.word() == word)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Briefed {
    pub agent: AgentName,
    pub briefing: String,
    pub steps: Option<u32>,
    pub model: Option<ModelRef>,
    pub completion: Completion,
    pub hands_over: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentOffer {
    pub agent: AgentName,
    pub description: String,
    pub current: bool,
}

/// A model of a configured provider. `id` is sent to the server verbatim, and may contain slashes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ModelRef {
    pub provider: String,
    pub id: String,
}

impl ModelRef {
    pub fn none() -> Self {
        Self {
            provider: String::new(),
            id: String::new(),
        }
    }

    /// Returns the display name, which is not always unique.
    pub fn short(&self) -> String {
        format!("{}/{}", self.provider, short_model(&self.id))
    }
}

impl std::fmt::Display for ModelRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.provider, self.id)
    }
}

/// Returns the display name of a model. llama.cpp names a model by the path of its file.
pub fn short_model(id: &str) -> &str {
    let path = id.strip_suffix(".gguf");
    path.map_or(id, |path| path.rsplit(['/', '\\']).next().unwrap_or(path))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    #[default]
    OpenAi,
    Ollama,
    Anthropic,
    #[serde(rename = "openai-responses")]
    Responses,
}

impl Api {
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::Ollama, Self::Anthropic, Self::Responses];

    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::Anthropic => "anthropic",
            Self::Responses => "openai-responses",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    #[default]
    Native,
    Text,
    /// The model is too small for tools, so it gets none.
    Off,
}

/// Request settings that must not change until the messages are rebuilt, because a change makes the server's prompt
/// cache useless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    pub protocol: Protocol,
    pub strict: bool,
    pub short_ids: bool,
    /// Replaces the configured value after the server rejected a request. `None` without a rejection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<SendReasoning>,
}

/// Selects the reasoning of earlier answers that is sent back to the server. The choice depends only on the answer
/// itself, so a sent message never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendReasoning {
    #[default]
    Auto,
    Never,
    Turn,
    Always,
    /// Sends reasoning of answers with calls. An answer without reasoning gets an empty field, because some servers
    /// reject a call without the field.
    Required,
}

impl SendReasoning {
    pub fn of(word: &str) -> Option<Self> {
        Some(match word {
            "auto" => Self::Auto,
            "never" => Self::Never,
            "turn" => Self::Turn,
            "always" => Self::Always,
            _ => return None,
        })
    }
}

/// A problem with a session's endpoint that would make the first prompt fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointTrouble {
    Unreachable,
    KeyRejected,
    ModelMissing,
}

/// State of a discovered model server, from its response to a request for its models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    Ready,
    /// The server lists its models only with an API key.
    NeedsKey,
    /// The server is still loading its model. llama.cpp gives no other response during that time.
    Loading,
}

/// Facts that a server reports about itself and one of its models. A field is `None` if not reported.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Knowledge {
    pub server: Option<Server>,
    pub window: Option<u64>,
    pub most: Option<u64>,
    pub trained: Option<u64>,
    pub weights: Option<u64>,
    /// Whether the model's chat template supports tools. If not, the server drops tools silently.
    pub tools: Option<bool>,
    pub vision: Option<bool>,
    pub thinking: Option<bool>,
    /// Whether the server enforces tool schemas only on request.
    #[serde(skip)]
    pub strict: bool,
    pub counts: Option<bool>,
    pub loaded: Option<bool>,
    pub slots: Option<u64>,
    /// The models that the server lists. Set only if the list does not contain this model.
    #[serde(skip)]
    pub listed_others: Option<Vec<String>>,
}

impl Knowledge {
    pub fn is(&self, program: Program) -> bool {
        self.server.as_ref().is_some_and(|server| server.program == program)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub program: Program,
    pub version: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    LlamaCpp,
    Ollama,
    Vllm,
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.program {
            Program::LlamaCpp => "llama.cpp",
            Program::Ollama => "Ollama",
            Program::Vllm => "vLLM",
        })?;
        match &self.version {
            Some(version) => write!(f, " {version}"),
            None => Ok(()),
        }
    }
}

impl Serialize for Server {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    Off,
    Low,
    Medium,
    High,
}

impl Thinking {
    pub const ALL: [Self; 4] = [Self::Off, Self::Low, Self::Medium, Self::High];

    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|thinking| thinking.word() == word)
    }
}

/// Sampling parameters. `None` falls back to the configuration, then to the server's default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Sampling {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<Thinking>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelOffer {
    pub model: ModelRef,
    pub context: Option<u64>,
}
