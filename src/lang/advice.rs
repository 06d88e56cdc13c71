//! Advice about errors, by error code.

use super::message::ADVICE;
use super::word;

/// Returns every error code with advice: failures of model requests, and errors of storage.
pub fn codes() -> impl Iterator<Item = &'static str> {
    ADVICE.iter().map(|(code, _)| *code)
}

/// Returns the advice for a code. Empty if there is none.
pub fn advice(code: &str) -> String {
    let row = ADVICE.iter().find(|(known, _)| *known == code);
    row.map_or_else(String::new, |(_, advice)| word(*advice).to_owned())
}
