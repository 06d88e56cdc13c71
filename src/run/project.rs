//! Configuration and files of a project, with and without trust. Files are read only once, so that the trust question
//! is about the same bytes that are used afterwards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::engine::{self, Base};
use super::limits::Limits;
use super::look;
use super::own_tools;
use super::patterns::{self, Matched};
use super::pins::{self, plain};
use super::servers;
use benchdog_agent::Agents;
use benchdog_app::commands::is_command;
use benchdog_base::environment::Environment;
use benchdog_config::settings::Insisted;
use benchdog_config::{self as config, ConfigError, Flags, Loaded, ProjectFile, Sources};
use benchdog_context::commands::{Commands, Found as FoundCommand};
use benchdog_context::rules::{self, Nearer, ProjectRules, RulesFile};
use benchdog_context::skills::{Found as FoundSkill, Skills};
use benchdog_domain::notice::{NamedBy, Unread};
use benchdog_domain::permission::Layer;
use benchdog_domain::skill::SkillSource;
use benchdog_lang::{Word, word};
use benchdog_orchestrator::engine::{Reload, Survey};
use benchdog_security::trust::{AGENTS, Brought, OWN, TrustSubject};
use benchdog_theme::Shelf;
use benchdog_tools::{Registry, own};

mod no_project;
mod other_servers;
mod own_files;

pub(super) use no_project::NAMED_LEVELS;

const PROJECT_FILE: &str = ".benchdog/config.jsonc";

/// All paths to read. They are stored, so that `reload` can read everything again.
#[derive(Clone)]
pub(super) struct Places {
    root: PathBuf,
    user: PathBuf,
    file: Option<PathBuf>,
    stored_keys: PathBuf,
    server_tokens: PathBuf,
    environment: Environment,
    flags: Flags,
    tools: Registry,
    trusts: bool,
}

pub(super) struct Found {
    pub(super) without: Result<Loaded, ConfigError>,
    pub(super) with: Result<Loaded, ConfigError>,
    pub(super) subject: Option<TrustSubject>,
    tools: Registry,
    brought: Brought,
}

#[derive(Debug, PartialEq, Eq)]
enum Instruction {
    /// A file of the user. It needs no trust.
    Own(PathBuf),
    Folder(String),
}

struct Instructions {
    files: Vec<Instruction>,
    layer: Layer,
    troubles: Vec<Unread>,
}

impl Found {
    pub(super) fn of(self, project: ProjectRules) -> Result<Loaded, ConfigError> {
        match project {
            ProjectRules::Counted => self.with,
            ProjectRules::Ignored => self.without,
        }
    }

    pub(super) fn refused(&self) -> Vec<Unread> {
        self.brought.refused.clone()
    }
}

impl Places {
    pub(super) fn of(base: &Base) -> Self {
        Self {
            root: base.root.clone(),
            user: base.folders.config_file.clone(),
            file: base.common.config.clone(),
            stored_keys: base.folders.stored_keys(),
            server_tokens: base.folders.server_tokens(),
            environment: base.environment.clone(),
            flags: Flags {
                mcp: base.common.mcp.clone(),
                servers: base.servers.clone(),
                model: base.common.model.clone(),
                server: base.common.server(),
                insisted: Insisted {
                    temperature: base.common.temperature,
                    context: base.common.context_window,
                    server: None,
                },
                log_level: base.common.log_level(),
            },
            tools: base.tools.clone(),
            trusts: base.common.trust,
        }
    }

    pub(super) fn load_own(&self) -> Result<Loaded, ConfigError> {
        self.load(None, &self.tools)
    }

    /// Returns the themes next to the user's configuration. Projects cannot provide themes.
    pub(super) fn shelf(&self) -> Shelf {
        Shelf::of(self.user.with_file_name("themes"))
    }

    fn load(&self, project: Option<ProjectFile>, tools: &Registry) -> Result<Loaded, ConfigError> {
        self.load_by(project, tools, config::load)
    }

    pub(super) fn load_drafted(&self, project: ProjectRules, user: Vec<u8>) -> Result<Loaded, ConfigError> {
        let file = match project {
            ProjectRules::Counted => {
                let brought = self.brought();
                Some(self.project_file(&brought, self.servers_of(&brought).servers))
            }
            ProjectRules::Ignored => None,
        };
        self.load_by(file, &self.tools, |sources| config::load_drafted(sources, user))
    }

