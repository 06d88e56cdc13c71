//! Remembers the command keys and the inserted text of the last change, so that `.` can repeat the change.

use super::{Buffer, Command, Did, MOST, Vim};

const LONGEST: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(super) struct Repeat {
    letters: String,
    last: String,
    text: String,
    from: Option<usize>,
}

impl Repeat {
    pub(super) fn hears(&mut self, c: char) {
        self.letters.push(c);
    }

    pub(super) fn whole(&mut self, did: Did, normal: bool, buffer: &Buffer) {
        let letters = std::mem::take(&mut self.letters);
        let is_history = letters.ends_with(['u', 'U']) && did == Did::Changed;
        if !normal {
            (self.last, self.text) = (letters, String::new());
            self.from = Some(buffer.caret());
        } else if did == Did::Changed && !is_history {
            self.change(letters);
        }
    }

    pub(super) fn change(&mut self, letters: String) {
        (self.last, self.text, self.from) = (letters, String::new(), None);
    }

    pub(super) fn written(&mut self, buffer: &Buffer) {
        self.letters.clear();
        let written = self
            .from
            .take()
            .and_then(|from| buffer.text().get(from..buffer.caret()));
        self.text = match written {
            Some(text) if text.len() <= LONGEST => text.to_owned(),
            Some(_) => String::new(),
            None => std::mem::take(&mut self.text),
        };
    }
}

impl Vim {
    pub(super) fn again(&mut self, buffer: &mut Buffer) -> Did {
        let times = std::mem::take(&mut self.command).count.unwrap_or(1).min(MOST);
        self.repeat.letters.clear();
        let (letters, text) = (self.repeat.last.clone(), self.repeat.text.clone());
        let mut did = Did::Nothing;
        for _ in 0..times {
            let before = buffer.text().len();
            for c in letters.chars() {
                did = self.letter(c, buffer);
            }
            if !self.normal {
                buffer.insert(&text);
                self.escape(buffer);
                did = Did::Changed;
            }
            self.command = Command::default();
            // Stop if the change no longer has an effect, or if the text becomes too long.
            if did != Did::Changed || buffer.text().len() == before && text.is_empty() || before > LONGEST * 64 {
                break;
            }
        }
        did
    }
}
