//! The command line, whose names scripts rely on. It only parses.

mod docs;
mod doctor;
mod numbers;
mod servers;
mod slip;
mod without_screen;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use benchdog_config::ServerFlag;
use benchdog_config::import::NEIGHBOURS;
use benchdog_domain::agent::ACCEPT_EDITS;
use benchdog_lang::{self as lang, Language};
pub(crate) use docs::DocsTable;
pub(crate) use doctor::DoctorCommand;
use numbers::{temperature, window};
pub(crate) use servers::{AddServer, McpCommand};
pub(crate) use without_screen::{Approve, Bounds, FailOn, OutputFormat, ReviewArgs, RunArgs};

#[derive(Debug, Parser)]
#[command(
    name = "benchdog",
    version,
    about = "A coding workbench for the terminal: an agent proposes, you look, and only what you accept is done."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Subcommands>,
    /// A prompt to start with.
    pub(crate) prompt: Option<String>,
    /// Looks for model servers on this machine again, whatever is configured.
    #[arg(long)]
    pub(crate) setup: bool,
    /// Lines in place of the full screen, for screen readers and terminals that place no cursor.
    #[arg(long, visible_alias = "inline")]
    pub(crate) linear: bool,
    /// Begins in a git worktree of this name with a branch of its own, made where there is none; without a name, in a new one.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub(crate) worktree: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The program printed something instead of running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Printed {
    /// The requested help or version.
    Help,
    /// An error in the command line.
    Mistake,
}

/// The reader of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Person,
    /// Output for scripts is always in English.
    Script,
}

impl Reader {
    /// Sets the language of messages for a person.
    pub(crate) fn speak(self, language: Language) {
        if self == Self::Person {
            lang::speak(language);
        }
    }
}

impl Cli {
    pub(crate) fn reader(&self) -> Reader {
        let script = match &self.command {
            Some(Subcommands::Run(arguments)) => arguments.output != OutputFormat::Text,
            Some(Subcommands::Review(arguments)) => arguments.output != OutputFormat::Text,
            Some(Subcommands::Doctor { command, json }) => command.is_some() || *json,
            Some(Subcommands::Models { json, .. }) => *json,
            Some(Subcommands::Sessions(SessionsCommand::List { format })) => *format != SessionFormat::Text,
            // Documents count too, because programs read their headings.
            Some(Subcommands::Sessions(SessionsCommand::Show { .. }) | Subcommands::Docs { .. }) => true,
            Some(Subcommands::Policy(_)) => true,
            _ => false,
        };
        if script { Reader::Script } else { Reader::Person }
    }

    /// Parses the whole command line, including the program's name.
    pub(crate) fn of(arguments: Vec<OsString>) -> Result<Self, Printed> {
        let parsed = Self::try_parse_from(arguments).and_then(Self::without_slip);
        parsed.map_err(|error| {
            // A closed pipe is not an error.
            let _ = error.print();
            if error.use_stderr() {
                Printed::Mistake
            } else {
                Printed::Help
            }
        })
    }
}

/// Flags that mean the same everywhere.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Common {
    /// Work in this folder instead of the current one.
    #[arg(short = 'C', long = "cwd", value_name = "DIR", global = true)]
    pub(crate) cwd: Option<PathBuf>,
    /// The model, as `provider/model` or as the server names it.
    #[arg(short, long, value_name = "ID", global = true)]
    pub(crate) model: Option<String>,
    /// The agent that works: build, plan, accept-edits, or one of your own.
    #[arg(short, long, value_name = "NAME", global = true)]
    pub(crate) agent: Option<String>,
    /// Accept edits of files without asking: the same as `-a accept-edits`.
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "agent",
        aliases = ["auto-approve", "yolo", "dangerously-skip-permissions"]
    )]
    pub(crate) yes: bool,
    /// Go on with the newest session of this folder.
    #[arg(short = 'c', long = "continue", global = true, conflicts_with = "resume")]
    pub(crate) continue_newest: bool,
    /// Go on with this session; a part of its id is enough.
    #[arg(short, long, value_name = "ID", global = true)]
    pub(crate) resume: Option<String>,
    /// A configuration file that wins over the user's and the project's.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// A file with MCP servers for this run, as `.mcp.json` names them.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) mcp: Option<PathBuf>,
    /// A further folder the tools may use; repeatable.
    #[arg(long = "add-dir", value_name = "DIR", global = true)]
    pub(crate) add_dir: Vec<PathBuf>,
    /// Keep the model traffic of this session in a file.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) record: Option<PathBuf>,
    /// Answer from a recorded file instead of a model.
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "record")]
    pub(crate) replay: Option<PathBuf>,
    /// The folder's own rules and configuration count this time.
    #[arg(long, global = true)]
    pub(crate) trust: bool,
    /// How freely answers are chosen, for every model.
    #[arg(long, value_name = "N", value_parser = temperature, global = true)]
    pub(crate) temperature: Option<f64>,
    /// The window of the model in tokens, whatever the configuration or the server says.
    #[arg(long, value_name = "N", value_parser = window, global = true)]
    pub(crate) context_window: Option<u64>,
    /// The address of the model server, with `/v1` where it wants it; `--model` is then taken as the server names it.
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) base_url: Option<String>,
    /// An Ollama server: a name, `name:port`, or an address.
    #[arg(long, value_name = "HOST", global = true, conflicts_with = "base_url")]
    pub(crate) ollama_host: Option<String>,
    /// The same as `--log-level debug`.
    #[arg(long, global = true, conflicts_with = "log_level")]
    pub(crate) debug: bool,
    /// What goes into the log files: off, error, warn, info, debug, trace, or such as `info,provider=debug`.
    #[arg(long, value_name = "FILTER", global = true)]
    pub(crate) log_level: Option<String>,
}