    pub(super) fn user_file(&self) -> &Path {
        &self.user
    }

    /// Returns the files whose texts project agents may use: the files in the project's `.benchdog` folder, except
    /// skills and commands.
    fn texts_for_agents(&self, brought: &Brought) -> BTreeMap<String, Vec<u8>> {
        let own = |name: &String| {
            let inside = name.strip_prefix(OWN)?.strip_prefix('/')?;
            let is_text = inside.ends_with(".md") || inside.ends_with(".txt");
            (is_text && !["skills/", "commands/"].iter().any(|other| inside.starts_with(other)))
                .then(|| inside.to_owned())
        };
        let names = brought.names().into_iter();
        names
            .filter_map(|name| Some((own(&name)?, brought.bytes(&name)?.to_vec())))
            .collect()
    }

    fn load_by(
        &self,
        project: Option<ProjectFile>,
        tools: &Registry,
        load: impl FnOnce(&Sources<'_>) -> Result<Loaded, ConfigError>,
    ) -> Result<Loaded, ConfigError> {
        let loaded = load(&Sources {
            user: self.user.clone(),
            project,
            file: self.file.clone(),
            stored_keys: self.stored_keys.clone(),
            environment: &self.environment,
            flags: self.flags.clone(),
            tools: &tools.all_rules(),
        })?;
        look::checked(loaded, &self.shelf())
    }

    pub(super) fn with_sound_theme(&self, loaded: Loaded) -> Result<Loaded, ConfigError> {
        look::check_theme(&loaded, &self.shelf()).map(|()| loaded)
    }

    pub(super) fn find(&self) -> Found {
        let mut brought = self.brought();
        if let Some(why) = self.never_trusted() {
            brought.refuse_all(why);
        }
        let named = self.servers_of(&brought);
        let project = self.project_file(&brought, named.servers);
        let tools = self.tools_with(&mut brought);
        let (without, with) = (self.load(None, &self.tools), self.load(Some(project), &tools));
        let mut refused: Vec<Unread> = named.unread.into_iter().collect();
        for loaded in [&without, &with].into_iter().flatten() {
            let Instructions { files, layer, troubles } = self.instructions(loaded);
            let folders = files.into_iter().filter_map(|file| match file {
                Instruction::Folder(name) => Some(name),
                Instruction::Own(_) => None,
            });
            let unread = folders.filter_map(|name| match brought.add(&name) {
                Ok(()) => None,
                // The user's list of instructions applies to every folder, and not every folder has all listed files.
                Err(error) if error.code == "not_found" && layer != Layer::Project => None,
                Err(error) => Some(unread(name, error.reason)),
            });
            for unread in unread.chain(troubles) {
                if !refused.contains(&unread) {
                    refused.push(unread);
                }
            }
        }
        for loaded in [&without, &with].into_iter().flatten() {
            for folder in self
                .skill_folders(loaded)
                .into_iter()
                .chain(self.command_folders(loaded))
            {
                if let Instruction::Folder(name) = folder {
                    brought.add_folder(&self.root, &name);
                }
            }
        }
        brought.refused.extend(refused);
        let mut with = with;
        if let Ok(loaded) = &mut with {
            let home = self.home();
            pins::pin(&mut loaded.settings.hooks, &self.root, home.as_deref(), &mut brought);
            pins::pin_servers(&mut loaded.settings.servers, &self.root, &mut brought);
            pins::pin_languages(
                &mut loaded.settings.languages,
                &self.root,
                home.as_deref(),
                &mut brought,
            );
        }
        Found {
            without,
            with,
            tools,
            subject: brought.subject(),
            brought,
        }
    }

    fn tools_with(&self, brought: &mut Brought) -> Registry {
        let names = brought.names();
        let taken = |name: &str| own_tools::is_taken(&self.tools, name);
        let (own, broken) = own::of_project(
            &self.root,
            &format!("{OWN}/tools"),
            &names,
            |name| brought.bytes(name),
            taken,
        );
        brought.refused.extend(broken.iter().map(own_tools::not_a_tool));
        if own.is_empty() {
            return self.tools.clone();
        }
        self.tools.with(own.into_iter().map(own::row)).0
    }

    fn home(&self) -> Option<PathBuf> {
        let home = self.environment.get("HOME")?;
        std::fs::canonicalize(home).ok()
    }

    /// Returns the reason why this folder can never be trusted, if it contains more than one project.
    fn never_trusted(&self) -> Option<&'static str> {
        let home = self.home();
        if self.root.parent().is_none() {
            Some(word(Word::RootNeverTrusted))
        } else if home.is_some_and(|home| home == self.root) {
            Some(word(Word::HomeNeverTrusted))
        } else {
            None
        }
    }

