//! The settings that something acts on, as plain data with every default filled in. Files and layers are read elsewhere.

use serde_json::{Map, Value};

use super::log_filter::LogFilter;
use super::models::{AUTO, resolve_model};
use crate::base::charset::Charset;
use crate::domain::adjustment::Adjustment;
use crate::domain::agent::{Api, Completion, Mode, ModelRef, SendReasoning};
use crate::domain::budget::Price;
use crate::domain::confinement::{Level, Network};
use crate::domain::hook::Hook;
use crate::domain::notice::ConfigNotice;
use crate::domain::permission::{Action, Layer};
use crate::domain::pin::Pinned;
use crate::domain::server::ServerName;

/// The most tokens of one answer where nothing else is said.
pub(crate) const DEFAULT_OUTPUT: u64 = 8_192;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    /// As written; `config::resolve_model` makes a `ModelRef` of it. `None`: nothing was configured.
    pub(crate) model: Option<String>,
    /// Who summarises, as written; `None`: the model itself.
    pub(crate) small_model: Option<String>,
    /// Who is asked when an endpoint fails, as written.
    pub(crate) fallback: Vec<String>,
    /// In the order they were configured; the first is the default.
    pub(crate) provider: Vec<(String, ProviderSettings)>,
    /// Every key that `benchdog auth set` keeps, whether one of the providers has it or not.
    pub(crate) stored_keys: Vec<String>,
    /// One element a layer that has rules, farthest first.
    pub(crate) permission: Vec<RuleLayer>,
    /// In the order they were first named.
    pub(crate) agents: Vec<AgentSettings>,
    /// In the order they are asked.
    pub(crate) hooks: Vec<Hook>,
    /// Servers of tools, in the order they were first named.
    pub(crate) servers: Vec<ServerSettings>,
    /// What is said of tools.
    pub(crate) tools: Vec<Adjustment>,
    pub(crate) instructions: Vec<String>,
    pub(crate) compaction: CompactionSettings,
    /// Folders with skills.
    pub(crate) skills: Vec<String>,
    /// Folders with commands.
    pub(crate) commands: Vec<String>,
    pub(crate) validation: ValidationSettings,
    /// Encoding of texts that are not UTF-8. `None`: detected.
    pub(crate) encoding: Option<Charset>,
    pub(crate) limits: LimitSettings,
    /// A turn that begins with a change gets a list where the model keeps none.
    pub(crate) opens_list: bool,
    pub(crate) sandbox: SandboxSettings,
    pub(crate) ui: UiSettings,
    pub(crate) logs: LogSettings,
    pub(crate) network: NetworkSettings,
    pub(crate) insisted: Insisted,
    /// In the place of how to work; `None`: ours.
    pub(crate) system_prompt: Option<SystemPrompt>,
    /// What is to be said of how it is written.
    pub(crate) remarks: Vec<ConfigNotice>,
}

/// A prompt of the person's own or of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SystemPrompt {
    /// As the configuration calls it.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// What the command line says of models, whatever is configured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Insisted {
    /// For every model.
    pub(crate) temperature: Option<f64>,
    /// The window of the model the program begins with.
    pub(crate) context: Option<u64>,
    /// The one server that is asked: nothing that is meant for it goes to another.
    pub(crate) server: Option<&'static str>,
}

/// How model servers are reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct NetworkSettings {
    /// Only this machine, private networks and `allowed_hosts`.
    pub(crate) offline: bool,
    /// Names or addresses; `*.example.org` means all hosts under it.
    pub(crate) allowed_hosts: Vec<String>,
    /// An address, or `none`; without it the usual variables say.
    pub(crate) proxy: Option<String>,
    /// One of these variables is set.
    pub(crate) has_proxy_variables: bool,
    /// Certificates that are trusted beside those of the system, for every endpoint without a `ca_file` of its own.
    pub(crate) ca_file: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProviderSettings {
    pub(crate) api: Api,
    pub(crate) base_url: String,
    /// Empty: the usual variables, see `config::api_key`.
    pub(crate) api_key_env: Vec<String>,
    /// What `benchdog auth set` keeps for it; counts where no variable holds a key.
    pub(crate) stored_key: Option<String>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) ca_file: Option<String>,
    pub(crate) idle_timeout_s: u64,
    pub(crate) strict_tools: StrictTools,
    /// Whether a server on this machine loads the model while the first prompt is typed.
    pub(crate) warm_up: bool,
    /// Sent with each request of Ollama's API.
    pub(crate) keep_alive: Option<Value>,
    pub(crate) models: Vec<(String, ModelSettings)>,
}

