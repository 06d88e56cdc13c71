//! Messages about failed calls. A tool's own text is for the model. The person reads these messages in
//! their language instead.

use super::message::{FAILED, TOLD};
use super::{Word, word};

/// Returns the label beside a failed call. An unknown code of a later version or a server is shown as it is.
pub(crate) fn failed(code: &str) -> String {
    in_table(FAILED, code).map_or_else(|| code.replace('_', " "), str::to_owned)
}

/// Returns the message that replaces the tool's own text below the call. `None` if the label needs none.
pub fn told(code: &str) -> Option<String> {
    in_table(TOLD, code).map(str::to_owned)
}

fn in_table(table: &[(&str, Word)], code: &str) -> Option<&'static str> {
    let row = table.iter().find(|(known, _)| *known == code);
    row.map(|(_, said)| word(*said))
}

#[cfg(test)]
mod tests;
