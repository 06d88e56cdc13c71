//! Agent profiles, models, and what is known about the servers of models.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

/// The name of an agent profile. Sessions start with `build`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct AgentName(pub(crate) String);

/// Built-in agents.
pub(crate) const BUILD: &str = "build";
pub(crate) const PLAN: &str = "plan";
pub(crate) const ACCEPT_EDITS: &str = "accept-edits";
/// Works as a subagent on a task of its own.
pub(crate) const GENERAL: &str = "general";
/// Reads a project without changing it.
pub(crate) const EXPLORE: &str = "explore";
/// Writes the summary for a compaction.
pub(crate) const SUMMARY: &str = "summary";

pub(crate) fn meant(name: &str) -> &str {
    match name {
        "default" => BUILD,
        "auto-approve" => ACCEPT_EDITS,
        name => name,
    }
}
/// Reviews changed files as a subagent. A person cannot select it.
pub(crate) const REVIEW: &str = "review";

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
pub(crate) enum Mode {
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

    pub(crate) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Completion {
    /// An answer without tool calls.
    #[default]
    Text,
    /// A `done` call that cites evidence.
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

    pub(crate) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|completion| completion.word() == word)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Briefed {
    pub(crate) agent: AgentName,
    /// Instructions for the model when a session switches to this agent.
    pub(crate) briefing: String,
    /// Maximum number of requests per turn. `None` uses the global limit.
    pub(crate) steps: Option<u32>,
    pub(crate) model: Option<ModelRef>,
    pub(crate) completion: Completion,
    /// A tool that must be called before a turn can end.
    pub(crate) hands_over: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentOffer {
    pub(crate) agent: AgentName,
    /// The description from the profile. Empty for built-in agents.
    pub(crate) description: String,
    pub(crate) current: bool,
}

/// A model of a configured provider. `id` is sent to the server verbatim and may contain slashes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ModelRef {
    pub(crate) provider: String,
    pub(crate) id: String,
}

impl ModelRef {
    pub(crate) fn none() -> Self {
        Self {
            provider: String::new(),
            id: String::new(),
        }
    }
}

impl std::fmt::Display for ModelRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.provider, self.id)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Api {
    #[default]
    OpenAi,
    Ollama,
    Anthropic,
}

impl Api {
    pub(crate) const ALL: [Self; 3] = [Self::OpenAi, Self::Ollama, Self::Anthropic];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::Anthropic => "anthropic",
        }
    }
}

/// The format of tool calls between Benchdog and a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Protocol {
    /// Structured fields of the API.
    #[default]
    Native,
    /// Plain text in a format that the system prompt explains.
    Text,
}

/// Settings that stay fixed for requests with the same prefix, so that the server's cache stays valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) protocol: Protocol,
    /// Asks the server to enforce the tools' JSON schemas.
    pub(crate) strict: bool,
    /// Call ids of nine characters.
    pub(crate) short_ids: bool,
    /// Overrides the configuration after the server refused a request. `None` if nothing was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning: Option<SendReasoning>,
}

/// Reasoning of earlier answers that is sent back to the model. The choice depends on each answer alone, so a message never changes once
/// it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SendReasoning {
    /// Reasoning of answers with calls, if the same model wrote it, in the field it arrived in.
    #[default]
    Auto,
    Never,
    Turn,
    Always,
    /// Reasoning of answers with calls, or an empty field if there is none. Some servers refuse a call without the field.
    Required,
}

impl SendReasoning {
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "auto" => Self::Auto,
            "never" => Self::Never,
            "turn" => Self::Turn,
            "always" => Self::Always,
            _ => return None,
        })
    }
}

/// Facts that a server reports about itself and one of its models. `None` if not reported.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Knowledge {
    pub(crate) server: Option<Server>,
    /// Tokens of a request and its answer together.
    pub(crate) window: Option<u64>,
    /// The largest window that can be configured.
    pub(crate) most: Option<u64>,
    /// The window that the model was trained for.
    pub(crate) trained: Option<u64>,
    /// Whether the template of the model has a place for tools. Without one, the server drops them silently.
    pub(crate) tools: Option<bool>,
    pub(crate) vision: Option<bool>,
    pub(crate) thinking: Option<bool>,
    /// Whether the server enforces tool schemas only on request.
    #[serde(skip)]
    pub(crate) strict: bool,
    pub(crate) counts: Option<bool>,
    pub(crate) loaded: Option<bool>,
}

impl Knowledge {
    pub(crate) fn is(&self, program: Program) -> bool {
        self.server.as_ref().is_some_and(|server| server.program == program)
    }
}

/// Name and version of a server. Displayed as `Ollama 0.12.6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) program: Program,
    pub(crate) version: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
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
pub(crate) enum Thinking {
    Off,
    Low,
    Medium,
    High,
}

impl Thinking {
    pub(crate) const ALL: [Self; 4] = [Self::Off, Self::Low, Self::Medium, Self::High];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    pub(crate) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|thinking| thinking.word() == word)
    }
}

/// Sampling parameters. `None` falls back to the configuration, then to the server's default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Sampling {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thinking: Option<Thinking>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ModelOffer {
    pub(crate) model: ModelRef,
    /// The context window in tokens, if the configuration or the server reports it.
    pub(crate) context: Option<u64>,
}
