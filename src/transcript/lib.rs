//! Log entries as shown to people and scripts: on the screen, in plain lines, in documents and in `stream-json`.

mod merged;
pub mod script;
mod shown;
#[cfg(test)]
mod tests;

pub use shown::{Mark, Shown, label_of_answer, name_of, one_line, shown, summary_of};
