//! Log entries as shown to people and scripts. The screen, plain lines, documents and `stream-json` all use this
//! module.

mod merged;
pub mod script;
mod shown;
#[cfg(test)]
mod tests;

pub use shown::{Mark, Shown, label_of_answer, name_of, one_line, shown, summary_of};
