//! Arguments of `benchdog attach`, `benchdog agents` and `benchdog agent`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Clone, Args)]
pub(crate) struct AttachArgs {
    /// A session id or a part of it, or `HOST:ID` to connect over ssh. Without it, the newest workbench of this folder,
    /// or else of any folder.
    pub(crate) id: Option<String>,
    /// Only view the workbench: keys have no effect, except q and Ctrl+C, which leave.
    #[arg(long)]
    pub(crate) view_only: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// List the agents with their purpose.
    List,
    /// Copy a Markdown file into the folder of your agents. The agent has the file's name.
    Add { file: PathBuf },
    /// Delete the file of one of your agents.
    Remove { name: String },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsCommand {
    /// Wait until a session needs your answer or no session is working. Then print the most urgent session.
    Wait {
        /// The session to wait for. Without it, any session.
        id: Option<String>,
        /// The maximum time to wait, in seconds. Afterwards, the exit code is 4.
        #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
        timeout: u64,
    },
    /// Send a prompt to a session of a detached workbench.
    Send { id: String, text: String },
    /// Stop the turn of a session of a detached workbench.
    Stop { id: String },
}
