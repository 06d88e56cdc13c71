//! Submitted prompts that are not in the log yet.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingPrompt {
    pub text: String,
    pub waits_for: WaitsFor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitsFor {
    Request,
    TurnEnd,
    Command,
    /// Benchdog exited before sending the prompt. It is only restored to the input, never sent automatically.
    Person,
}
