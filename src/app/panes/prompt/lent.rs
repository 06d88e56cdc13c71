//! The prompt is lent to a list whose item is written in it; what was being written comes back afterwards, as it was.

use super::Prompt;
use super::buffer::Buffer;

pub(super) struct Lent {
    draft: Buffer,
    /// Some of the draft came from elsewhere than the person's fingers.
    brought: bool,
    /// What the list put into the prompt.
    line: String,
}

impl Prompt {
    /// Puts a command of a list in the place of what is being written.
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

    /// Whether what stands in the prompt is still a command of the list, or nothing.
    pub(crate) fn is_lent(&self) -> bool {
        let text = self.buffer.expanded();
        let text = text.trim();
        let command = |lent: &Lent| lent.line.split_whitespace().next().unwrap_or_default().to_owned();
        let of_list = |lent: &Lent| text.is_empty() || text.split_whitespace().next() == Some(&*command(lent));
        self.lent.as_ref().is_some_and(of_list)
    }

    /// What was being written is there again. What stood in the prompt instead, and was changed, is an earlier prompt then.
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

    /// What is kept for a start after a crash: the prompt, and not a line that can be had again.
    pub(crate) fn draft(&self) -> String {
        match &self.lent {
            Some(lent) if !lent.draft.is_empty() => lent.draft.expanded(),
            _ => self.buffer.expanded(),
        }
    }
}
