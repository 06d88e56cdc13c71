//! Messages about the prompt.

use super::{Word, message, word};
use benchdog_base::clock::{Time, Zone};

/// Formats the hint in an empty prompt. `key` opens the list of all commands. Without a key, the hint mentions `/`.
pub fn prompt_hint(key: &str) -> String {
    if key.is_empty() {
        return word(Word::PromptHintSlash).to_owned();
    }
    message::prompt_hint(key)
}

/// Formats the placeholder of a long paste: `paste 1: 40 lines`.
pub fn paste(number: usize, size: &str) -> String {
    message::prompt_paste(&number.to_string(), size)
}

/// Reports that the prompt is full. `size` is in MiB.
pub fn text_full(size: usize) -> String {
    message::prompt_full(&size.to_string())
}

/// Reports a cleared prompt. `keys` restore the text, or are empty if no key is bound.
pub fn cleared(keys: &str) -> String {
    if keys.is_empty() {
        return word(Word::ToastClearedOnly).to_owned();
    }
    message::toast_cleared(keys)
}

/// Reports that an unsent text was restored. Includes the date if it is not today.
pub fn draft_is_back(written: Time, now: Time, zone: &Zone) -> String {
    let (date, hh_mm) = (written.date(zone), written.hh_mm(zone));
    let at = if date == now.date(zone) {
        hh_mm
    } else {
        format!("{date} {hh_mm}")
    };
    message::toast_draft_is_back(&at)
}