    fn skill_folders(&self, loaded: &Loaded) -> Vec<Instruction> {
        self.folders(loaded, ["skills", "paths"], &loaded.settings.skills)
    }

    fn command_folders(&self, loaded: &Loaded) -> Vec<Instruction> {
        self.folders(loaded, ["commands", "paths"], &loaded.settings.commands)
    }

    fn folders(&self, loaded: &Loaded, key: [&str; 2], names: &[String]) -> Vec<Instruction> {
        let origin = loaded.layers.nearest(&key);
        let layer = origin.map_or(Layer::Default, |origin| origin.layer);
        names.iter().map(|name| self.instruction(name, layer)).collect()
    }

    pub(super) fn own_skill_folders(&self, loaded: &Loaded) -> Vec<PathBuf> {
        let configured = self
            .skill_folders(loaded)
            .into_iter()
            .filter_map(|folder| match folder {
                Instruction::Own(path) => Some(path),
                Instruction::Folder(_) => None,
            });
        configured.chain(self.person_skill_folders()).collect()
    }

    fn person_skill_folders(&self) -> Vec<PathBuf> {
        let home = self.home().map(|home| home.join(AGENTS));
        [Some(self.user.with_file_name("skills")), home]
            .into_iter()
            .flatten()
            .collect()
    }

    fn skills(&self, found: &Found, loaded: &Loaded, project: ProjectRules) -> Skills {
        let names = match project {
            ProjectRules::Counted => found.brought.names(),
            ProjectRules::Ignored => Vec::new(),
        };
        let of_folder = |folder: &str| FoundSkill::held(&self.root, folder, &names, |name| found.brought.bytes(name));
        let configured = self.skill_folders(loaded).into_iter().flat_map(|folder| match folder {
            Instruction::Own(path) => FoundSkill::in_folder(&path, SkillSource::Configured),
            Instruction::Folder(name) => of_folder(&name),
        });
        let own = format!("{OWN}/skills");
        let of_project = [own.as_str(), AGENTS].into_iter().flat_map(of_folder);
        let folders = self.person_skill_folders();
        let of_person = folders
            .iter()
            .flat_map(|folder| FoundSkill::in_folder(folder, SkillSource::Person));
        Skills::of(configured.chain(of_project).chain(of_person))
    }

    fn commands_of(&self, brought: &Brought, loaded: Option<&Loaded>, project: ProjectRules) -> Commands {
        let names = match project {
            ProjectRules::Counted => brought.names(),
            ProjectRules::Ignored => Vec::new(),
        };
        let held = |folder: &str| FoundCommand::held(&self.root, folder, &names, |name| brought.bytes(name));
        let folders = loaded.map(|loaded| self.command_folders(loaded)).unwrap_or_default();
        let configured = folders.into_iter().flat_map(|folder| match folder {
            Instruction::Own(path) => FoundCommand::in_folder(&path, SkillSource::Configured),
            Instruction::Folder(name) => held(name.trim_end_matches('/')),
        });
        let of_project = held(&format!("{OWN}/commands"));
        let of_person = FoundCommand::in_folder(&self.user.with_file_name("commands"), SkillSource::Person);
        Commands::of(configured.chain(of_project).chain(of_person), is_command)
    }

    fn instructions(&self, loaded: &Loaded) -> Instructions {
        let origin = loaded.layers.nearest(&["instructions"]);
        let mut instructions = Instructions {
            files: Vec::new(),
            layer: origin.map_or(Layer::Default, |origin| origin.layer),
            troubles: Vec::new(),
        };
        for name in &loaded.settings.instructions {
            let instruction = self.instruction(name, instructions.layer);
            let (base, pattern) = match &instruction {
                Instruction::Own(path) => (
                    Path::new("/"),
                    path.to_string_lossy().trim_start_matches('/').to_owned(),
                ),
                Instruction::Folder(name) => (self.root.as_path(), name.clone()),
            };
            if !patterns::is_pattern(base, &pattern) {
                instructions.files.push(instruction);
                continue;
            }
            let Matched { files, trouble } = patterns::matched(base, &pattern);
            instructions
                .files
                .extend(files.into_iter().map(|file| match instruction {
                    Instruction::Own(_) => Instruction::Own(base.join(file)),
                    Instruction::Folder(_) => Instruction::Folder(file),
                }));
            instructions
                .troubles
                .extend(trouble.map(|why| unread(name.clone(), why)));
        }
        instructions
    }

