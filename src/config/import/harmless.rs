//! Selects variables and headers to copy. Every value that may be a secret becomes a variable reference.

use super::variable;
use crate::secret::is_secret_name;

const SWITCHES: [&str; 14] = [
    "0", "1", "true", "false", "yes", "no", "on", "off", "trace", "debug", "info", "warn", "warning", "error",
];

/// Suffixes of variable names whose numbers are harmless. Other numbers may be secrets.
const COUNTED: [&str; 15] = [
    "PORT",
    "TIMEOUT",
    "MS",
    "SECONDS",
    "SECS",
    "MINUTES",
    "LIMIT",
    "SIZE",
    "BYTES",
    "COUNT",
    "DEPTH",
    "RETRIES",
    "WORKERS",
    "THREADS",
    "VERBOSITY",
];

/// First folders of file paths. They distinguish a path from base64 text, which may also begin with `/`.
const ROOTS: [&str; 17] = [
    "Users", "app", "bin", "data", "etc", "home", "lib", "media", "mnt", "nix", "opt", "root", "run", "srv", "tmp",
    "usr", "var",
];

const SCHEMES: [&str; 4] = ["Bearer", "Basic", "Token", "token"];

pub(super) fn is_harmless(name: &str, value: &str) -> bool {
    if variable(value).is_some() || value.is_empty() {
        return true;
    }
    let is_switch = SWITCHES.iter().any(|word| value.eq_ignore_ascii_case(word));
    !is_secret_name(name) && (is_switch || is_count(name, value) || value.split(':').all(is_path))
}

fn is_count(name: &str, value: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let last = name.rsplit('_').next().unwrap_or_default();
    COUNTED.contains(&last) && value.len() <= 9 && value.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_path(text: &str) -> bool {
    let plain = |name: &str| name.len() <= 64 && name.chars().all(|c| c.is_alphanumeric() || " ._-".contains(c));
    let (first, rest) = text.split_once('/').unwrap_or((text, ""));
    let begins = match first {
        "" => rest.split('/').next().is_some_and(|root| ROOTS.contains(&root)),
        "~" => true,
        first => variable(first).is_some(),
    };
    begins && rest.split('/').all(plain)
}

/// Whether a header value consists only of variables and an authentication scheme.
pub(super) fn is_of_variables(value: &str) -> bool {
    let is_variable = |word: &str| word.starts_with("${") && variable(word).is_some();
    let mut words = value.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| is_variable(word) || SCHEMES.contains(&word))
}

#[cfg(test)]
mod tests;
