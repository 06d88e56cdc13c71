//! Text that comes in from a terminal or a file to be written on: a paste, what an editor gives back, a draft of another day.

/// Line ends as `\n`, whatever they were, and no control character but tabs; in one pass, for it may be long.
pub(crate) fn incoming(text: &str) -> String {
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
