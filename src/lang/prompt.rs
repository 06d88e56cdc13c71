//! Messages about the prompt.

use super::say;
use benchdog_base::clock::{Time, Zone};

/// The hint in an empty prompt. `key` opens all commands. Without it, the hint names the slash.
pub fn prompt_hint(key: &str) -> String {
    if key.is_empty() {
        return say("prompt-hint-slash", &[]);
    }
    say("prompt-hint", &[("key", key)])
}

pub fn misspelt(word: &str, meant: &str) -> String {
    say("trouble-misspelt", &[("word", word), ("meant", meant)])
}

/// The placeholder of a long paste: `paste 1: 40 lines`.
pub fn paste(number: usize, size: &str) -> String {
    say("prompt-paste", &[("number", &number.to_string()), ("size", size)])
}

/// The prompt is full. `size` is in MiB.
pub fn text_full(size: usize) -> String {
    say("prompt-full", &[("size", &size.to_string())])
}

/// `keys` restore the text. Empty if no key is bound.
pub fn cleared(keys: &str) -> String {
    if keys.is_empty() {
        return say("toast-cleared-only", &[]);
    }
    say("toast-cleared", &[("key", keys)])
}

/// An unsent text was restored. Includes the date if it is not today.
pub fn draft_is_back(written: Time, now: Time, zone: &Zone) -> String {
    let (date, hh_mm) = (written.date(zone), written.hh_mm(zone));
    let at = if date == now.date(zone) {
        hh_mm
    } else {
        format!("{date} {hh_mm}")
    };
    say("toast-draft-is-back", &[("at", &at)])
}
