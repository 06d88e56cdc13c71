//! `benchdog mcp` and its subcommands.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// List the configured servers with their commands, without starting them.
    List,
    /// Start all servers, or one, and list their tools or problems.
    Check { name: Option<String> },
    /// Add a server to your configuration.
    Add(AddServer),
    /// Remove a server from your configuration.
    Remove { name: String },
    /// Sign in to an HTTP server, or store a token for it.
    Login { name: String },
    /// Sign out and delete the stored tokens.
    Logout { name: String },
}

#[derive(Debug, Clone, Args)]
pub(crate) struct AddServer {
    pub(crate) name: String,
    /// An environment variable for the server: `NAME=VALUE`, or `NAME` to pass on yours. Repeatable.
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = variable)]
    pub(crate) env: Vec<String>,
    /// The address of the server, in place of a program.
    #[arg(long, conflicts_with_all = ["command", "env"])]
    pub(crate) url: Option<String>,
    /// A header for that address. `${VARIABLE}` is replaced by your environment variable. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", requires = "url", value_parser = header)]
    pub(crate) header: Vec<String>,
    /// An environment variable that holds a token for that address. Repeatable.
    #[arg(long, value_name = "VARIABLE", requires = "url")]
    pub(crate) token_env: Vec<String>,
    /// The timeout of an answer, in milliseconds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=3_600_000))]
    pub(crate) timeout_ms: Option<u64>,
    /// The program and its arguments, after `--`.
    #[arg(last = true, required_unless_present = "url", value_name = "PROGRAM")]
    pub(crate) command: Vec<String>,
}

/// Validates a variable name by shell syntax.
fn variable(written: &str) -> Result<String, String> {
    let name = written.split_once('=').map_or(written, |(name, _)| name);
    let may = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = !name.is_empty() && name.chars().all(may) && !name.starts_with(|c: char| c.is_ascii_digit());
    let is_one = is_name && !written.contains('\0');
    is_one
        .then(|| written.to_owned())
        .ok_or_else(|| "NAME=VALUE".to_owned())
}

fn header(written: &str) -> Result<String, String> {
    let is_header = written
        .split_once('=')
        .is_some_and(|(name, value)| is_header_name(name) && !value.chars().any(char::is_control));
    is_header
        .then(|| written.to_owned())
        .ok_or_else(|| "NAME=VALUE".to_owned())
}

/// Whether the text is a header name according to RFC 9110, section 5.6.2.
fn is_header_name(name: &str) -> bool {
    let may = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(may)
}
