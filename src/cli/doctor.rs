//! `benchdog doctor` and its subcommands.

use std::path::PathBuf;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use benchdog_domain::agent::Api;

#[derive(Debug, Subcommand)]
pub(crate) enum DoctorCommand {
    /// A raw response body on standard input, as the program understands it.
    ParseStream {
        #[arg(long, value_parser = apis(), default_value = Api::OpenAi.word())]
        api: Api,
        /// The HTTP status that came with the body.
        #[arg(long, default_value_t = 200)]
        status: u16,
        /// A file instead of standard input.
        file: Option<PathBuf>,
    },
    /// A model's text, as the argument or on standard input: the tool calls that are written in it.
    ParseCalls {
        #[arg(allow_hyphen_values = true)]
        text: Option<String>,
        /// A JSON array of function definitions instead of our own tools.
        #[arg(long, value_name = "FILE")]
        tools: Option<PathBuf>,
    },
    /// A file of `--record`: what each request shares with the one before, and the first byte that differs.
    CompareRequests { file: PathBuf },
}

/// Parses the name of an API.
fn apis() -> impl TypedValueParser<Value = Api> {
    let words = PossibleValuesParser::new(Api::ALL.map(Api::word));
    words.map(|word| Api::ALL.into_iter().find(|api| api.word() == word).unwrap_or_default())
}
