//! Multi-line prompts in `--linear` mode, between two lines of `"""`. Until the closing line, Enter inserts a line
//! break instead of sending, and every key types text.

use super::Prompt;

const MARK: &str = "\"\"\"";

pub(crate) fn inside(text: &str) -> Option<&str> {
    let rest = after_mark(text)?;
    let (inside, last) = rest.rsplit_once('\n').unwrap_or(("", rest));
    (last.trim() == MARK).then_some(inside)
}

fn after_mark(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('\n')?;
    (first.trim() == MARK).then_some(rest)
}

impl Prompt {
    pub(crate) fn writes_block(&self) -> bool {
        let text = self.buffer.text().trim();
        text == MARK || after_mark(text).is_some() && inside(text).is_none()
    }
}
