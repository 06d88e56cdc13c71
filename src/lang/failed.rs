//! Messages about failed calls. A tool's own text is for the model. The person reads these messages in
//! their language instead.

use super::message::{FAILED, TOLD};
use super::{Word, word};

/// Returns the label beside a failed call. An unknown code of a later version or a server is shown as it is.
pub(crate) fn failed(code: &str) -> String {
    look_up(FAILED, code).map_or_else(|| code.replace('_', " "), str::to_owned)
}

/// Returns the message that replaces the tool's own text below the call. `None` if the label needs none.
pub fn told(code: &str) -> Option<String> {
    look_up(TOLD, code).map(str::to_owned)
}

fn look_up(table: &[(&str, Word)], code: &str) -> Option<&'static str> {
    let row = table.iter().find(|(known, _)| *known == code);
    row.map(|(_, said)| word(*said))
}

#[cfg(test)]
mod tests;
