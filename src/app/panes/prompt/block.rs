//! A prompt of several lines between two lines of `"""`, as it is written line by line (`--linear`): until the second one stands, Enter
//! begins a new line, and what lies between is text, whatever it looks like.

use super::Prompt;

/// What begins and ends it, on a line of its own.
const MARK: &str = "\"\"\"";

/// What lies between the marks. `None`: no such prompt, or one that is not ended.
pub(crate) fn inside(text: &str) -> Option<&str> {
    let rest = after_mark(text)?;
    let (inside, last) = rest.rsplit_once('\n').unwrap_or(("", rest));
    (last.trim() == MARK).then_some(inside)
}

/// What stands behind a first line that is the mark and nothing else.
fn after_mark(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('\n')?;
    (first.trim() == MARK).then_some(rest)
}

impl Prompt {
    /// Whether one was begun and is not ended.
    pub(crate) fn writes_block(&self) -> bool {
        let text = self.buffer.text().trim();
        text == MARK || after_mark(text).is_some() && inside(text).is_none()
    }
}