    fn instruction(&self, name: &str, layer: Layer) -> Instruction {
        // A project can only refer to files in its own folder.
        if layer != Layer::Project {
            if let (Some(rest), Some(home)) = (name.strip_prefix("~/"), self.environment.get("HOME")) {
                return Instruction::Own(PathBuf::from(home).join(rest));
            }
            if name.starts_with('/') {
                return Instruction::Own(PathBuf::from(name));
            }
        }
        Instruction::Folder(name.to_owned())
    }

    /// Returns the rules in the order of the prompt: the user's rules, those of the repository from its top folder down
    /// to the workspace, then `instructions`.
    fn texts(&self, found: &Found, loaded: &Loaded, project: ProjectRules) -> Vec<RulesFile> {
        let of_folder = |name: &str| {
            let bytes = found.brought.bytes(name).filter(|_| project == ProjectRules::Counted)?;
            rules::of_bytes(plain(&self.root.join(name)), bytes)
        };
        let mut texts: Vec<RulesFile> = rules::own(&self.user.with_file_name("AGENTS.md")).into_iter().collect();
        texts.extend(found.brought.above.iter().filter_map(|name| of_folder(name)));
        texts.extend(of_folder("AGENTS.md").or_else(|| of_folder("CLAUDE.md")));
        for instruction in self.instructions(loaded).files {
            let text = match instruction {
                Instruction::Own(path) => rules::own(&path),
                Instruction::Folder(name) => of_folder(&name),
            };
            // A pattern may match a file that is already included.
            texts.extend(text.filter(|text| texts.iter().all(|known| known.path != text.path)));
        }
        texts
    }

    fn nearer(&self, found: &Found, project: ProjectRules) -> Nearer {
        let counted = found.brought.below.iter().filter(|_| project == ProjectRules::Counted);
        let of_folder = |name: &String| {
            let (folder, _) = name.rsplit_once('/')?;
            let file = rules::of_bytes(self.root.join(name), found.brought.bytes(name)?)?;
            Some((folder.to_owned(), file))
        };
        counted.filter_map(of_folder).collect()
    }

    pub(super) fn survey(&self, limits: Limits) -> Survey {
        let found = self.find();
        let reload = |loaded: &Result<Loaded, ConfigError>, project| {
            let loaded = loaded.as_ref().map_err(ToString::to_string)?;
            let settings = &loaded.settings;
            let tools = match project {
                ProjectRules::Counted => &found.tools,
                ProjectRules::Ignored => &self.tools,
            };
            let model = engine::chosen_model(settings).map_err(|trouble| trouble.text)?;
            Ok(Reload {
                policy: engine::policy(settings, tools),
                agents: Arc::new(Agents::of(settings)),
                tools: engine::tools_of(settings, tools),
                servers: servers::definitions(&servers::Given {
                    settings,
                    environment: &self.environment,
                    root: &self.root,
                    purse: &self.server_tokens,
                }),
                languages: servers::languages(settings, &self.root, self.trusts || project == ProjectRules::Counted),
                rules: limits.rules(settings, tools),
                model,
                texts: self.texts(&found, loaded, project),
                nearer: Arc::new(self.nearer(&found, project)),
                skills: Arc::new(self.skills(&found, loaded, project).with(self.commands_of(
                    &found.brought,
                    Some(loaded),
                    project,
                ))),
                settings: Arc::new(settings.clone()),
            })
        };
        let without = reload(&found.without, ProjectRules::Ignored);
        // Without project files, both results are equal, so reuse the first. The user's skills are then read only once.
        let with = match found.subject {
            Some(_) => reload(&found.with, ProjectRules::Counted),
            None => without.clone(),
        };
        Survey {
            without,
            with,
            subject: found.subject.clone(),
            refused: found.brought.refused,
        }
    }
}

fn unread(file: String, why: String) -> Unread {
    let by = NamedBy::Instructions;
    Unread { file, by, why }
}
