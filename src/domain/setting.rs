//! A setting as shown to a person: its value, source, and possible values.

use super::permission::Layer;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The key path. One of the parts may contain dots.
    pub(crate) path: Vec<String>,
    /// The effective value as JSON. Empty if unset and without a default.
    pub(crate) value: String,
    /// The effective value as a person types it: texts have no quotes.
    pub(crate) written: String,
    pub(crate) layer: Layer,
    /// `file:line`, a variable, or a flag. Empty for a default.
    pub(crate) place: String,
    /// The key in the table of settings, with `*` for custom names.
    pub(crate) key: &'static str,
    pub(crate) about: &'static str,
    pub(crate) wants: String,
    /// All valid values of a closed set.
    pub(crate) choices: Vec<String>,
    /// Whether the value may be a list of texts. A single text is then accepted, too.
    pub(crate) is_list: bool,
    /// Whether a change needs a restart.
    pub(crate) at_start: bool,
}

impl Setting {
    pub(crate) fn name(&self) -> String {
        self.path.join(".")
    }

    /// Whether a higher layer overrides the person's own file.
    pub(crate) fn is_held(&self) -> bool {
        matches!(
            self.layer,
            Layer::Project | Layer::File | Layer::Environment | Layer::Flag
        )
    }

    pub(crate) fn next(&self) -> Option<&str> {
        let at = self.choices.iter().position(|choice| *choice == self.written);
        let next = at.map_or(0, |at| at + 1);
        let choice = self.choices.get(next).or(self.choices.first());
        choice.map(String::as_str)
    }
}