/// Whether the server is asked to hold calls to the schemas of their tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum StrictTools {
    /// Where it is known to need that.
    #[default]
    Auto,
    On,
    Off,
}

/// How tool calls travel, as it is configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ToolStyle {
    /// In fields of their own, unless the server says that the model knows no tools.
    #[default]
    Auto,
    Native,
    Text,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelSettings {
    /// The window in tokens; `None`: ask the server.
    pub(crate) context: Option<u64>,
    pub(crate) output: u64,
    pub(crate) tools: ToolStyle,
    pub(crate) reasoning: SendReasoning,
    /// It reads images.
    pub(crate) vision: bool,
    /// What ends a turn of it, whoever works.
    pub(crate) completion: Completion,
    pub(crate) temperature: Option<f64>,
    pub(crate) price: Option<Price>,
    pub(crate) extra_body: Map<String, Value>,
}

/// The permission rules of one layer, in the order they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleLayer {
    pub(crate) layer: Layer,
    /// `file:line` of its `permission`.
    pub(crate) origin: String,
    /// A tool or `*`, and for it patterns with their action; a rule without patterns is the pattern `*`.
    pub(crate) rules: Vec<(String, Vec<(String, Action)>)>,
    /// The keys and patterns of those that grant the network inside the sandbox.
    pub(crate) network: Vec<(String, String)>,
}

/// What is written of one agent. What is not said is as it is by itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AgentSettings {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) mode: Option<Mode>,
    pub(crate) hidden: bool,
    /// As written.
    pub(crate) model: Option<String>,
    pub(crate) temperature: Option<f64>,
    pub(crate) steps: Option<u32>,
    pub(crate) completion: Option<Completion>,
    pub(crate) prompt: Option<String>,
    /// One element a layer, as written.
    pub(crate) tools: Vec<Vec<String>>,
    /// One element a layer that has rules, farthest first.
    pub(crate) permission: Vec<RuleLayer>,
}

/// A server that offers tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerSettings {
    pub(crate) name: ServerName,
    pub(crate) enabled: bool,
    pub(crate) place: ServerPlace,
    pub(crate) timeout_ms: u64,
    /// For its start and its lists alone.
    pub(crate) start_timeout_ms: u64,
    /// Of its tools, by its own names for them.
    pub(crate) disabled_tools: Vec<String>,
    /// Where it is set.
    pub(crate) layer: Layer,
    /// Of one that a folder brought along: the files of the folder in its command, as they were when trust was asked for.
    pub(crate) pinned: Vec<Pinned>,
}

/// Where a server of tools is. What is written there may have `${NAME}` in it, which stands for a variable of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ServerPlace {
    /// A program that is started.
    Program {
        program: String,
        arguments: Vec<String>,
        environment: Vec<(String, String)>,
        /// Where it is started, from the folder on; `None`: in the folder itself.
        cwd: Option<String>,
    },
    /// An address that is asked.
    Address(Box<ServerAddress>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerAddress {
    pub(crate) url: String,
    /// Sent with each request.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) auth: ServerAuth,
    /// Variables that may hold a token; the first that is set counts.
    pub(crate) token_env: Vec<String>,
    /// As whom one signs in; `None`: as somebody who is written down for it.
    pub(crate) client_id: Option<String>,
    /// Variables that may hold the secret of that client; the first that is set counts.
    pub(crate) client_secret_env: Vec<String>,
    /// What is asked for; nothing: what the server names.
    pub(crate) scopes: Vec<String>,
    /// The port one comes back to; 0: any.
    pub(crate) callback_port: u16,
    /// What describes us where clients are known by the address of their description.
    pub(crate) client_metadata_url: Option<String>,
    /// The private key with which that client proves who it is.
    pub(crate) client_key: Option<SecretPlace>,
    /// An identity that is exchanged for a token; `None`: nothing is.
    pub(crate) identity: Option<IdentitySettings>,
}

/// Where a secret is that stands in no configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SecretPlace {
    /// The first of these variables that is set.
    Variables(Vec<String>),
    /// A file that nobody else may read.
    File(String),
}

/// Who the person is where they work, and who exchanges that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IdentitySettings {
    pub(crate) url: String,
    /// As whom one asks there.
    pub(crate) client_id: String,
    /// Variables that may hold the secret of that client; the first that is set counts.
    pub(crate) client_secret_env: Vec<String>,
    pub(crate) token: SecretPlace,
}

/// How a server gets to know who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerAuth {
    /// Not at all.
    None,
    /// By a token that the person has.
    Token,
    /// By a sign-in, where it wants one.
    OAuth,
    /// By what a client of ours proves, and nobody signs in.
    ClientCredentials,
    /// By an identity of the person that is exchanged, and nobody signs in.
    CrossApp,
}

