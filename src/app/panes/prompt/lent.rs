//! The prompt while the user edits a todo item in it. The previous text is restored afterwards.

use super::Prompt;
use super::buffer::Buffer;

pub(super) struct Lent {
    draft: Buffer,
    /// Whether the stored text contains parts that the user did not type.
    brought: bool,
    line: String,
}

impl Prompt {
    pub(crate) fn lend(&mut self, line: &str) {
        let (draft, brought) = match self.lent.take() {
            Some(lent) => (lent.draft, lent.brought),
            None => (std::mem::take(&mut self.buffer), self.brought),
        };
        self.lent = Some(Lent {
            draft,
            brought,
            line: line.to_owned(),
        });
        self.history.leave();
        self.bring(line);
        self.writes();
    }

    /// Whether the prompt still contains the command for the todo item, or no text.
    pub(crate) fn is_lent(&self) -> bool {
        let text = self.buffer.expanded();
        let text = text.trim();
        let command = |lent: &Lent| lent.line.split_whitespace().next().unwrap_or_default().to_owned();
        let of_list = |lent: &Lent| text.is_empty() || text.split_whitespace().next() == Some(&*command(lent));
        self.lent.as_ref().is_some_and(of_list)
    }

    /// Restores the previous text. If the user has edited the command, the command is added to the history.
    pub(crate) fn give_back(&mut self) -> bool {
        let Some(lent) = self.lent.take() else { return false };
        let text = self.buffer.expanded();
        if text.trim() != lent.line.trim() {
            self.remember(&text);
        }
        self.buffer = lent.draft;
        self.brought = lent.brought;
        self.completion = None;
        true
    }

    /// Returns the text to save for a restart. While the prompt edits a todo item, returns the previous text.
    pub(crate) fn draft(&self) -> String {
        match &self.lent {
            Some(lent) if !lent.draft.is_empty() => lent.draft.expanded(),
            _ => self.buffer.expanded(),
        }
    }
}
