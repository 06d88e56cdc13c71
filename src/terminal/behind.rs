//! Input after the key that started an editor, read together with that key. The editor cannot get it any more, so it becomes a paste.

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
    /// Returns the stored input as a paste, including the input that the reader had buffered.
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
mod tests {
    use super::*;
    use benchdog_keys::{Key, KeyCode};

    #[test]
    fn an_enter_behind_the_key_that_opened_an_editor_sent_the_draft_that_was_edited() {
        let mut behind = Behind::default();
        let typed = [
            Key::char('d'),
            Key::plain(KeyCode::Esc),
            Key::ctrl('c'),
            Key::plain(KeyCode::Enter),
        ];
        for key in typed {
            assert_eq!(behind.keep(Input::Key(key)), None);
        }
        assert_eq!(behind.keep(Input::Paste("two words".to_owned())), None);
        assert_eq!(behind.keep(Input::Kitty), Some(Input::Kitty));
        assert_eq!(behind.end().as_deref(), Some("d\ntwo words"));
        assert_eq!(behind.end(), None);
    }
}
