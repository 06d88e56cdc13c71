//! The message format of gpt-oss for reasoning, calls and answers.

use crate::textcalls::candidate::Verdict;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message {
    None,
    Thought,
    Answer,
    Between,
}

pub(super) enum HeadKind {
    Message(Message),
    Foreign,
}

pub(super) fn message_in(text: &str, verdict: &Verdict) -> Option<HeadKind> {
    if let Some(role) = text.strip_prefix("<|start|>")
        && !role.starts_with("assistant")
        && role.contains("<|message|>")
    {
        return Some(HeadKind::Foreign);
    }
    let Verdict::Wrapper(end) = verdict else { return None };
    let head = text.get(..*end).unwrap_or_default();
    Some(HeadKind::Message(if head.contains("analysis") {
        Message::Thought
    } else {
        Message::Answer
    }))
}
