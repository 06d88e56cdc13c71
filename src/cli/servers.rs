//! `benchdog mcp` and its subcommands.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// All of the configuration, with their commands; none is started.
    List,
    /// Starts each, or one, and lists its tools or says what is wrong with it.
    Check { name: Option<String> },
    /// Writes one to your configuration.
    Add(AddServer),
    /// Takes one out of your configuration.
    Remove { name: String },
    /// Signs in at one that is reached by an address, or keeps a token for it.
    Login { name: String },
    /// Forgets what a sign-in gave.
    Logout { name: String },
}

#[derive(Debug, Clone, Args)]
pub(crate) struct AddServer {
    pub(crate) name: String,
    /// A variable it gets, as `NAME=VALUE`, or `NAME` for yours; repeatable.
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = variable)]
    pub(crate) env: Vec<String>,
    /// Its address, in place of a program.
    #[arg(long, conflicts_with_all = ["command", "env"])]
    pub(crate) url: Option<String>,
    /// A header that is sent to that address; `${VARIABLE}` in it is a variable of yours; repeatable.
    #[arg(long, value_name = "NAME=VALUE", requires = "url", value_parser = header)]
    pub(crate) header: Vec<String>,
    /// A variable of yours that holds a token for that address; repeatable.
    #[arg(long, value_name = "VARIABLE", requires = "url")]
    pub(crate) token_env: Vec<String>,
    /// How long it may take to answer, in milliseconds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=3_600_000))]
    pub(crate) timeout_ms: Option<u64>,
    /// The program and its arguments, behind `--`.
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

/// Validates a header.
fn header(written: &str) -> Result<String, String> {
    let is_header = written
        .split_once('=')
        .is_some_and(|(name, value)| is_header_name(name) && !value.chars().any(char::is_control));
    is_header
        .then(|| written.to_owned())
        .ok_or_else(|| "NAME=VALUE".to_owned())
}

/// RFC 9110, section 5.6.2.
fn is_header_name(name: &str) -> bool {
    let may = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(may)
}
