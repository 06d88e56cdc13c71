//! Messages about failed calls, for the person. The output of a tool is written for the model.

use super::message::{FAILED, TOLD};
use super::{Word, word};

/// Returns the label of a failed call. An unknown code, from a later version or a server, is shown with spaces.
pub(crate) fn failed(code: &str) -> String {
    look_up(FAILED, code).map_or_else(|| code.replace('_', " "), str::to_owned)
}

/// Returns the sentence that a person reads below a failed call, instead of the tool's output. `None` if there is none.
pub fn told(code: &str) -> Option<String> {
    look_up(TOLD, code).map(str::to_owned)
}

fn look_up(table: &[(&str, Word)], code: &str) -> Option<&'static str> {
    let row = table.iter().find(|(known, _)| *known == code);
    row.map(|(_, said)| word(*said))
}

#[cfg(test)]
mod tests;
