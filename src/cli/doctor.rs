//! `benchdog doctor` and its subcommands.

use std::path::PathBuf;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use benchdog_domain::agent::Api;

#[derive(Debug, Subcommand)]
pub(crate) enum DoctorCommand {
    /// Parse a raw response body from standard input and print the result.
    ParseStream {
        #[arg(long, value_parser = apis(), default_value = Api::OpenAi.word())]
        api: Api,
        /// The HTTP status of the response.
        #[arg(long, default_value_t = 200)]
        status: u16,
        /// Read a file instead of standard input.
        file: Option<PathBuf>,
    },
    /// Print the tool calls in a model's text, from the argument or standard input.
    ParseCalls {
        #[arg(allow_hyphen_values = true)]
        text: Option<String>,
        /// A JSON array of function definitions, used in place of the built-in tools.
        #[arg(long, value_name = "FILE")]
        tools: Option<PathBuf>,
    },
    /// Compare each request of a `--record` file with the previous one, up to the first byte that differs.
    CompareRequests { file: PathBuf },
}

fn apis() -> impl TypedValueParser<Value = Api> {
    let words = PossibleValuesParser::new(Api::ALL.map(Api::word));
    words.map(|word| Api::ALL.into_iter().find(|api| api.word() == word).unwrap_or_default())
}
