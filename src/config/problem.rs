//! All problems of a configuration as one error.

use std::fmt;

use benchdog_base::problem::Problem;

/// The problems in the order of the files. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    pub problems: Vec<Problem>,
}

impl fmt::Display for ConfigError {
    /// Shows the first problem and the number of others. One fix often solves several problems.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [] => f.write_str("the configuration could not be read"),
            [only] => only.fmt(f),
            [first, rest @ ..] => write!(
                f,
                "{first} (and {} more; `benchdog config check` shows all)",
                rest.len()
            ),
        }
    }
}

impl std::error::Error for ConfigError {}
