//! Who works and on which model.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

/// The name of an agent profile; `build` is the one every session starts with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct AgentName(pub(crate) String);

/// The agents that are always there.
pub(crate) const BUILD: &str = "build";
pub(crate) const PLAN: &str = "plan";
pub(crate) const ACCEPT_EDITS: &str = "accept-edits";
/// For work of its own beside the one who gives it away.
pub(crate) const GENERAL: &str = "general";
/// Looks through a project, and changes nothing.
pub(crate) const EXPLORE: &str = "explore";
/// Writes what a compaction carries of earlier turns.
pub(crate) const SUMMARY: &str = "summary";

/// The agent that is meant by a name: some are called otherwise elsewhere.
pub(crate) fn meant(name: &str) -> &str {
    match name {
        "default" => BUILD,
        "auto-approve" => ACCEPT_EDITS,
        name => name,
    }
}
/// Looks at changed files and hands over what it finds; for a session of its own, and never chosen there.
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

/// What an agent is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// A person works with it.
    #[default]
    Primary,
    /// Another agent gives it work.
    Subagent,
}

impl Mode {
    pub(crate) const ALL: [Self; 2] = [Self::Primary, Self::Subagent];

    /// As a person writes it.
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

/// What ends a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Completion {
    /// Text without calls.
    #[default]
    Text,
    /// `done`, with the places that show what was said.
    Evidence,
}

impl Completion {
    pub(crate) const ALL: [Self; 2] = [Self::Text, Self::Evidence];

    /// As a person writes it.
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

/// Who works in a session, as its machine knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Briefed {
    pub(crate) agent: AgentName,
    /// What the model is told where another worked before.
    pub(crate) briefing: String,
    /// Requests a turn of it may make; `None`: as many as any other's.
    pub(crate) steps: Option<u32>,
    /// Its own model.
    pub(crate) model: Option<ModelRef>,
    pub(crate) completion: Completion,
    /// The tool without which a turn of it is not over.
    pub(crate) hands_over: Option<String>,
}

/// One agent a person may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentOffer {
    pub(crate) agent: AgentName,
    /// What it is for, as whoever wrote it says; empty for those that are always there.
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
    /// What stands where no model is known yet. No provider has this name.
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

/// The protocol an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Api {
    /// Chat completions, as most servers speak them.
    #[default]
    OpenAi,
    /// Ollama's own.
    Ollama,
    /// The messages of Anthropic.
    Anthropic,
}

impl Api {
    pub(crate) const ALL: [Self; 3] = [Self::OpenAi, Self::Ollama, Self::Anthropic];

    /// As the configuration and recordings name it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::Anthropic => "anthropic",
        }
    }
}

/// How tool calls travel to a model and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Protocol {
    /// In fields of their own.
    #[default]
    Native,
    /// As text, which the system prompt teaches.
    Text,
}

/// What is fixed with the first of the requests that begin alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) protocol: Protocol,
    /// The server is asked to hold calls to the schemas of their tools.
    pub(crate) strict: bool,
    /// Ids of nine letters.
    pub(crate) short_ids: bool,
    /// What the server refused teaches more than the configuration says; `None`: nothing was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning: Option<SendReasoning>,
}

/// Which reasoning of earlier answers goes back to the model in a field of its own. It depends on the answer alone, never on what
/// follows, so that a message once sent never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SendReasoning {
    /// That of answers with calls, by the same model and in the field in which it came.
    #[default]
    Auto,
    Never,
    /// That of answers with calls: the steps of a turn.
    Turn,
    /// That of every answer.
    Always,
    /// That of answers with calls; where there is none, an empty field. Some servers refuse a call without it.
    Required,
}

impl SendReasoning {
    /// By the word of the configuration.
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

/// What a server tells of itself and of one of its models; `None` where it does not tell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Knowledge {
    pub(crate) server: Option<Server>,
    /// The tokens a request and its answer may have.
    pub(crate) window: Option<u64>,
    /// The most that a configured window can be.
    pub(crate) most: Option<u64>,
    /// The window the model was trained for.
    pub(crate) trained: Option<u64>,
    /// Whether the model is told of tools: a template without them drops them in silence.
    pub(crate) tools: Option<bool>,
    /// Whether it reads images.
    pub(crate) vision: Option<bool>,
    pub(crate) thinking: Option<bool>,
    /// Whether the server holds calls to the schemas of their tools only where it is asked to.
    #[serde(skip)]
    pub(crate) strict: bool,
    /// Whether the server counts the tokens of a text when asked.
    pub(crate) counts: Option<bool>,
    /// Whether the model is in memory.
    pub(crate) loaded: Option<bool>,
}

impl Knowledge {
    pub(crate) fn is(&self, program: Program) -> bool {
        self.server.as_ref().is_some_and(|server| server.program == program)
    }
}

/// A server that tells what it is, at whichever of its addresses. It is shown as `Ollama 0.12.6`.
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

/// How much a model may think before it answers.
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

    /// As a person writes it.
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

/// How answers are chosen; `None`: as the configuration says, else as the server does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Sampling {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thinking: Option<Thinking>,
}

/// One model a server offers, as a list or picker shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ModelOffer {
    pub(crate) model: ModelRef,
    /// The window in tokens, where the configuration or the server says it.
    pub(crate) context: Option<u64>,
}
