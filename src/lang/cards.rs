//! The rows above the prompt: queued prompts, returned prompts, and prompts that were never sent.

use super::{count, say};

/// Explains prompts of an earlier run, with the key that restores them.
pub fn unsent(key: &str) -> String {
    say("card-unsent-why", &[("key", key)])
}

/// Shown before the first unsent prompt. `key` edits it.
pub fn taken_back(count: usize, key: &str) -> String {
    let said = if count == 1 {
        "card-taken-back"
    } else {
        "card-some-taken-back"
    };
    say(said, &[("count", &count.to_string()), ("key", key)])
}

pub fn several_wait(prompts: usize, kind: &str) -> String {
    say("card-several", &[("count", &prompts.to_string()), ("kind", kind)])
}

pub fn more_wait(prompts: usize) -> String {
    count("card-more", prompts, &[])
}
