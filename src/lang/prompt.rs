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

/// Reports a cleared prompt. `keys` restore the text. May be empty.
pub fn cleared(keys: &str) -> String {
    if keys.is_empty() {
        return word(Word::ToastClearedOnly).to_owned();
    }
    message::toast_cleared(keys)
}

/// Reports that an unsent text was restored.
pub fn draft_is_back(written: Time, now: Time, zone: &Zone) -> String {
    message::toast_draft_is_back(&short_time(written, now, zone))
}

/// Names the last session of the folder. `key` opens the list of sessions.
pub fn last_session(title: &str, updated: Time, now: Time, zone: &Zone, key: &str) -> String {
    message::last_session(&short_time(updated, now, zone), key, title)
}

/// Returns the time of day, with the date if that is not today.
fn short_time(time: Time, now: Time, zone: &Zone) -> String {
    match time.date(zone) == now.date(zone) {
        true => time.hh_mm(zone),
        false => time.date_hh_mm(zone),
    }
}
