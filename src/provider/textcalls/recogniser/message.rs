//! The messages in which gpt-oss writes thoughts, calls and answers.

use crate::provider::textcalls::candidate::Verdict;

/// The message of gpt-oss at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message {
    /// The answer does not come in messages.
    None,
    Thought,
    Answer,
    /// Behind one and before the next.
    Between,
}

/// What the head of a message of gpt-oss says.
pub(super) enum Said {
    Message(Message),
    /// It is not a message of the model.
    Foreign,
}

/// The kind of the message that begins here, as far as it is none that calls a tool.
pub(super) fn message_in(text: &str, verdict: &Verdict) -> Option<Said> {
    if let Some(role) = text.strip_prefix("<|start|>")
        && !role.starts_with("assistant")
        && role.contains("<|message|>")
    {
        return Some(Said::Foreign);
    }
    let Verdict::Wrapper(end) = verdict else { return None };
    let head = text.get(..*end).unwrap_or_default();
    Some(Said::Message(if head.contains("analysis") {
        Message::Thought
    } else {
        Message::Answer
    }))
}
