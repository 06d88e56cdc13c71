//! A setting as shown to a person: its value, its source and the possible values.

use super::permission::Layer;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Parts of the key. A part may contain dots.
    pub path: Vec<String>,
    /// Effective value as JSON. Empty if unset and without a default.
    pub value: String,
    /// Effective value as a person types it, with texts unquoted.
    pub written: String,
    pub layer: Layer,
    /// Source: `file:line`, a variable, or a flag. Empty for a default.
    pub place: String,
    pub key: &'static str,
    pub about: &'static str,
    pub wants: String,
    pub choices: Vec<String>,
    /// Whether the value may be a list of texts. A single text is also accepted.
    pub is_list: bool,
    pub at_start: bool,
}

impl Setting {
    pub fn name(&self) -> String {
        self.path.join(".")
    }

    /// Whether a higher layer overrides the person's own file.
    pub fn is_held(&self) -> bool {
        matches!(
            self.layer,
            Layer::Project | Layer::File | Layer::Environment | Layer::Flag
        )
    }

    pub fn next(&self) -> Option<&str> {
        let at = self.choices.iter().position(|choice| *choice == self.written);
        let next = at.map_or(0, |at| at + 1);
        let choice = self.choices.get(next).or(self.choices.first());
        choice.map(String::as_str)
    }
}
