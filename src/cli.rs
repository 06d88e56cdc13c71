//! Parses the command line. Scripts rely on its names.

mod agents;
mod arguments;
mod bench;
mod docs;
mod doctor;
mod flags;
mod numbers;
mod servers;
mod sessions;
mod shell;
mod slip;
mod without_screen;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

pub(crate) use agents::{AgentCommand, AgentsCommand, AttachArgs};
pub(crate) use bench::{BenchArgs, BenchCommand};
use benchdog_config::ServerFlag;
use benchdog_config::import::NEIGHBOURS;
use benchdog_domain::agent::ACCEPT_EDITS;
use benchdog_lang::{self as lang, Language};
pub(crate) use docs::DocsTable;
pub(crate) use doctor::DoctorCommand;
pub(crate) use flags::has_effect;
use numbers::{temperature, window};
pub(crate) use servers::{AddServer, McpCommand};
use sessions::fork;
pub(crate) use sessions::{ExportArgs, ExportFormat, ForkOf, SessionFormat, SessionsCommand};
pub(crate) use shell::{Shell, completions, manual, manuals};
pub(crate) use without_screen::{Approve, Bounds, FailOn, InputFormat, OutputFormat, ReviewArgs, RunArgs};

#[derive(Debug, Parser)]
#[command(
    name = "benchdog",
    version,
    disable_version_flag = true,
    about = "A coding workbench for the terminal: an agent proposes changes, you review them, and only accepted changes are written."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Subcommands>,
    /// A prompt to start with.
    pub(crate) prompt: Option<String>,
    /// Choose language, theme and model server, then exit. Benchdog searches this machine for servers.
    #[arg(long)]
    pub(crate) setup: bool,
    /// Use line mode in place of the full screen, for screen readers and terminals without cursor control.
    #[arg(long, visible_alias = "inline")]
    pub(crate) linear: bool,
    /// Work in a git worktree with this name and its own branch. Both are created if needed. Without a name, create a
    /// new worktree.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub(crate) worktree: Option<String>,
    /// Keep working when this terminal closes or Ctrl+X d leaves it. `benchdog attach` shows the workbench again.
    #[arg(long)]
    pub(crate) detached: bool,
    /// Print the version.
    #[arg(short = 'V', short_alias = 'v', long, action = ArgAction::Version)]
    version: Option<bool>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Output that is printed instead of running the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Printed {
    /// The requested help or version.
    Help,
    Mistake,
}

/// The audience of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Person,
    /// A script. Its output is always in English.
    Script,
}

impl Reader {
    pub(crate) fn set_language(self, language: Language) {
        if self == Self::Person {
            lang::set_language(language);
        }
    }
}

impl Cli {
    pub(crate) fn reader(&self) -> Reader {
        let script = match &self.command {
            Some(Subcommands::Run(arguments)) => arguments.output != OutputFormat::Text,
            Some(Subcommands::Review(arguments)) => arguments.output != OutputFormat::Text,
            Some(Subcommands::Doctor { command, json }) => command.is_some() || *json,
            Some(Subcommands::Models { json, .. } | Subcommands::Agents { json, .. }) => *json,
            Some(Subcommands::Sessions(SessionsCommand::List { format, .. })) => *format != SessionFormat::Text,
            Some(Subcommands::Sessions(SessionsCommand::Search { json, .. })) => *json,
            Some(Subcommands::Sessions(SessionsCommand::Export(arguments))) => !arguments.preview,
            // Programs read these outputs, for example the headings of documents. They are always in English.
            Some(Subcommands::Sessions(SessionsCommand::Show { .. }) | Subcommands::Docs { .. }) => true,
            Some(Subcommands::Completions { .. } | Subcommands::Man { .. } | Subcommands::Schema { .. }) => true,
            // The output is for a shell, which runs the printed commands.
            Some(Subcommands::Policy(_) | Subcommands::Bench(BenchCommand::List { .. })) => true,
            _ => false,
        };
        if script { Reader::Script } else { Reader::Person }
    }

