//! Keys that came faster than anybody types are a paste, also where the terminal does not say so. Pure.
//!
//! Without bracketed paste (a serial line, `screen`, a script) a terminal types what is pasted, and each of its line ends would
//! send half a prompt. Rules:
//! - What came in one piece and is long, or goes on behind a line end or a tab, is a paste. It is held until a silence says that it is whole.
//! - A line end in it is one. Only the one Enter behind a single line sends: that is how scripts type.
//! - What a person types passes at once and untouched.

use std::time::Duration;

use super::parse::{Input, LONGEST_PASTE};
use crate::keys::{Key, KeyCode};

/// So many bytes of text in one piece were not typed.
const PASTED: usize = 64;

/// After this silence a paste is whole.
pub(super) const BURST_WAIT: Duration = Duration::from_millis(40);

/// The paste that goes on, with Enter as `\r`.
#[derive(Debug, Default)]
pub(crate) struct Burst {
    held: String,
}

/// What a key writes, where it writes something.
pub(crate) fn written(input: &Input) -> Option<char> {
    match input {
        Input::Key(key) if *key == Key::plain(KeyCode::Enter) => Some('\r'),
        Input::Key(key) if *key == Key::plain(KeyCode::Tab) => Some('\t'),
        Input::Key(key) if *key == Key::ctrl('j') => Some('\n'),
        Input::Key(key) => key.printable(),
        _ => None,
    }
}

/// What the terminal says of itself comes in between, whatever is typed or pasted.
fn is_of_terminal(input: &Input) -> bool {
    match input {
        Input::Focus(_) | Input::Kitty | Input::Attributes | Input::Ground(..) => true,
        Input::Key(_) | Input::Paste(_) | Input::Mouse { .. } => false,
    }
}

fn is_pasted(run: &str) -> bool {
    let text = run.trim_matches(['\r', '\t']);
    run.len() >= PASTED || text.contains(['\r', '\t'])
}

impl Burst {
    /// Takes what one piece of bytes meant, and appends what is to be done now.
    pub(crate) fn take(&mut self, piece: &mut Vec<Input>, out: &mut Vec<Input>) {
        let mut run = String::new();
        let mut keys = Vec::new();
        for input in piece.drain(..) {
            if let Some(c) = written(&input) {
                run.push(c);
                keys.push(input);
            } else if is_of_terminal(&input) {
                out.push(input);
            } else {
                self.add(&run, &mut keys, out);
                self.settle(out);
                run.clear();
                out.push(input);
            }
        }
        self.add(&run, &mut keys, out);
    }

    /// Text that stands together: it is held, or it was typed.
    fn add(&mut self, run: &str, keys: &mut Vec<Input>, out: &mut Vec<Input>) {
        if self.is_held() || is_pasted(run) {
            self.held.push_str(run);
            keys.clear();
        } else {
            out.append(keys);
        }
        if self.held.len() >= LONGEST_PASTE {
            self.settle(out);
        }
    }

    /// Whether a silence is waited for.
    pub(crate) fn is_held(&self) -> bool {
        !self.held.is_empty()
    }

    /// The paste is whole.
    pub(crate) fn settle(&mut self, out: &mut Vec<Input>) {
        let held = std::mem::take(&mut self.held);
        let line = held.strip_suffix('\r').filter(|line| !line.contains('\r'));
        let text = line.unwrap_or(&held);
        if !text.is_empty() {
            out.push(Input::Paste(text.replace('\r', "\n")));
        }
        if line.is_some() {
            out.push(Input::Key(Key::plain(KeyCode::Enter)));
        }
    }
}

#[cfg(test)]
mod tests;
