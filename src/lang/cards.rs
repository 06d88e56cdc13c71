//! The rows above the prompt: queued prompts, prompts that were returned to the person, and prompts that were never
//! sent.

use super::message;

/// Formats the message before the first unsent prompt. `key` edits that prompt.
pub fn taken_back(count: usize, key: &str) -> String {
    match count {
        1 => message::card_taken_back(key),
        _ => message::card_some_taken_back(&count.to_string(), key),
    }
}

pub fn several_wait(prompts: usize, kind: &str) -> String {
    message::card_several(&prompts.to_string(), kind)
}