    /// Parses the whole command line, including the program's name.
    pub(crate) fn of(arguments: Vec<OsString>) -> Result<Self, Printed> {
        let arguments = arguments::separated(arguments);
        let given = arguments.clone();
        let parsed = Self::try_parse_from(arguments).and_then(Self::without_slip);
        parsed.map_err(|error| {
            // A closed pipe is not an error.
            let _ = match error.kind() {
                ErrorKind::DisplayHelp => flags::shown()
                    .try_get_matches_from(&given)
                    .map_or_else(|help| help.print(), |_| Ok(())),
                _ => error.print(),
            };
            if error.use_stderr() {
                Printed::Mistake
            } else {
                Printed::Help
            }
        })
    }
}

/// Flags that mean the same for every command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Common {
    /// Work in this folder instead of the current one.
    #[arg(short = 'C', long = "cwd", value_name = "DIR", global = true)]
    pub(crate) cwd: Option<PathBuf>,
    /// The model, as `provider/model` or as the server names it.
    #[arg(short, long, value_name = "ID", global = true)]
    pub(crate) model: Option<String>,
    /// The agent: build, plan, accept-edits, auto, chat, or one of your own.
    #[arg(short, long, value_name = "NAME", global = true)]
    pub(crate) agent: Option<String>,
    /// Accept file edits without asking, like `-a accept-edits`.
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "agent",
        aliases = ["auto-approve", "yolo", "dangerously-skip-permissions"]
    )]
    pub(crate) yes: bool,
    /// Continue the session that was last used in this terminal and folder, or else the newest session of the folder.
    #[arg(short = 'c', long = "continue", global = true, conflicts_with_all = ["resume", "fork"])]
    pub(crate) continue_newest: bool,
    /// Continue this session. A part of its id is enough. Without an id, choose from the list.
    #[arg(short, long, alias = "session-id", value_name = "ID", num_args = 0..=1, default_missing_value = "", global = true)]
    pub(crate) resume: Option<String>,
    /// Start a new session from a copy of this one, up to an entry or the end.
    #[arg(long, value_name = "ID[@ENTRY]", value_parser = fork, global = true, conflicts_with = "resume")]
    pub(crate) fork: Option<ForkOf>,
    /// A configuration file that overrides the user's and the project's configuration.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// A file with MCP servers for this run, in the format of `.mcp.json`.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) mcp: Option<PathBuf>,
    /// An additional folder that tools may use. Repeatable.
    #[arg(long = "add-dir", value_name = "DIR", global = true)]
    pub(crate) add_dir: Vec<PathBuf>,
    /// Record the model requests and answers of this session in a file.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) record: Option<PathBuf>,
    /// Use the answers of a recorded file instead of a model.
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "record")]
    pub(crate) replay: Option<PathBuf>,
    /// Trust the folder's own rules and configuration for this run.
    #[arg(long, global = true)]
    pub(crate) trust: bool,
    /// The sampling temperature, for every model.
    #[arg(long, value_name = "N", value_parser = temperature, global = true)]
    pub(crate) temperature: Option<f64>,
    /// The context window of the model in tokens. Overrides the configuration and the server.
    #[arg(long, value_name = "N", value_parser = window, global = true)]
    pub(crate) context_window: Option<u64>,
    /// The address of the model server, with `/v1` if the server needs it. `--model` is then the server's name of the
    /// model.
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) base_url: Option<String>,
    /// An Ollama server: a host name, `name:port`, or an address.
    #[arg(long, value_name = "HOST", global = true, conflicts_with = "base_url")]
    pub(crate) ollama_host: Option<String>,
    /// Same as `--log-level debug`.
    #[arg(long, global = true, conflicts_with = "log_level")]
    pub(crate) debug: bool,
    /// The log level: off, error, warn, info, debug, trace, or a filter such as `info,provider=debug`.
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
            ("--fork", self.fork.is_some()),
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

