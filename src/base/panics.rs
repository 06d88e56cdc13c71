//! What a log may hold of a panic: where it happened and what went wrong, without the values it happened with.

use std::panic::PanicHookInfo;

/// The longest message, in characters.
const LONGEST: usize = 200;

/// For panic hooks.
pub(crate) fn log(info: &PanicHookInfo<'_>) {
    let at = info.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or_default();
    let why = without_values(info.payload_as_str().unwrap_or_default());
    tracing::error!(target: "benchdog::traces", thread, at, why, "panicked");
}

/// The message up to the first quotation mark: a value that is shown, such as the text that was cut in the middle of a
/// character, stands behind one.
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
mod tests {
    use super::without_values;

    #[test]
    fn a_message_loses_the_values_it_shows_and_nothing_else() {
        let kept = without_values;
        assert_eq!(
            kept("index out of bounds: the len is 3 but the index is 5"),
            "index out of bounds: the len is 3 but the index is 5"
        );
        assert_eq!(
            kept("byte index 1 is not a char boundary; it is inside 'é' (bytes 0..2) of `évery word`"),
            "byte index 1 is not a char boundary; it is inside …"
        );
        assert_eq!(kept("it failed: Custom(\"sk-secret\")"), "it failed: Custom(…");
    }
}
