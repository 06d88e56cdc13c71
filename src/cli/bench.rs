//! Arguments of `benchdog bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};
use globset::{Glob, GlobMatcher};

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Perform the runs one after the other, and write one result file for each run. Runs that have a result are not
    /// repeated.
    Run {
        #[command(flatten)]
        runs: BenchArgs,
        /// Also write the report as one HTML file.
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
    /// Print one shell command for each run, for GNU parallel or a SLURM array.
    List {
        #[command(flatten)]
        runs: BenchArgs,
    },
    /// Print a table of the results in the given folders.
    Report {
        #[arg(required = true, value_name = "DIR")]
        results: Vec<PathBuf>,
        /// Also write the report as one HTML file.
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
    },
}

// The runs of `bench`. A doc comment here would become the help of the commands.
#[derive(Debug, Clone, Args)]
pub(crate) struct BenchArgs {
    /// A folder of tasks in the format of Harbor, or a single task.
    #[arg(value_name = "TASKS")]
    pub(crate) tasks: PathBuf,
    /// A model to compare, as `provider/model`. Repeatable. Without models and agents, the configured model is used.
    #[arg(short, long = "model", id = "model", value_name = "ID")]
    pub(crate) models: Vec<String>,
    /// A command that starts an agent of the Agent Client Protocol, to compare it. Repeatable. The command runs without
    /// a sandbox.
    #[arg(long = "agent", id = "agent", value_name = "CMD")]
    pub(crate) agents: Vec<String>,
    /// The number of attempts at each task.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=MOST_ATTEMPTS))]
    pub(crate) attempts: u32,
    /// Only the attempt with this number.
    #[arg(long, value_name = "N", conflicts_with = "attempts", value_parser = value_parser!(u32).range(1..=MOST_ATTEMPTS))]
    pub(crate) attempt: Option<u32>,
    /// The time limit of each agent in seconds, instead of `agent.timeout_sec` of the tasks.
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u64).range(1..=LONGEST_SECONDS))]
    pub(crate) agent_timeout: Option<u64>,
    /// The folder of the result files.
    #[arg(long, value_name = "DIR", default_value = "bench-results")]
    pub(crate) results: PathBuf,
    /// Only tasks whose name matches the pattern.
    #[arg(long, value_name = "GLOB", value_parser = pattern)]
    pub(crate) task: Option<GlobMatcher>,
}

const MOST_ATTEMPTS: i64 = 1000;
/// The longest time limit, as in `task.toml`.
const LONGEST_SECONDS: u64 = 86_400;

impl BenchArgs {
    pub(crate) fn attempts(&self) -> std::ops::RangeInclusive<u32> {
        match self.attempt {
            Some(only) => only..=only,
            None => 1..=self.attempts,
        }
    }
}

fn pattern(written: &str) -> Result<GlobMatcher, globset::Error> {
    Glob::new(written).map(|glob| glob.compile_matcher())
}
