//! A question of the model (`ask`): options to choose from, or an answer in one's own words.

use crate::app::panes::prompt::buffer::Buffer;
use crate::domain::review::Question;

pub(crate) struct QuestionView {
    pub(crate) question: Question,
    /// The row with the cursor; the row after the last option is the answer in one's own words.
    pub(crate) selected: usize,
    pub(crate) chosen: Vec<bool>,
    pub(crate) own: Buffer,
    /// Rows that the own words take.
    pub(crate) own_shown: usize,
}

impl QuestionView {
    pub(crate) fn new(question: Question) -> Self {
        Self {
            selected: 0,
            chosen: vec![false; question.options.len()],
            own: Buffer::default(),
            own_shown: 1,
            question,
        }
    }

    /// Whether the cursor is on the row for one's own words.
    pub(crate) fn on_own(&self) -> bool {
        self.selected >= self.question.options.len()
    }

    /// Moves the cursor, from the last row on to the first.
    pub(crate) fn step(&mut self, by: isize) {
        let rows = self.question.options.len() + 1;
        self.selected = (self.selected + rows).saturating_add_signed(by) % rows;
    }

    /// Chooses the option under the cursor; where only one may be chosen, the others go.
    pub(crate) fn toggle(&mut self) {
        let was = self.chosen.get(self.selected).copied().unwrap_or(false);
        if !self.question.multiple {
            self.chosen.fill(false);
        }
        if let Some(chosen) = self.chosen.get_mut(self.selected) {
            *chosen = !was;
        }
    }

    /// What would be answered now: what is chosen, else the row under the cursor, and one's own words.
    pub(crate) fn answers(&self) -> Vec<String> {
        let options = self.question.options.iter();
        let mut answers: Vec<String> = options
            .zip(&self.chosen)
            .filter(|(_, chosen)| **chosen)
            .map(|(option, _)| option.clone())
            .collect();
        let own = self.own.expanded();
        if !own.trim().is_empty() {
            answers.push(own.trim().to_owned());
        }
        if answers.is_empty() {
            answers.extend(self.question.options.get(self.selected).cloned());
        }
        answers
    }
}
