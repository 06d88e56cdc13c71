//! Loads files, environment variables and flags into settings with their sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::agent_files;
use super::agents::{self, OfAgent};
use super::check;
use super::earlier;
use super::hooks;
use super::hosts;
use super::layers::{Layers, Origin};
use super::log_filter::LogFilter;
use super::mcp_file;
use super::models::AUTO;
use super::problem::ConfigError;
use super::read;
use super::rule_names;
use super::schema::Kind;
use super::settings::{Insisted, RuleLayer, Settings, SystemPrompt};
use super::stored_keys::StoredKeys;
use super::system_prompt;
use super::tools;
use super::values;
use super::variables;
use benchdog_base::document::{self, Form, Node};
use benchdog_base::environment::Environment;
use benchdog_base::problem::{Location, Problem};
use benchdog_domain::hook::Hook;
use benchdog_domain::notice::ConfigNotice;
use benchdog_domain::permission::{Layer, ToolRules};

#[derive(Debug, Clone)]
pub struct Sources<'a> {
    /// The person's `config.jsonc`, which is optional.
    pub user: PathBuf,
    /// The `.benchdog/config.jsonc` of a trusted folder.
    pub project: Option<ProjectFile>,
    /// The file of `--config` or `BENCHDOG_CONFIG`. The file must exist.
    pub file: Option<PathBuf>,
    /// The file in which `benchdog auth set` stores keys. Optional.
    pub stored_keys: PathBuf,
    pub environment: &'a Environment,
    pub flags: Flags,
    pub tools: &'a [ToolRules],
}

/// The project's file with its trusted content. The file is not read again.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectFile {
    pub path: PathBuf,
    pub bytes: Option<Vec<u8>>,
    /// MCP servers from files in the formats of other programs.
    pub servers: Option<Node>,
    /// Agent and prompt files of the project, by relative path.
    pub texts: BTreeMap<String, Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flags {
    pub mcp: Option<PathBuf>,
    /// An editor's MCP servers, as the text of an MCP file.
    pub servers: Option<String>,
    pub model: Option<String>,
    pub server: Option<ServerFlag>,
    pub insisted: Insisted,
    pub log_level: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerFlag {
    Address(String),
    Ollama(String),
}

impl ServerFlag {
    fn name(&self) -> &'static str {
        match self {
            Self::Address(_) => "--base-url",
            Self::Ollama(_) => "--ollama-host",
        }
    }

    fn base_url(&self) -> String {
        match self {
            Self::Address(address) => address.clone(),
            Self::Ollama(host) => hosts::ollama_address(host),
        }
    }
}

pub(super) const FORM: Form = Form {
    name: "configuration",
    most_kb: 1_000,
};

const ENV: &str = "env";

const OF_EDITOR: &str = "mcpServers";

#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    pub settings: Settings,
    pub layers: Layers,
    pub files: Vec<LoadedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedFile {
    pub layer: Layer,
    pub path: PathBuf,
    pub exists: bool,
}

pub fn load(sources: &Sources<'_>) -> Result<Loaded, ConfigError> {
    let mut reading = Reading::of(sources);
    reading.own_agents(sources);
    reading.file(Layer::User, &sources.user, Needed::No);
    reading.after_the_person(sources)
}

/// Loads a preview of a changed configuration. `user` replaces the content of the person's file.
pub fn load_drafted(sources: &Sources<'_>, user: Vec<u8>) -> Result<Loaded, ConfigError> {
    let mut reading = Reading::of(sources);
    reading.own_agents(sources);
    reading.bytes(Layer::User, &sources.user, Some(user), Needed::No);
    reading.after_the_person(sources)
}

