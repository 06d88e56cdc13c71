//! What a merge could not take over, in words for a person; the log has it as the model reads it.

use super::say;
use crate::domain::review::{FileNote, listed};

/// What the reader of a proposed file should know.
pub(crate) fn file_note(note: &FileNote) -> String {
    match note {
        FileNote::Words(words) => words.clone(),
        FileNote::LeftOut { words, lines } => {
            let left_out = say("merge-left-out", &[("lines", &listed(lines))]);
            match words {
                Some(words) => format!("{words}; {left_out}"),
                None => left_out,
            }
        }
    }
}

/// Where both sides changed something.
pub(crate) fn both_changed(place: &str) -> String {
    say("merge-both-changed", &[("place", place)])
}
