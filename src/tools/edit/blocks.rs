//! The SEARCH/REPLACE form:
//!
//! ```text
//! <<<<<<< SEARCH
//! old lines
//! =======
//! new lines
//! >>>>>>> REPLACE
//! ```
//!
//! Prose and code fences between blocks are skipped. An unclosed block is an error.

use super::Edit;

pub(super) fn looks_like(text: &str) -> bool {
    text.lines().any(|line| mark(line, '<').is_some())
}

pub(super) fn parse(text: &str) -> Result<Vec<Edit>, String> {
    let mut edits = Vec::new();
    let mut state = State::Outside;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let bare = line.trim_end_matches(['\r', '\n']);
        state = match state {
            State::Outside if mark(bare, '<').is_some() => State::Old(String::new()),
            State::Outside => State::Outside,
            State::Old(old) if mark(bare, '=') == Some("") => State::New(old, String::new()),
            State::Old(_) if mark(bare, '>').is_some() => {
                return Err(format!(
                    "line {} of the blocks: `=======` is missing before `{bare}`",
                    number + 1
                ));
            }
            State::Old(mut old) => {
                old.push_str(line);
                State::Old(old)
            }
            State::New(old, new) if mark(bare, '>').is_some() => {
                edits.push(Edit { old, new, all: false });
                State::Outside
            }
            State::New(old, mut new) => {
                new.push_str(line);
                State::New(old, new)
            }
        };
    }
    match state {
        State::Outside if edits.is_empty() => Err("there is no SEARCH/REPLACE block in the text".to_owned()),
        State::Outside => Ok(edits),
        State::Old(_) | State::New(..) => Err("a SEARCH/REPLACE block is not closed with `>>>>>>> REPLACE`".to_owned()),
    }
}

enum State {
    Outside,
    Old(String),
    New(String, String),
}

/// Returns the text after the mark: five or more of `sign` at the start of the line.
fn mark(line: &str, sign: char) -> Option<&str> {
    let rest = line.trim_start_matches(sign);
    if line.len() - rest.len() < 5 {
        return None;
    }
    let rest = rest.trim();
    match sign {
        '<' => rest.eq_ignore_ascii_case("search").then_some(rest),
        '>' => rest.eq_ignore_ascii_case("replace").then_some(rest),
        _ => Some(rest),
    }
}
