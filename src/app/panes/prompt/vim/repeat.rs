//! `.`: the last change once more, by the letters it was made with and what was written then.

use super::{Buffer, Command, Did, MOST, Vim};

/// More is no change that somebody makes twice.
const LONGEST: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(super) struct Repeat {
    /// The letters of the command that is being typed.
    letters: String,
    /// Those of the last change, and the text that was written behind them.
    last: String,
    text: String,
    /// Where writing began.
    from: Option<usize>,
}

impl Repeat {
    pub(super) fn hears(&mut self, c: char) {
        self.letters.push(c);
    }

    /// The command is whole, and has come to this.
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

    /// A change that nothing is written behind.
    pub(super) fn change(&mut self, letters: String) {
        (self.last, self.text, self.from) = (letters, String::new(), None);
    }

    /// Letters are commands again: what was written since the command, where it stands before the caret.
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
    /// As often as a count says.
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
            // Nothing is left to do it to, or there is as much as the prompt takes.
            if did != Did::Changed || buffer.text().len() == before && text.is_empty() || before > LONGEST * 64 {
                break;
            }
        }
        did
    }
}
