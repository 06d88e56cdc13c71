//! Handles panics. A caught panic is not printed. The log gets the source position and the message of a panic, without
//! values.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

const LONGEST: usize = 200;

thread_local! {
    /// Whether `caught` would catch and report a panic of this thread.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `work`. `None` if it panics. Use this for libraries that panic on unexpected input.
pub fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(before);
    done.ok()
}

pub fn is_caught() -> bool {
    CAUGHT.get()
}

pub fn quiet_the_caught() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !is_caught() {
            before(info);
        }
    }));
}

pub fn log(info: &PanicHookInfo<'_>) {
    let at = info.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or_default();
    let why = without_values(info.payload_as_str().unwrap_or_default());
    tracing::error!(target: "benchdog_traces", thread, at, why, "panicked");
}

/// Truncates a message at its first quotation mark, because values are quoted.
fn without_values(message: &str) -> String {
    let end = message.find(['"', '\'', '`', '\n']).unwrap_or(message.len());
    let (plain, rest) = message.split_at_checked(end).unwrap_or((message, ""));
    let mut plain: String = plain.chars().take(LONGEST).collect();
    if !rest.is_empty() {
        plain.push('…');
    }
    plain
}

#[cfg(test)]
mod tests;
