//! The steps of `/setup` and `--setup`. Each step is a dialog.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wizard {
    pub(crate) step: Step,
    /// Whether the program exits after the last step.
    pub(crate) leaves: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Language,
    Theme,
    Server,
    /// The step in which the engine writes the chosen server to the configuration.
    Writing,
}
