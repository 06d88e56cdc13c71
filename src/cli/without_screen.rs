//! Arguments of turns without a screen: `run` and `review`.

use clap::{Args, ValueEnum};

use super::numbers::{dollars, seconds, steps, tokens};

#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    /// The prompt; without it, standard input. With both: prompt, blank line, input.
    pub(crate) prompt: Option<String>,
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) output: OutputFormat,
    /// Who answers what would ask.
    #[arg(long, value_enum, default_value_t = Approve::Never)]
    pub(crate) approve: Approve,
    /// The tools that may be used, such as `read,grep`, or such as `-bash` for all but these.
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) tools: Vec<String>,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
}

// The limits of a turn without a screen. A doc comment here would become the help of every command that uses them.
#[derive(Debug, Clone, Args)]
pub(crate) struct Bounds {
    /// Requests to the model before the run ends with `limit`; without it what the agent says, then `limits.steps`, then 50.
    #[arg(long, value_name = "N", value_parser = steps)]
    pub(crate) max_steps: Option<u32>,
    /// Tokens before the run ends with `limit`.
    #[arg(long, value_name = "N", value_parser = tokens)]
    pub(crate) max_tokens: Option<u64>,
    /// Cost before the run ends with `limit`, from the prices in the configuration.
    #[arg(long, visible_alias = "max-price", value_name = "USD", value_parser = dollars)]
    pub(crate) max_cost: Option<f64>,
    /// Seconds before the run ends with `limit`.
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<u64>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ReviewArgs {
    /// A path, a commit, or a range such as `main..HEAD`; without it, what is not committed.
    pub(crate) range: Option<String>,
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) output: OutputFormat,
    /// Ends with 8 where a finding is of this severity or graver.
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
    /// What would ask is denied.
    Never,
    /// Changes to files of the workspace, and the check.
    Edits,
    /// Whatever would ask, except dangerous or unknown commands and secret paths.
    All,
}
