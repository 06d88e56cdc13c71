//! Arguments of turns without a screen: `run` and `review`.

use clap::{Args, ValueEnum};

use super::numbers::{dollars, seconds, steps, tokens};
use benchdog_domain::tool_list;

#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    /// The prompt. Without it, or with `-`, standard input is read. With both, the input follows the prompt after a
    /// blank line.
    pub(crate) prompt: Option<String>,
    /// The content of standard input: text of the prompt, or messages from a program, as one JSON object per line.
    #[arg(long, value_enum, default_value_t = InputFormat::Text)]
    pub(crate) input: InputFormat,
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) output: OutputFormat,
    /// The answer to requests for approval.
    #[arg(long, value_enum, default_value_t = Approve::Never)]
    pub(crate) approve: Approve,
    /// The allowed tools, such as `read,grep`, `files__*` or `re:(read|grep)`, or the excluded ones, such as `-bash`. A
    /// list that begins with `re:` is one expression, even if it contains commas.
    #[arg(
        long,
        visible_alias = "enabled-tools",
        value_name = "LIST",
        allow_hyphen_values = true
    )]
    pub(crate) tools: Vec<String>,
    /// The excluded tools, such as `bash,write`. Means the same as `--tools=-bash,-write`.
    #[arg(long, value_name = "LIST")]
    pub(crate) disabled_tools: Vec<String>,
    /// Print only the answer and errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
}

impl RunArgs {
    /// Returns the allowed tools, then the excluded ones. This order is needed because the last match applies.
    pub(crate) fn tool_list(&self) -> Vec<String> {
        let excluded = self.disabled_tools.iter().flat_map(|list| items(list));
        let excluded = excluded.map(|name| format!("-{}", name.trim()));
        let allowed = self.tools.iter().flat_map(|list| items(list)).map(str::to_owned);
        allowed.chain(excluded).collect()
    }
}

/// Splits a list at its commas. A regular expression may contain commas, so it is one item.
fn items(list: &str) -> Vec<&str> {
    match tool_list::name(list).starts_with("re:") {
        true => vec![list],
        false => list.split(',').collect(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    Text,
    StreamJson,
}

// The limits of a turn without a screen. A doc comment here would become the help of every command that uses them.
#[derive(Debug, Clone, Args)]
pub(crate) struct Bounds {
    /// The maximum number of requests before the run ends with `limit`. Without it, the agent's `steps`, or else
    /// `limits.steps`, or else 50.
    #[arg(long, value_name = "N", value_parser = steps)]
    pub(crate) max_steps: Option<u32>,
    /// The maximum number of tokens before the run ends with `limit`.
    #[arg(long, value_name = "N", value_parser = tokens)]
    pub(crate) max_tokens: Option<u64>,
    /// The maximum cost before the run ends with `limit`, based on the configured prices.
    #[arg(long, visible_alias = "max-price", value_name = "USD", value_parser = dollars)]
    pub(crate) max_cost: Option<f64>,
    /// The maximum number of seconds before the run ends with `limit`.
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<u64>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ReviewArgs {
    /// A path, a commit, or a range such as `main..HEAD`. Without it, the uncommitted changes are reviewed.
    pub(crate) range: Option<String>,
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) output: OutputFormat,
    /// Exit with code 8 if a finding has at least this severity.
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<FailOn>,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Error,
    Warning,
    Note,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Text,
    Json,
    StreamJson,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Approve {
    /// Deny every request.
    Never,
    /// Ask about each request on the terminal, or ask the program of `--input stream-json`.
    Ask,
    /// Approve changes to files of the workspace, and the check.
    Edits,
    /// Approve every request, except external, dangerous and unknown commands and secret paths.
    All,
}

#[cfg(test)]
mod tests;
