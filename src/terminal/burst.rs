//! Treats keys that arrive too fast for typing as a paste, for terminals without bracketed paste. Pure. Otherwise, each
//! pasted line break would send a part of a prompt.
//!
//! Long text in one read is a paste, and so is text after a line break or tab. A paste is held until a pause. A single
//! line with a final Enter is sent, because scripts send prompts this way. Typed keys pass at once.

use std::time::Duration;

use super::parse::{Input, LONGEST_PASTE};
use benchdog_keys::{Key, KeyCode};

/// Minimum bytes of one read that count as a paste, because nobody types that fast.
const PASTED: usize = 64;

pub(super) const BURST_WAIT: Duration = Duration::from_millis(40);

/// The text of a paste that may continue. Enter is stored as `\r`.
#[derive(Debug, Default)]
pub struct Burst {
    held: String,
}

pub fn written(input: &Input) -> Option<char> {
    match input {
        Input::Key(key) if *key == Key::plain(KeyCode::Enter) => Some('\r'),
        Input::Key(key) if *key == Key::plain(KeyCode::Tab) => Some('\t'),
        Input::Key(key) if *key == Key::ctrl('j') => Some('\n'),
        Input::Key(key) => key.printable(),
        _ => None,
    }
}

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
    /// Takes the input of one read. Appends input that can be handled now to `out`, and buffers the rest.
    pub fn take(&mut self, piece: &mut Vec<Input>, out: &mut Vec<Input>) {
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

    pub fn is_held(&self) -> bool {
        !self.held.is_empty()
    }

    pub fn settle(&mut self, out: &mut Vec<Input>) {
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