#[derive(Debug, Subcommand)]
pub(crate) enum Subcommands {
    /// Run one turn without a screen, for scripts. `benchdog -p "PROMPT"` is the same.
    #[command(short_flag = 'p', long_flag = "prompt")]
    Run(RunArgs),
    /// Review changed files for problems, without changing anything.
    Review(ReviewArgs),
    /// Serve an editor over the Agent Client Protocol, on standard input and output.
    Acp,
    /// Attach this terminal to a detached workbench.
    Attach(AttachArgs),
    /// List the sessions of all running workbenches. Sessions that wait for you come first.
    Agents {
        #[command(subcommand)]
        command: Option<AgentsCommand>,
        /// Print one JSON object per session.
        #[arg(long)]
        json: bool,
    },
    /// Try a sample project with a failing check. Uses a recording and needs no model.
    Demo(DemoArgs),
    /// List the agents, and add or remove those of your own.
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Manage the sessions on this machine.
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// Show and check the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Store API keys in a file that only you can read.
    #[command(subcommand)]
    Auth(AuthCommand),
    /// Print the JSON Schema of the lines that `run` writes and reads.
    Schema { of: Lines },
    /// List, test, add and remove MCP servers.
    #[command(subcommand)]
    Mcp(McpCommand),
    /// Explain why a command is allowed, needs approval or is denied.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Check configuration, model server, storage, terminal and the sandbox of commands.
    Doctor {
        #[command(subcommand)]
        command: Option<DoctorCommand>,
        /// Print one JSON object on one line.
        #[arg(long)]
        json: bool,
    },
    /// List the models of the configured servers.
    Models {
        #[command(subcommand)]
        command: Option<ModelsCommand>,
        /// Print one JSON object on one line.
        #[arg(long, global = true)]
        json: bool,
    },
    /// Compare models and agents on coding tasks.
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Print a table of the documentation: keys, commands, settings … Without a name, list the tables.
    Docs { table: Option<DocsTable> },
    /// Print a completion script that the shell can load.
    Completions { shell: Shell },
    /// Print the manual page, for `man -l -`.
    Man {
        /// Write one page for each command into this folder.
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Starts a child of a tool call. For internal use.
    #[command(hide = true)]
    ExecChild {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Cleans up after a Benchdog that was killed. For internal use.
    #[command(hide = true)]
    Keep {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DemoArgs {
    /// Approve the demo's edit and check without asking.
    #[arg(long)]
    pub(crate) auto: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the effective configuration.
    Show,
    /// Print the value of a key, its source, and the values that it overrides.
    Explain { key: String },
    /// Print the path of your configuration file.
    Path,
    /// Print a JSON Schema of the configuration.
    Schema,
    /// Check every layer of the configuration for errors.
    Check,
    /// Convert the configuration of another program, and show the result. `--write` saves it.
    Import(ImportFrom),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ImportFrom {
    /// The program to import from.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(NEIGHBOURS))]
    pub(crate) from: String,
    /// Write the result to your own configuration. Asks about each rule that allows something.
    #[arg(long)]
    pub(crate) write: bool,
}

/// Lines of `stream-json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lines {
    /// Lines of `run --output stream-json`.
    Events,
    /// Lines of `run --input stream-json`.
    Input,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuthCommand {
    /// Store the key of a provider, typed or from one line of standard input. The key is used only for that provider's
    /// server.
    Set { provider: String },
    /// Delete the stored key of a provider.
    Remove { provider: String },
    /// List the source of each provider's key, never the key itself.
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List all models by server.
    List,
    /// Show the details of one model.
    Show { id: String },
    /// Download a model to an Ollama server.
    Pull { id: String },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Explain one command line, or each line of standard input, as JSON.
    Explain {
        #[arg(allow_hyphen_values = true)]
        command: Option<String>,
        #[arg(long, conflicts_with = "command")]
        stdin: bool,
    },
}
