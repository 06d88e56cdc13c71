//! Turns input that was read together with the key press that starts an editor into a paste in the workbench.

use super::burst::written;
use super::event_loop::Driver;
use super::parse::Input;

#[derive(Debug, Default)]
pub(super) struct Behind(String);

impl Behind {
    pub(super) fn keep(&mut self, input: Input) -> Option<Input> {
        match input {
            Input::Key(_) => {
                let written = written(&input).map(|c| if c == '\r' { '\n' } else { c });
                self.0.extend(written);
                None
            }
            Input::Paste(text) => {
                self.0.push_str(&text);
                None
            }
            Input::Mouse { .. } => None,
            said @ (Input::Focus(_) | Input::Kitty | Input::Attributes | Input::Ground(..)) => Some(said),
        }
    }

    fn end(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.0)).filter(|text| !text.is_empty())
    }
}

impl Driver {
    /// Returns the collected input as pasted text, including input in the reader's buffer.
    pub(super) fn typed_behind(&mut self) -> Option<String> {
        let mut held = Vec::new();
        self.reader.end_burst(&mut held);
        for input in held {
            self.behind.keep(input);
        }
        self.behind.end()
    }
}

#[cfg(test)]
mod tests;
