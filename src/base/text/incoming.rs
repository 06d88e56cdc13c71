//! Converts outside text for editing: a paste, an editor's result, an old draft.

/// Converts line ends to `\n` and drops control characters except tabs. Makes a single pass, because the text may be
/// long.
pub fn incoming(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\t' => out.push(c),
            // Vertical tab, form feed, next line, line and paragraph separator.
            '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
