//! The rows above the prompt: prompts that wait, came back, or were never sent.

use super::{count, say};

/// Why prompts of an earlier run stand above the prompt, and what brings them back.
pub(crate) fn unsent(key: &str) -> String {
    say("card-unsent-why", &[("key", key)])
}

/// Before the first of so many prompts that came back, with the key that shows them.
pub(crate) fn taken_back(count: usize, key: &str) -> String {
    let said = if count == 1 {
        "card-taken-back"
    } else {
        "card-some-taken-back"
    };
    say(said, &[("count", &count.to_string()), ("key", key)])
}

/// So many prompts of one kind, as one row.
pub(crate) fn several_wait(prompts: usize, kind: &str) -> String {
    say("card-several", &[("count", &prompts.to_string()), ("kind", kind)])
}

/// Prompts that wait and have no row.
pub(crate) fn more_wait(prompts: usize) -> String {
    count("card-more", prompts, &[])
}
