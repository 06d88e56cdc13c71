//! Arguments of `benchdog attach`, `benchdog agents` and `benchdog agent`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Clone, Args)]
pub(crate) struct AttachArgs {
    /// The session, of which a part of the id is enough, or `HOST:ID` over ssh. Without it, the one of this folder or the newest.
    pub(crate) id: Option<String>,
    /// Only look: keys have no effect, except q and Ctrl+C, which leave.
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
    /// Wait until a session waits for you or none works, and print the most urgent one.
    Wait {
        /// The session. Without it, any.
        id: Option<String>,
        /// The longest wait in seconds. Then the exit code is 4.
        #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
        timeout: u64,
    },
    /// Send a prompt to a session that runs without a terminal.
    Send { id: String, text: String },
    /// Stop the turn of a session that runs without a terminal.
    Stop { id: String },
}
