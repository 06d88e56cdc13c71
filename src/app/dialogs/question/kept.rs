//! What the person answered and wrote of a question that they have not sent, as it is kept and comes back. Nothing of it is sent by itself.

use super::{Page, QuestionView};
use crate::domain::marked::{MarkedAnswer, MarkedAnswers};
use crate::domain::review::Question;

impl QuestionView {
    /// `None`: all of it is as it was asked.
    pub(crate) fn marked(&self, question: &Question) -> Option<MarkedAnswers> {
        let fresh = Self::new(question);
        let pages = self.pages.iter().zip(&fresh.pages);
        let pages: Vec<MarkedAnswer> = pages.map(|(page, fresh)| page.marked(fresh)).collect();
        let is_marked = pages
            .iter()
            .any(|page| page.answered || page.chosen.is_some() || page.own.is_some());
        is_marked.then_some(MarkedAnswers { at: self.at, pages })
    }

    /// One that asks otherwise by now has other pages, and stays as it is.
    pub(crate) fn restore(&mut self, answers: MarkedAnswers) {
        if answers.pages.len() == self.pages.len() {
            self.at = answers.at.min(self.pages.len());
            for (page, answer) in self.pages.iter_mut().zip(answers.pages) {
                page.restore(answer);
            }
        }
    }
}

impl Page {
    fn marked(&self, fresh: &Self) -> MarkedAnswer {
        let own = self.own.expanded();
        let name = if self.name.is_empty() { &self.text } else { &self.name };
        MarkedAnswer {
            name: name.lines().next().unwrap_or_default().to_owned(),
            selected: self.selected,
            chosen: Some(self.chosen()).filter(|chosen| *chosen != fresh.chosen()),
            passed_over: self.passed_over.is_some() && self.passed_over.as_ref() == Some(&own),
            own: (own != fresh.own.expanded()).then_some(own),
            answered: self.answered,
        }
    }

    fn restore(&mut self, answer: MarkedAnswer) {
        let rows = self.options.len() + usize::from(self.own_words);
        self.selected = answer.selected.min(rows.saturating_sub(1));
        if let Some(chosen) = answer.chosen.filter(|chosen| chosen.len() == self.options.len()) {
            let chosen = chosen.into_iter().enumerate().filter(|(_, chosen)| *chosen);
            self.choose(chosen.map(|(place, _)| place));
        }
        if let Some(own) = answer.own {
            self.own.set("");
            self.own.insert(&own);
            self.own.forget_undo();
        }
        self.passed_over = answer.passed_over.then(|| self.own.expanded());
        self.answered = answer.answered;
    }
}
