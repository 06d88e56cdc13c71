//! The effective settings with all defaults, as plain data.

use serde_json::{Map, Value};

use super::log_filter::LogFilter;
use super::models::{AUTO, resolve_model};
use benchdog_base::charset::Charset;
use benchdog_domain::adjustment::{Adjustment, Switched};
use benchdog_domain::agent::{Api, Completion, Mode, ModelRef, SendReasoning, Thinking};
use benchdog_domain::budget::Price;
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::hook::Hook;
use benchdog_domain::notice::ConfigNotice;
use benchdog_domain::permission::{Action, Layer};
use benchdog_domain::pin::Pinned;
use benchdog_domain::server::ServerName;

pub(crate) const DEFAULT_OUTPUT: u64 = 8_192;

#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The model as configured, before `config::resolve_model`. `None` if unset.
    pub model: Option<String>,
    /// The model for summaries. `None` for the main model.
    pub small_model: Option<String>,
    /// The models to use after an endpoint fails.
    pub fallback: Vec<String>,
    /// Providers in configured order. The first is the default.
    pub provider: Vec<(String, ProviderSettings)>,
    /// All keys of `benchdog auth set`, also those without a configured provider.
    pub stored_keys: Vec<String>,
    /// One element for each layer with rules, from the lowest layer to the highest.
    pub permission: Vec<RuleLayer>,
    pub agents: Vec<AgentSettings>,
    pub hooks: Vec<Hook>,
    /// MCP servers in the order of their first definition.
    pub servers: Vec<ServerSettings>,
    /// Language servers in the order of their first definition.
    pub languages: Vec<LanguageSettings>,
    pub tools: Vec<Adjustment>,
    pub instructions: Vec<String>,
    pub compaction: CompactionSettings,
    pub retrieval: RetrievalSettings,
    pub skills: Vec<String>,
    pub commands: Vec<String>,
    pub validation: ValidationSettings,
    /// Encoding of texts that are not UTF-8. `None` to detect the encoding.
    pub encoding: Option<Charset>,
    pub limits: LimitSettings,
    /// Whether Benchdog creates a todo list for a turn that begins with a change, if the model creates none.
    pub opens_list: bool,
    pub sandbox: SandboxSettings,
    pub engine: EngineSettings,
    pub ui: UiSettings,
    pub logs: LogSettings,
    /// Maximum size of a file in checkpoints, in bytes. Checkpoints skip larger files.
    pub checkpoint_max_file: u64,
    /// Number of days for which outputs of tools are stored.
    pub cache_days: u64,
    /// Co-author for `/commit`, as `NAME <MAIL>`.
    pub co_author: Option<String>,
    pub network: NetworkSettings,
    pub web: WebSettings,
    pub voice: VoiceSettings,
    /// Address of the telemetry collector. `None` to send nothing.
    pub telemetry_endpoint: Option<String>,
    pub insisted: Insisted,
    /// Custom instructions that replace the built-in working instructions.
    pub system_prompt: Option<SystemPrompt>,
    pub remarks: Vec<ConfigNotice>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemPrompt {
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Insisted {
    pub temperature: Option<f64>,
    /// The context window of the initial model.
    pub context: Option<u64>,
    /// Name of the only provider whose server may receive requests.
    pub server: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NetworkSettings {
    /// Allows connections only to this machine, private networks and `allowed_hosts`.
    pub offline: bool,
    /// Host names or addresses. `*.example.org` matches all hosts whose names end with `.example.org`.
    pub allowed_hosts: Vec<String>,
    /// An address or `none`. If unset, the usual environment variables such as `HTTPS_PROXY` apply.
    pub proxy: Option<String>,
    pub has_proxy_variables: bool,
    /// Certificates that are trusted in addition to the system's. A `ca_file` of an endpoint replaces this file.
    pub ca_file: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebSettings {
    pub fetch: bool,
    pub search: SearchSettings,
    /// Private hosts that web tools may access, as `host` or `host:port`.
    pub private_hosts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VoiceSettings {
    /// Program and arguments. `{file}` stands for the recording. Empty if unset.
    pub record: Vec<String>,
    pub transcribe: Option<Transcriber>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transcriber {
    /// Program and arguments. The program prints the text. `{file}` stands for the recording.
    Command(Vec<String>),
    /// As `PROVIDER/MODEL`.
    Model(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchSettings {
    pub engine: Option<SearchEngine>,
    /// `${NAME}` in a value refers to a variable of the person.
    pub headers: Vec<(String, String)>,
    pub duckduckgo: bool,
    pub locale: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchEngine {
    SearXng(String),
    /// URL of a search service that returns JSON. The URL contains `{query}`.
    Json(String),
}

impl WebSettings {
    pub fn searches(&self) -> bool {
        self.search.engine.is_some() || self.search.duckduckgo
    }

    pub fn is_on(&self) -> bool {
        self.fetch || self.searches()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProviderSettings {
    pub api: Api,
    pub base_url: String,
    /// Environment variables that may contain the key. If empty, `config::api_key` uses the usual variables.
    pub api_key_env: Vec<String>,
    /// The key of `benchdog auth set`. Used if no variable contains a key.
    pub stored_key: Option<String>,
    pub headers: Vec<(String, String)>,
    pub ca_file: Option<String>,
    pub idle_timeout_s: u64,
    pub strict_tools: StrictTools,
    /// Number of parallel requests that the server supports. `None` to ask the server.
    pub slots: Option<u64>,
    /// Whether a local server loads the model while the person types the first prompt.
    pub warm_up: bool,
    /// Value of `keep_alive` in requests of Ollama's API.
    pub keep_alive: Option<Value>,
    pub models: Vec<(String, ModelSettings)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StrictTools {
    /// Requests strict schemas only from servers that need the request to enforce schemas.
    #[default]
    Auto,
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolStyle {
    /// Calls as structured fields, or as text if the server reports that the model does not support tools.
    #[default]
    Auto,
    Native,
    Text,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// Context window in tokens. `None` to ask the server.
    pub context: Option<u64>,
    pub output: u64,
    pub tools: ToolStyle,
    pub reasoning: SendReasoning,
    /// Whether the model reads images. `None` to ask the server.
    pub vision: Option<bool>,
    pub completion: Completion,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    /// Reasoning effort if the session sets none. `None` for the server's default.
    pub thinking: Option<Thinking>,
    /// Another name of the model for `resolve_model`.
    pub alias: Option<String>,
    pub price: Option<Price>,
    pub extra_body: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleLayer {
    pub layer: Layer,
    /// Location of the `permission` key, as `file:line`.
    pub origin: String,
    /// Patterns and actions by tool or `*`. A rule without patterns has the pattern `*`.
    pub rules: Vec<(String, Vec<(String, Action)>)>,
    /// Keys and patterns of rules that grant network access in the sandbox.
    pub network: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AgentSettings {
    pub name: String,
    pub description: String,
    pub mode: Option<Mode>,
    pub hidden: bool,
    pub model: Option<String>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub steps: Option<u32>,
    pub completion: Option<Completion>,
    pub prompt: Option<String>,
    /// Lists of allowed and forbidden tools, one list for each layer.
    pub tools: Vec<Vec<String>>,
    /// One element for each layer with rules, from the lowest layer to the highest.
    pub permission: Vec<RuleLayer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    pub name: ServerName,
    pub enabled: bool,
    pub place: ServerPlace,
    pub timeout_ms: u64,
    pub start_timeout_ms: u64,
    pub disabled_tools: Vec<String>,
    pub layer: Layer,
    /// Trusted project files that the command of a project's server uses.
    pub pinned: Vec<Pinned>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LanguageSettings {
    pub name: String,
    pub enabled: bool,
    pub program: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Glob patterns of the files that the language server checks.
    pub files: Vec<String>,
    pub settings: Value,
    /// Whether to report warnings like errors.
    pub warnings: bool,
    /// Folders that the server may write in its sandbox.
    pub writable: Vec<String>,
    pub layer: Layer,
    /// Trusted project files that the command of a project's server uses.
    pub pinned: Vec<Pinned>,
}

/// `${NAME}` in a value refers to a variable of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerPlace {
    Program {
        program: String,
        arguments: Vec<String>,
        environment: Vec<(String, String)>,
        /// Working folder, relative to the workspace. `None` for the workspace itself.
        cwd: Option<String>,
    },
    Address(Box<ServerAddress>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddress {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub auth: ServerAuth,
    /// Variable names. The first variable that is set contains the token.
    pub token_env: Vec<String>,
    /// Client id for the sign-in. If `None`, Benchdog registers a client with the server.
    pub client_id: Option<String>,
    /// Variable names. The first variable that is set contains the client secret.
    pub client_secret_env: Vec<String>,
    /// Scopes to request. If empty, Benchdog requests the scopes that the server announces.
    pub scopes: Vec<String>,
    /// Port of the redirect URL. 0 for any free port.
    pub callback_port: u16,
    /// URL of a metadata document, for servers that identify clients by such a document.
    pub client_metadata_url: Option<String>,
    pub client_key: Option<SecretPlace>,
    pub identity: Option<IdentitySettings>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretPlace {
    /// Variable names. The first variable that is set contains the secret.
    Variables(Vec<String>),
    File(String),
}

/// An identity provider of a company, and the service that exchanges its tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentitySettings {
    pub url: String,
    pub client_id: String,
    /// Variable names. The first variable that is set contains the client secret.
    pub client_secret_env: Vec<String>,
    pub token: SecretPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerAuth {
    None,
    Token,
    OAuth,
    ClientCredentials,
    CrossApp,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CompactionSettings {
    pub auto: bool,
    pub prune: bool,
    /// Fill level of the context window that triggers a compaction, as a fraction of the space for requests.
    pub threshold: f64,
    /// Fill levels for warnings, in percent.
    pub warn: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RetrievalSettings {
    pub index: RetrievalIndex,
    /// The model that embeds files and questions. `None` to rank by words only.
    pub embedding_model: Option<String>,
    /// Maximum size of the repository map in the first prompt, in tokens. `None` for no map.
    pub map_tokens: Option<u64>,
}

/// Index for search in the repository. The tool `search_semantic` exists only with an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RetrievalIndex {
    #[default]
    Off,
    Lexical,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct LimitSettings {
    pub steps: Option<u32>,
    pub tokens: Option<u64>,
    pub cost: Option<f64>,
    pub checks: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationSettings {
    pub auto: bool,
    pub command: Option<String>,
    /// The layer that sets the command. A project's command still needs approval.
    pub command_layer: Layer,
    pub network: Network,
}

impl ValidationSettings {
    pub fn switched(&self) -> Switched {
        if self.auto { Switched::On } else { Switched::Off }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SandboxSettings {
    /// Sandbox level. If `None`, the level depends on how Benchdog was started.
    pub level: Option<Level>,
    pub network: Network,
    pub writable: Vec<String>,
    /// Variables that commands receive although their names look like secrets.
    pub pass_env: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineSettings {
    /// Whether every workbench runs detached, and so outlives its terminal.
    pub detaches: bool,
    /// Minutes until an idle detached workbench ends.
    pub idle_minutes: u64,
    /// Minutes until a request is denied while no terminal is attached. `None` for no limit.
    pub deny_after_minutes: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UiSettings {
    pub theme: String,
    pub language: String,
    /// Key bindings as configured. The crate `keys` parses them.
    pub keys: Vec<(String, Vec<String>)>,
    pub mouse: bool,
    pub notify: String,
    pub vim: bool,
    pub confirm_exit: bool,
    /// Whether `Alt+Y` and `Alt+N` decide a request without focus.
    pub alt_decides: bool,
    /// Whether the terminal draws ambiguous characters (East Asian Width) two columns wide.
    pub ambiguous_wide: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSettings {
    pub level: LogFilter,
    /// Maximum size of a log file in bytes. A larger log file is rotated.
    pub max_bytes: u64,
    /// Number of log files, including the current one.
    pub files: u64,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            context: None,
            output: DEFAULT_OUTPUT,
            tools: ToolStyle::Auto,
            reasoning: SendReasoning::Auto,
            vision: None,
            completion: Completion::Text,
            temperature: None,
            top_p: None,
            thinking: None,
            alias: None,
            price: None,
            extra_body: Map::new(),
        }
    }
}

impl Settings {
    /// Returns the settings of the web tools. `None` if they are disabled or `network.offline` is on.
    pub fn web(&self) -> Option<&WebSettings> {
        (self.web.is_on() && !self.network.offline).then_some(&self.web)
    }

    pub fn strict_tools(&self, model: &ModelRef) -> StrictTools {
        self.provider(&model.provider)
            .map_or(StrictTools::default(), |provider| provider.strict_tools)
    }

    pub fn asked(&self) -> impl Iterator<Item = &str> {
        let names = self.provider.iter().map(|(name, _)| name.as_str());
        names.filter(|name| self.insisted.server.is_none_or(|only| only == *name))
    }

    pub fn provider(&self, name: &str) -> Option<&ProviderSettings> {
        self.provider
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, settings)| settings)
    }

    pub fn proving(&self) -> Vec<ModelRef> {
        let models = self.provider.iter().flat_map(|(provider, settings)| {
            let proving = settings
                .models
                .iter()
                .filter(|(_, model)| model.completion == Completion::Evidence);
            proving.map(move |(id, _)| ModelRef {
                provider: provider.clone(),
                id: id.clone(),
            })
        });
        models.collect()
    }

    pub fn wants_proof(&self) -> bool {
        let mut agents = self.agents.iter();
        agents.any(|agent| agent.completion == Some(Completion::Evidence)) || !self.proving().is_empty()
    }

    pub fn prices(&self) -> Vec<(ModelRef, Price)> {
        let models = self.provider.iter().flat_map(|(provider, settings)| {
            let models = settings.models.iter();
            models.map(move |(id, settings)| (provider, id, settings.price))
        });
        let priced = models.filter_map(|(provider, id, price)| {
            let model = ModelRef {
                provider: provider.clone(),
                id: id.clone(),
            };
            Some((model, price?))
        });
        priced.collect()
    }

    pub fn model_settings(&self, model: &ModelRef) -> ModelSettings {
        let provider = self.provider(&model.provider);
        let mut configured = provider
            .and_then(|provider| provider.models.iter().find(|(id, _)| *id == model.id))
            .map(|(_, settings)| settings.clone())
            .unwrap_or_default();
        if let Some(stay) = provider.and_then(|provider| provider.keep_alive.clone()) {
            // The model's setting takes precedence.
            configured.extra_body.entry("keep_alive").or_insert(stay);
        }
        let context = self.insisted.context.filter(|_| self.begins_with(model));
        ModelSettings {
            temperature: self.insisted.temperature.or(configured.temperature),
            context: context.or(configured.context),
            ..configured
        }
    }

    fn begins_with(&self, model: &ModelRef) -> bool {
        let first = self.model.as_deref().map(|text| resolve_model(text, self));
        first.is_none_or(|first| first.is_ok_and(|first| first == *model) || self.model.as_deref() == Some(AUTO))
    }
}