/// Parses a folder's MCP file in the format of other programs. Unsupported content rejects the file.
pub fn servers_of_folder(name: &str, bytes: Vec<u8>) -> Result<Option<Node>, Problem> {
    let text = document::text(name, bytes)?;
    let root = document::parse(name, &text).and_then(|root| root.as_ref().map(mcp_file::document).transpose());
    let problems = match root {
        Ok(None) => return Ok(None),
        Ok(Some(root)) => {
            let problems = check::check(Layer::Project, &root);
            if problems.is_empty() {
                return Ok(Some(root));
            }
            problems
        }
        Err(problems) => problems,
    };
    let first = problems.into_iter().next();
    Err(first.unwrap_or_else(|| Problem::new(Location::file(name), "cannot be read")))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needed {
    Yes,
    No,
}

#[derive(Default)]
struct Reading {
    tools: Vec<ToolRules>,
    layers: Layers,
    permission: Vec<RuleLayer>,
    of_agents: Vec<OfAgent>,
    hooks: Vec<Hook>,
    system_prompt: Option<SystemPrompt>,
    remarks: Vec<ConfigNotice>,
    texts: Option<BTreeMap<String, Vec<u8>>>,
    home: Option<PathBuf>,
    files: Vec<LoadedFile>,
    problems: Vec<Problem>,
}

impl Reading {
    fn of(sources: &Sources<'_>) -> Self {
        Self {
            tools: sources.tools.to_vec(),
            home: sources.environment.get("HOME").map(PathBuf::from),
            ..Self::default()
        }
    }

    fn after_the_person(mut self, sources: &Sources<'_>) -> Result<Loaded, ConfigError> {
        if let Some(project) = &sources.project {
            self.texts = Some(project.texts.clone());
            for (name, bytes) in &project.texts {
                if let Some(("agents", file)) = name.split_once('/')
                    && !file.contains('/')
                    && agent_files::is_agent(Path::new(file))
                {
                    self.agent(Layer::Project, &project.path.with_file_name(name), bytes.clone());
                }
            }
            if let Some(servers) = &project.servers {
                self.document(Layer::Project, servers);
            }
            self.bytes(Layer::Project, &project.path, project.bytes.clone(), Needed::No);
            self.texts = None;
        }
        let named = sources.environment.get("BENCHDOG_CONFIG").map(PathBuf::from);
        if let Some(file) = sources.file.clone().or(named) {
            self.file(Layer::File, &file, Needed::Yes);
        }
        if let Some(file) = &sources.flags.mcp {
            self.servers_of(file);
        }
        if let Some(text) = &sources.flags.servers {
            self.servers_in(OF_EDITOR, text);
        }
        self.environment(sources);
        self.flags(&sources.flags, sources.environment);
        let keys = StoredKeys::read(&sources.stored_keys).unwrap_or_else(|problem| {
            self.problems.push(problem);
            StoredKeys::default()
        });
        self.finish(sources, &keys)
    }

    fn own_agents(&mut self, sources: &Sources<'_>) {
        for path in agent_files::in_folder(&sources.user.with_file_name("agents")) {
            match document::read(&path, agent_files::FORM) {
                Ok(Some(bytes)) => self.agent(Layer::User, &path, bytes),
                Ok(None) => {}
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn agent(&mut self, layer: Layer, path: &Path, bytes: Vec<u8>) {
        let text = document::text(&path.display().to_string(), bytes);
        self.files.push(LoadedFile {
            layer,
            path: path.to_path_buf(),
            exists: true,
        });
        match text.and_then(|text| agent_files::document(path, &text)) {
            Ok(mut root) => {
                self.with_prompts(&mut root, path.parent());
                self.document(layer, &root);
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    /// Reads prompt files, relative to the file that refers to them. A project may only use its trusted files.
    fn with_prompts(&mut self, root: &mut Node, folder: Option<&Path>) {
        let folder = folder.unwrap_or(Path::new("."));
        let below = folder.ends_with("agents");
        let problems = agent_files::with_prompts(root, |name| match &self.texts {
            Some(texts) if below => Ok(texts.get(&format!("agents/{name}")).cloned()),
            Some(texts) => Ok(texts.get(name).cloned()),
            None => {
                let path = match (name.strip_prefix("~/"), &self.home) {
                    (Some(rest), Some(home)) => home.join(rest),
                    _ => folder.join(name),
                };
                document::read(&path, agent_files::FORM)
            }
        });
        self.problems.extend(problems);
        let folder = folder.join(tools::FOLDER);
        let problems = tools::with_texts(root, &folder, |name| {
            match (&self.texts, name.strip_prefix("~/"), &self.home) {
                (Some(texts), _, _) => Ok(texts.get(&format!("{}/{name}", tools::FOLDER)).cloned()),
                (None, Some(rest), Some(home)) => document::read(&home.join(rest), tools::FORM),
                (None, _, _) => document::read(&folder.join(name), tools::FORM),
            }
        });
        self.problems.extend(problems);
    }

    fn prompt_of(&mut self, root: &Node, folder: Option<&Path>) {
        if root.property(system_prompt::KEY).is_none() || earlier::of_later_form(root).is_some() {
            return;
        }
        let folder = folder.unwrap_or(Path::new(".")).join(tools::FOLDER);
        let found = match &self.texts {
            Some(texts) => {
                let inside = |name: &str| format!("{}/{name}", tools::FOLDER);
                let names = texts.keys().filter_map(|name| name.strip_prefix(&inside("")));
                let shelf = system_prompt::Shelf {
                    folder: &folder,
                    names: names.map(str::to_owned).collect(),
                };
                system_prompt::of(root, &shelf, |name| Ok(texts.get(&inside(name)).cloned()))
            }
            None => system_prompt::of(root, &system_prompt::Shelf::of(&folder), |name| {
                document::read(&folder.join(name), tools::FORM)
            }),
        };
        match found {
            Ok(found) => self.system_prompt = found,
            Err(problem) => self.problems.push(problem),
        }
    }

    fn file(&mut self, layer: Layer, path: &Path, needed: Needed) {
        match document::read(path, FORM) {
            Ok(bytes) => self.bytes(layer, path, bytes, needed),
            Err(problem) => self.problems.push(problem),
        }
    }

    fn bytes(&mut self, layer: Layer, path: &Path, bytes: Option<Vec<u8>>, needed: Needed) {
        let name = path.display().to_string();
        let text = match bytes.map(|bytes| document::text(&name, bytes)).transpose() {
            Ok(text) => text,
            Err(problem) => return self.problems.push(problem),
        };
        self.files.push(LoadedFile {
            layer,
            path: path.to_path_buf(),
            exists: text.is_some(),
        });
        match text.as_deref().map(|text| document::parse(&name, text)) {
            None if needed == Needed::Yes => {
                self.problems
                    .push(Problem::new(Location::file(&name), "does not exist"));
            }
            None | Some(Ok(None)) => {}
            Some(Ok(Some(mut root))) => {
                self.with_prompts(&mut root, path.parent());
                self.document(layer, &root);
                self.prompt_of(&root, path.parent());
            }
            Some(Err(problems)) => self.problems.extend(problems),
        }
    }

    fn servers_of(&mut self, path: &Path) {
        let name = path.display().to_string();
        let text = match document::read(path, FORM) {
            Ok(Some(bytes)) => document::text(&name, bytes),
            Ok(None) => Err(Problem::new(Location::file(&name), "does not exist")),
            Err(problem) => Err(problem),
        };
        match text {
            Ok(text) => self.servers_in(&name, &text),
            Err(problem) => self.problems.push(problem),
        }
    }

    fn servers_in(&mut self, name: &str, text: &str) {
        let root = document::parse(name, text);
        match root.and_then(|root| root.as_ref().map(mcp_file::document).transpose()) {
            Ok(Some(root)) => self.document(Layer::Flag, &root),
            Ok(None) => self.problems.push(Problem::new(Location::file(name), "is empty")),
            Err(problems) => self.problems.extend(problems),
        }
    }

    fn document(&mut self, layer: Layer, root: &Node) {
        // A file in a newer format is reported, but not checked further.
        if let Some(problem) = earlier::of_later_form(root) {
            return self.problems.push(problem);
        }
        let (root, remarks) = match earlier::as_now(root) {
            Ok(now) => now,
            Err(problem) => return self.problems.push(problem),
        };
        self.remarks.extend(remarks);
        let root = &root;
        let root = &rule_names::with_own_names(root, &self.tools);
        let mut problems = check::check(layer, root);
        problems.extend(rule_names::check(layer, root, &self.tools));
        problems.extend(tools::check(layer, root, &self.tools));
        if !problems.is_empty() {
            return self.problems.extend(problems);
        }
        self.layers.add_document(layer, root);
        self.permission.extend(read::rules(layer, root));
        self.of_agents.extend(agents::rules(layer, root));
        self.hooks.extend(hooks::of(layer, root));
    }

    /// Applies environment variables. `BENCHDOG_BASE_URL` defines provider `env` and makes it the default.
    fn environment(&mut self, sources: &Sources<'_>) {
        let environment = sources.environment;
        for (name, written) in environment.iter().filter(|(_, written)| !written.is_empty()) {
            match variables::document(name, written).map(|text| document::parse(name, &text)) {
                None | Some(Ok(None)) => {}
                Some(Ok(Some(root))) => {
                    self.document(Layer::Environment, &root);
                    self.prompt_of(&root, sources.user.parent());
                }
                Some(Err(problems)) => self.problems.extend(problems),
            }
        }
        let base_url = environment.get("BENCHDOG_BASE_URL");
        let model = environment.get("BENCHDOG_MODEL");
        if let Some(base_url) = base_url {
            self.server(Layer::Environment, "BENCHDOG_BASE_URL", base_url);
        }
        if let Some(model) = model {
            // With `BENCHDOG_BASE_URL`, the model name is sent unchanged.
            let text = if base_url.is_some() {
                format!("{ENV}/{model}")
            } else {
                model.to_owned()
            };
            self.give(Layer::Environment, &["model"], "BENCHDOG_MODEL", &text);
        }
        if let Some(filter) = environment.get("BENCHDOG_LOG") {
            self.log_level(Layer::Environment, "BENCHDOG_LOG", filter);
        }
    }

    fn server(&mut self, layer: Layer, place: &str, base_url: &str) {
        if !check::is_address(&hosts::complete_address(base_url)) {
            self.problems.push(Problem::new(
                Location::file(place),
                format!("must be {}", Kind::Server.expected()),
            ));
        }
        self.give(layer, &["provider", ENV, "base_url"], place, base_url);
        self.layers.put_provider_first(ENV);
    }

    fn flags(&mut self, flags: &Flags, environment: &Environment) {
        match (&flags.server, &flags.model) {
            (Some(server), model) => {
                self.server(Layer::Flag, server.name(), &server.base_url());
                if let ServerFlag::Ollama(_) = server {
                    self.give(Layer::Flag, &["provider", ENV, "api"], server.name(), "ollama");
                }
                // The configured model may not exist on this server, so it is not used.
                let named = model.as_deref().or_else(|| environment.get("BENCHDOG_MODEL"));
                let text = named.map_or_else(|| AUTO.to_owned(), |model| format!("{ENV}/{model}"));
                let place = if model.is_some() { "--model" } else { server.name() };
                self.give(Layer::Flag, &["model"], place, &text);
            }
            (None, Some(model)) => self.give(Layer::Flag, &["model"], "--model", model),
            (None, None) => {}
        }
        if let Some(filter) = &flags.log_level {
            self.log_level(Layer::Flag, "--log-level", filter);
        }
    }

    fn log_level(&mut self, layer: Layer, place: &str, filter: &str) {
        if let Err(wrong) = LogFilter::parse(filter) {
            self.problems
                .push(Problem::new(Location::file(place), wrong.to_string()));
        }
        self.give(layer, &["logs", "level"], place, filter);
    }

    fn give(&mut self, layer: Layer, path: &[&str], place: &str, text: &str) {
        let origin = Origin {
            layer,
            place: place.to_owned(),
            column: 0,
            value: Value::String(text.to_owned()),
        };
        self.layers.give(path, origin);
    }

    fn finish(mut self, sources: &Sources<'_>, keys: &StoredKeys) -> Result<Loaded, ConfigError> {
        if !self.problems.is_empty() {
            return Err(ConfigError {
                problems: self.problems,
            });
        }
        let permission = std::mem::take(&mut self.permission);
        let of_agents = std::mem::take(&mut self.of_agents);
        let settings = read::settings(&self.layers, permission, of_agents);
        let mut settings = settings.map_err(|problems| ConfigError { problems })?;
        let problems = hosts::foreign(&self.layers, &settings, sources.environment);
        if !problems.is_empty() {
            return Err(ConfigError { problems });
        }
        keys.hand_out(&mut settings);
        settings.network.has_proxy_variables = hosts::may_name_a_proxy(sources.environment);
        settings.hooks = hooks::in_order(std::mem::take(&mut self.hooks));
        settings.system_prompt = self.system_prompt.take();
        settings.remarks = std::mem::take(&mut self.remarks);
        settings.insisted = Insisted {
            server: sources.flags.server.is_some().then_some(ENV),
            ..sources.flags.insisted
        };
        let problems = values::without_effect(&self.layers, &settings);
        if !problems.is_empty() {
            return Err(ConfigError { problems });
        }
        Ok(Loaded {
            settings,
            layers: self.layers,
            files: self.files,
        })
    }
}
