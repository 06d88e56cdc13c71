//! Messages about the prompt.

use super::{Word, message, word};
use benchdog_base::clock::{Time, Zone};

/// The hint in an empty prompt. `key` opens all commands. Without it, the hint names the slash.
pub fn prompt_hint(key: &str) -> String {
    if key.is_empty() {
        return word(Word::PromptHintSlash).to_owned();
    }
    message::prompt_hint(key)
}

/// The placeholder of a long paste: `paste 1: 40 lines`.
pub fn paste(number: usize, size: &str) -> String {
    message::prompt_paste(&number.to_string(), size)
}

/// The prompt is full. `size` is in MiB.
pub fn text_full(size: usize) -> String {
    message::prompt_full(&size.to_string())
}

/// `keys` restore the text. Empty if no key is bound.
pub fn cleared(keys: &str) -> String {
    if keys.is_empty() {
        return word(Word::ToastClearedOnly).to_owned();
    }
    message::toast_cleared(keys)
}

/// An unsent text was restored. Includes the date if it is not today.
pub fn draft_is_back(written: Time, now: Time, zone: &Zone) -> String {
    let (date, hh_mm) = (written.date(zone), written.hh_mm(zone));
    let at = if date == now.date(zone) {
        hh_mm
    } else {
        format!("{date} {hh_mm}")
    };
    message::toast_draft_is_back(&at)
}
