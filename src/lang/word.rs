//! Messages without values. Each is formatted once and then borrowed.

use std::sync::OnceLock;

use super::language::{Language, current_index};
use super::message::{IDS, Word, fill};

/// The formatted messages, with one row per language.
static MADE: [[OnceLock<String>; IDS.len()]; Language::COUNT] =
    [const { [const { OnceLock::new() }; IDS.len()] }; Language::COUNT];

/// Returns a message. Allocates only on the first use of the message.
pub fn word(word: Word) -> &'static str {
    let place = word as usize;
    match (
        MADE.get(current_index()).and_then(|made| made.get(place)),
        IDS.get(place),
    ) {
        (Some(made), Some(id)) => made.get_or_init(|| fill(id, [])),
        _ => "",
    }
}
