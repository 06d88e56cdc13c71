//! Prompts that were sent and are not in the log: what each of them waits for.

/// A prompt that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WaitingPrompt {
    pub(crate) text: String,
    pub(crate) waits_for: WaitsFor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitsFor {
    /// It goes into the very next request.
    Request,
    TurnEnd,
    /// A command of the person's: the one before it is to end.
    Command,
    /// The program ended before it was sent. It is not sent by itself: the person takes it back.
    Person,
}
