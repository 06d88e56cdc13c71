//! One setting as a person may change it: what it is now, where that is from, and what else it may be.

use super::permission::Layer;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The names down to it; one of them may hold dots.
    pub(crate) path: Vec<String>,
    /// As it is in force, in JSON; empty where it is not set and has no default.
    pub(crate) value: String,
    /// The same as a person writes it on a line: a text without its quotes.
    pub(crate) written: String,
    /// Where the value is from.
    pub(crate) layer: Layer,
    /// `file:line`, the variable, or the flag; empty for a default.
    pub(crate) place: String,
    /// The row of the table it belongs to: its path with `*` for names of one's own.
    pub(crate) key: &'static str,
    /// What it is for, in English.
    pub(crate) about: &'static str,
    /// What it may be, in words.
    pub(crate) wants: String,
    /// All that it may be, where that is a closed set.
    pub(crate) choices: Vec<String>,
    /// It may be a list of texts, of which one may be written as it is.
    pub(crate) is_list: bool,
    /// It counts from the next start on.
    pub(crate) at_start: bool,
}

impl Setting {
    pub(crate) fn name(&self) -> String {
        self.path.join(".")
    }

    /// Whether what the person's own file says would not count.
    pub(crate) fn is_held(&self) -> bool {
        matches!(
            self.layer,
            Layer::Project | Layer::File | Layer::Environment | Layer::Flag
        )
    }

    /// The value after the one in force, as it is written.
    pub(crate) fn next(&self) -> Option<&str> {
        let at = self.choices.iter().position(|choice| *choice == self.written);
        let next = at.map_or(0, |at| at + 1);
        let choice = self.choices.get(next).or(self.choices.first());
        choice.map(String::as_str)
    }
}