impl Common {
    pub(crate) fn server(&self) -> Option<ServerFlag> {
        let ollama = self.ollama_host.clone().map(ServerFlag::Ollama);
        ollama.or_else(|| self.base_url.clone().map(ServerFlag::Address))
    }

    pub(crate) fn agent(&self) -> Option<&str> {
        self.agent.as_deref().or(self.yes.then_some(ACCEPT_EDITS))
    }

    pub(crate) fn log_level(&self) -> Option<String> {
        self.log_level
            .clone()
            .or_else(|| self.debug.then(|| "debug".to_owned()))
    }

    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        [
            ("--cwd", self.cwd.is_some()),
            ("--model", self.model.is_some()),
            ("--agent", self.agent.is_some()),
            ("--yes", self.yes),
            ("--continue", self.continue_newest),
            ("--resume", self.resume.is_some()),
            ("--config", self.config.is_some()),
            ("--mcp", self.mcp.is_some()),
            ("--add-dir", !self.add_dir.is_empty()),
            ("--record", self.record.is_some()),
            ("--replay", self.replay.is_some()),
            ("--trust", self.trust),
            ("--temperature", self.temperature.is_some()),
            ("--context-window", self.context_window.is_some()),
            ("--base-url", self.base_url.is_some()),
            ("--ollama-host", self.ollama_host.is_some()),
            ("--debug", self.debug),
            ("--log-level", self.log_level.is_some()),
        ]
        .into_iter()
        .filter_map(|(flag, given)| given.then_some(flag))
    }
}

/// The common flags that `review` accepts. It has its own agent and session.
pub(crate) const TAKEN_BY_REVIEW: &[&str] = &[
    "--cwd",
    "--model",
    "--config",
    "--add-dir",
    "--record",
    "--replay",
    "--trust",
    "--temperature",
    "--context-window",
    "--base-url",
    "--ollama-host",
    "--debug",
    "--log-level",
];