/// What happens when the window fills.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CompactionSettings {
    pub(crate) auto: bool,
    pub(crate) prune: bool,
    /// The part of the room for requests at which it begins.
    pub(crate) threshold: f64,
    /// The parts at which it is said, in percent.
    pub(crate) warn: Vec<u64>,
}

/// Where a turn stops. `None`: as the front end has it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct LimitSettings {
    pub(crate) steps: Option<u32>,
    pub(crate) tokens: Option<u64>,
    pub(crate) cost: Option<f64>,
    /// How often the check may run in one turn.
    pub(crate) checks: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValidationSettings {
    pub(crate) auto: bool,
    pub(crate) command: Option<String>,
    /// Where the command was set. A project's own word for it still asks.
    pub(crate) command_layer: Layer,
    pub(crate) network: Network,
}

/// How far commands are held in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SandboxSettings {
    /// `None`: it follows from how the program was started.
    pub(crate) level: Option<Level>,
    pub(crate) network: Network,
    /// Further folders that may be written, as written.
    pub(crate) writable: Vec<String>,
    /// Variables that commands get although they look like secrets.
    pub(crate) pass_env: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UiSettings {
    pub(crate) theme: String,
    pub(crate) language: String,
    /// Action and its keys, as written; `keys` understands them.
    pub(crate) keys: Vec<(String, Vec<String>)>,
    pub(crate) mouse: bool,
    /// How the person is called.
    pub(crate) notify: String,
    /// The prompt is edited as in vi.
    pub(crate) vim: bool,
    /// Leaving asks where it would stop something.
    pub(crate) confirm_exit: bool,
    /// `Alt+Y` and `Alt+N` decide without the focus.
    pub(crate) alt_decides: bool,
    /// The terminal draws letters of ambiguous width in two columns.
    pub(crate) ambiguous_wide: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogSettings {
    pub(crate) level: LogFilter,
    /// Bytes after which a file is put aside.
    pub(crate) max_bytes: u64,
    /// Files that are kept, the current one included.
    pub(crate) files: u64,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            context: None,
            output: DEFAULT_OUTPUT,
            tools: ToolStyle::Auto,
            reasoning: SendReasoning::Auto,
            vision: false,
            completion: Completion::Text,
            temperature: None,
            price: None,
            extra_body: Map::new(),
        }
    }
}

impl Settings {
    pub(crate) fn strict_tools(&self, model: &ModelRef) -> StrictTools {
        self.provider(&model.provider)
            .map_or(StrictTools::default(), |provider| provider.strict_tools)
    }

    /// The providers whose servers may be asked for a model of theirs.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &str> {
        let names = self.provider.iter().map(|(name, _)| name.as_str());
        names.filter(|name| self.insisted.server.is_none_or(|only| only == *name))
    }

    pub(crate) fn provider(&self, name: &str) -> Option<&ProviderSettings> {
        self.provider
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, settings)| settings)
    }

    /// The models whose turns end with places.
    pub(crate) fn proving(&self) -> Vec<ModelRef> {
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

    /// Whether an agent or a model may end its turns with places.
    pub(crate) fn wants_proof(&self) -> bool {
        let mut agents = self.agents.iter();
        agents.any(|agent| agent.completion == Some(Completion::Evidence)) || !self.proving().is_empty()
    }

    pub(crate) fn prices(&self) -> Vec<(ModelRef, Price)> {
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

    /// What is configured for a model; the defaults where nothing is.
    pub(crate) fn model_settings(&self, model: &ModelRef) -> ModelSettings {
        let provider = self.provider(&model.provider);
        let mut configured = provider
            .and_then(|provider| provider.models.iter().find(|(id, _)| *id == model.id))
            .map(|(_, settings)| settings.clone())
            .unwrap_or_default();
        if let Some(stay) = provider.and_then(|provider| provider.keep_alive.clone()) {
            // What is said of one model counts for it.
            configured.extra_body.entry("keep_alive").or_insert(stay);
        }
        let context = self.insisted.context.filter(|_| self.begins_with(model));
        ModelSettings {
            temperature: self.insisted.temperature.or(configured.temperature),
            context: context.or(configured.context),
            ..configured
        }
    }

    /// Whether it is the model the program begins with, as far as that is known.
    fn begins_with(&self, model: &ModelRef) -> bool {
        let first = self.model.as_deref().map(|text| resolve_model(text, self));
        first.is_none_or(|first| first.is_ok_and(|first| first == *model) || self.model.as_deref() == Some(AUTO))
    }
}
