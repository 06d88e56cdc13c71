//! An entry as people and scripts see it: the one source of the screen, plain lines, documents and `stream-json`.

mod merged;
pub(crate) mod script;
mod shown;
#[cfg(test)]
mod tests;

pub(crate) use shown::{Mark, Shown, label_of_answer, name_of, one_line, shown, summary_of};