impl Subcommands {
    /// Whether a common flag has an effect here.
    pub(crate) fn takes(&self, flag: &str) -> bool {
        let taken: &[&str] = match self {
            Self::Run(_) | Self::Waiting(_) => return true,
            // `review` has its own agent and session.
            Self::Review(_) => TAKEN_BY_REVIEW,
            // `demo` has its own folder, model and session.
            Self::Demo(_) => &["--config", "--add-dir", "--record", "--debug", "--log-level"],
            Self::Config(ConfigCommand::Schema) => &[],
            Self::Config(_) => &[
                "--cwd",
                "--model",
                "--config",
                "--trust",
                "--base-url",
                "--ollama-host",
                "--mcp",
                "--debug",
                "--log-level",
            ],
            Self::Models { .. } => &[
                "--cwd",
                "--model",
                "--config",
                "--trust",
                "--temperature",
                "--context-window",
                "--base-url",
                "--ollama-host",
            ],
            Self::Auth(_) => &["--config"],
            Self::Mcp(_) => &["--cwd", "--config", "--trust", "--mcp"],
            Self::Policy(_) => &["--agent", "--yes", "--cwd", "--config", "--add-dir", "--trust"],
            Self::Doctor { command: None, .. } => &[
                "--cwd",
                "--model",
                "--config",
                "--trust",
                "--temperature",
                "--context-window",
                "--base-url",
                "--ollama-host",
            ],
            Self::Sessions(_)
            | Self::Doctor { .. }
            | Self::Docs { .. }
            | Self::ExecChild { .. }
            | Self::Keep { .. } => &[],
        };
        taken.contains(&flag)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Subcommands {
    /// One turn without a screen, for scripts.
    Run(RunArgs),
    /// Looks for what is wrong in changed files, and changes nothing.
    Review(ReviewArgs),
    /// A sample project with a failing check, answered from a recording: needs no model.
    Demo(DemoArgs),
    /// The sessions on this machine.
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// The configuration and where each value comes from.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Keys of endpoints, kept in a file that only you may read.
    #[command(subcommand)]
    Auth(AuthCommand),
    /// MCP servers: list, try, add, remove.
    #[command(subcommand)]
    Mcp(McpCommand),
    /// Why a command would be allowed, asked for, or denied.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Whether configuration, model server, storage and terminal are as they should be, and what commands are held in with.
    Doctor {
        #[command(subcommand)]
        command: Option<DoctorCommand>,
        /// One object on one line.
        #[arg(long)]
        json: bool,
    },
    /// The models that the configured servers offer.
    Models {
        #[command(subcommand)]
        command: Option<ModelsCommand>,
        /// One object on one line.
        #[arg(long, global = true)]
        json: bool,
    },
    #[command(flatten)]
    Waiting(WaitingCommand),
    /// The tables of the documentation: keys, commands, settings …; without a name, lists them.
    Docs { table: Option<DocsTable> },
    /// Starts a child of a tool call; for our own use.
    #[command(hide = true)]
    ExecChild {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Cleans up after a Benchdog that was killed; for our own use.
    #[command(hide = true)]
    Keep {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

/// Names that are given away and not built yet: a prompt of that one word would be a misunderstanding.
#[derive(Debug, Subcommand)]
pub(crate) enum WaitingCommand {
    #[command(hide = true)]
    Acp(Rest),
    #[command(hide = true)]
    Bench(Rest),
    #[command(hide = true)]
    Completions(Rest),
}

impl WaitingCommand {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Acp(_) => "acp",
            Self::Bench(_) => "bench",
            Self::Completions(_) => "completions",
        }
    }
}

/// Whatever else was said with a command that is not built yet.
#[derive(Debug, Clone, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Rest {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DemoArgs {
    /// Approve the demo's edit and check without asking.
    #[arg(long)]
    pub(crate) auto: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// The newest sessions first.
    List {
        #[arg(long, value_enum, default_value_t = SessionFormat::Text)]
        format: SessionFormat,
    },
    /// One session, whole.
    Show {
        id: String,
        #[arg(long, value_enum, default_value_t = SessionFormat::Text)]
        format: SessionFormat,
    },
    /// A new session that begins as this one did.
    Fork {
        id: String,
        /// The last entry to take along.
        #[arg(long, value_name = "ENTRY")]
        upto: Option<u64>,
    },
    /// Removes a session for good.
    Delete { id: String },
    #[command(hide = true)]
    Search(Rest),
    #[command(hide = true)]
    Export(Rest),
    #[command(hide = true)]
    Import(Rest),
    /// Reads all of one session, or of every one, and says what is damaged.
    Check {
        id: Option<String>,
        /// Saves what can be read of a damaged one into a new session; the damaged file stays as it is.
        #[arg(long)]
        repair: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionFormat {
    Text,
    Json,
    Jsonl,
    Markdown,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// The configuration in force.
    Show,
    /// One key: its value, where it comes from, and what it overrides.
    Explain { key: String },
    /// The user's configuration file.
    Path,
    /// A JSON Schema of the configuration.
    Schema,
    /// Reads every layer and says whether it is sound.
    Check,
    /// What your configuration of another program comes to here; `--write` writes it.
    Import(ImportFrom),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ImportFrom {
    /// The program whose configuration is read.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(NEIGHBOURS))]
    pub(crate) from: String,
    /// Writes to your own configuration what is shown, and asks about each rule that would allow something.
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuthCommand {
    /// Asks for the key of a provider, or reads a line of standard input, and stores it for the provider's server.
    Set { provider: String },
    /// Forgets the stored key of a provider.
    Remove { provider: String },
    /// Where the key of each provider comes from; never the key itself.
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// All of them, server by server.
    List,
    /// What is known of one.
    Show { id: String },
    /// Has an Ollama server fetch one.
    Pull { id: String },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// A command line, or one a line on standard input, as JSON.
    Explain {
        #[arg(allow_hyphen_values = true)]
        command: Option<String>,
        #[arg(long, conflicts_with = "command")]
        stdin: bool,
    },
}
