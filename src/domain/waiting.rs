//! Prompts that were sent but are not in the log yet.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WaitingPrompt {
    pub(crate) text: String,
    pub(crate) waits_for: WaitsFor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitsFor {
    Request,
    TurnEnd,
    /// Waits for the previous custom command.
    Command,
    /// Benchdog exited before it was sent. It is only restored to the prompt, never sent automatically.
    Person,
}
