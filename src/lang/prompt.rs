//! Words with values about what is written in the prompt.

use super::say;
use crate::base::clock::{Time, Zone};

/// In the empty prompt. `key` opens all commands; where there is none, a slash lists some.
pub(crate) fn prompt_hint(key: &str) -> String {
    if key.is_empty() {
        return say("prompt-hint-slash", &[]);
    }
    say("prompt-hint", &[("key", key)])
}

/// A prompt of one word that is nearly a command of the program.
pub(crate) fn misspelt(word: &str, meant: &str) -> String {
    say("trouble-misspelt", &[("word", word), ("meant", meant)])
}

/// What stands for a long paste: `paste 1: 40 lines`.
pub(crate) fn paste(number: usize, size: &str) -> String {
    say("prompt-paste", &[("number", &number.to_string()), ("size", size)])
}

/// Why nothing more can be written. `size` in MiB.
pub(crate) fn text_full(size: usize) -> String {
    say("prompt-full", &[("size", &size.to_string())])
}

/// `keys`: what brings the text back, if anything does.
pub(crate) fn cleared(keys: &str) -> String {
    if keys.is_empty() {
        return say("toast-cleared-only", &[]);
    }
    say("toast-cleared", &[("key", keys)])
}

/// What was written and not sent stands in the prompt again; of another day than today, the date is said.
pub(crate) fn draft_is_back(written: Time, now: Time, zone: &Zone) -> String {
    let (date, hh_mm) = (written.date(zone), written.hh_mm(zone));
    let at = if date == now.date(zone) {
        hh_mm
    } else {
        format!("{date} {hh_mm}")
    };
    say("toast-draft-is-back", &[("at", &at)])
}
