//! Questions to the person: each with options to choose from, or an answer in one's own words. Where there are several,
//! a last page shows all answers before they are sent.

mod page;
mod rows;

use crate::domain::elicited::DECLINE;
use crate::domain::permission::Decision;
use crate::domain::plan::{LEAVE, WITH_APPROVALS, WITH_EDITS};
use crate::domain::review::{END_TURN, GO_ON, Question};
use crate::lang::{self, Word, word};
pub(crate) use page::{ByItself, Page};
use page::{Written, choice};
use rows::text_rows;
pub(crate) use rows::{InView, MARKS, NUMBERED, QuestionRow, answers_column, own_indent, row_at, rows};

/// Everything one call asks.
pub(crate) struct QuestionView {
    pub(crate) pages: Vec<Page>,
    /// The page on screen; the one after the last shows all answers.
    pub(crate) at: usize,
    /// The question under the cursor on the page of answers.
    pub(crate) chosen: usize,
    /// What the model adds below.
    pub(crate) note: Option<String>,
}

impl QuestionView {
    pub(crate) fn new(question: &Question) -> Self {
        let (pages, note) = match question {
            Question::Model { asked, note } => (asked.iter().map(Page::of).collect(), note.clone()),
            Question::Server(form) => {
                let fields = form.fields.iter().map(Page::field);
                let pages = std::iter::once(Page::gate(form)).chain(fields);
                (pages.collect(), Some(lang::server_form(&form.server)))
            }
            Question::Plan { text } => {
                let options = vec![
                    // What gives least away is under the bar.
                    choice(word(Word::PlanWithApprovals), WITH_APPROVALS),
                    choice(word(Word::PlanWithEdits), WITH_EDITS),
                    choice(word(Word::PlanLeave), LEAVE),
                ];
                (vec![Page::read(text.clone(), options)], None)
            }
            Question::GoOn(pause) => {
                let options = vec![
                    choice(word(Word::AnswerGoOn), GO_ON),
                    choice(word(Word::AnswerEndTurn), END_TURN),
                ];
                (vec![Page::new(lang::go_on(pause), options)], None)
            }
        };
        Self {
            pages,
            at: 0,
            chosen: 0,
            note,
        }
    }

    /// Whether there are pages to go through.
    pub(crate) fn has_pages(&self) -> bool {
        self.pages.len() > 1
    }

    /// Rows of the bar with the names of the questions, which is always in view.
    pub(crate) fn bar_rows(&self) -> u16 {
        u16::from(self.has_pages())
    }

    /// The question on screen; `None` on the page of answers.
    pub(crate) fn page(&self) -> Option<&Page> {
        self.pages.get(self.at)
    }

    pub(crate) fn page_mut(&mut self) -> Option<&mut Page> {
        self.pages.get_mut(self.at)
    }

    /// Whether the cursor is on the row for one's own words.
    pub(crate) fn on_own(&self) -> bool {
        self.page().is_some_and(Page::on_own)
    }

    /// The texts that the person wrote.
    pub(crate) fn own_texts(&self, question: &Question) -> Vec<String> {
        let fresh = Self::new(question);
        let pages = self.pages.iter().zip(&fresh.pages);
        let pages = pages.filter(|(page, fresh)| page.own.text() != fresh.own.text());
        pages.map(|(page, _)| page.own.expanded()).collect()
    }

    /// What the person has answered so far, by the names of the questions.
    pub(crate) fn written(&self) -> Vec<String> {
        let written = self.pages.iter().filter_map(|page| {
            let answers = page.written()?;
            Some(format!("{}: {}", page.name, answers.join(", ")))
        });
        written.collect()
    }

    /// Moves the cursor, from the last row on to the first.
    pub(crate) fn step(&mut self, by: isize) {
        match self.pages.get_mut(self.at) {
            Some(page) => page.step(by),
            None => self.chosen = turned(self.chosen, by, self.pages.len()),
        }
    }

    /// Reads on in a long text, or back.
    pub(crate) fn scroll(&mut self, pages: isize) {
        if let Some(page) = self.page_mut() {
            let step = page.text_shown.saturating_sub(1).max(1);
            let by = pages.saturating_mul(isize::try_from(step).unwrap_or(isize::MAX));
            page.scroll = page.scroll.saturating_add_signed(by).min(page.last_scroll);
        }
    }

    /// For a picture of so many columns and rows.
    pub(crate) fn arrange(&mut self, width: u16, height: u16) {
        if let Some(page) = self.page_mut()
            && let Some((rows, codes)) = page.laid(width)
        {
            page.written = Written::Markdown { width, rows, codes };
        }
        let rows = rows(self, width);
        let (text, shown) = text_rows(&rows, height.saturating_sub(self.bar_rows()));
        if let Some(page) = self.page_mut() {
            page.last_scroll = text - shown;
            page.text_shown = shown;
            page.scroll = page.scroll.min(page.last_scroll);
        }
    }

    /// Chooses the option under the cursor; on the page of answers, leads to the question under the cursor.
    pub(crate) fn toggle(&mut self) {
        match self.pages.get_mut(self.at) {
            Some(page) => page.toggle(),
            None => self.at = self.chosen,
        }
    }

    /// Chooses the answer at this place, from 0; on the page of answers, leads to that question. `false`: there is none.
    pub(crate) fn pick(&mut self, place: usize) -> bool {
        let pages = self.pages.len();
        match self.pages.get_mut(self.at) {
            Some(page) if place < page.options.len() => {
                page.selected = place;
                page.pick();
            }
            None if place < pages => (self.chosen, self.at) = (place, place),
            Some(_) | None => return false,
        }
        true
    }

    /// The cursor goes to a row that was clicked. `false`: it is not one of those to choose from.
    pub(crate) fn click(&mut self, row: &QuestionRow) -> bool {
        let place = match row {
            QuestionRow::Option { place, .. }
            | QuestionRow::Description { place, .. }
            | QuestionRow::Answered { place, .. } => *place,
            QuestionRow::Own => self.page().map_or(0, |page| page.options.len()),
            QuestionRow::Text(_) | QuestionRow::Read(_) | QuestionRow::Wrong(_) | QuestionRow::Note(_) => return false,
        };
        match self.pages.get_mut(self.at) {
            Some(page) => page.selected = place,
            None => self.chosen = place,
        }
        true
    }

    /// The row under the cursor.
    pub(crate) fn under_cursor(&self) -> usize {
        self.page().map_or(self.chosen, |page| page.selected)
    }

    /// To another page, from the last on to the first.
    pub(crate) fn turn(&mut self, by: isize) {
        if self.has_pages() {
            self.at = turned(self.at, by, self.pages.len() + 1);
        }
    }

    /// Done with this page: on to the next question that is open, unless the answer does not fit. Returns the decision where none follows.
    pub(crate) fn done(&mut self) -> Option<Decision> {
        let has_pages = self.has_pages();
        let Some(page) = self.pages.get_mut(self.at) else {
            return self.send();
        };
        page.answered = true;
        if page.declines() || !has_pages {
            return self.send();
        }
        if !page.refuses() {
            let is_open = |at: &usize| self.pages.get(*at).is_some_and(|page| !page.is_answered());
            let later = (self.at + 1..self.pages.len()).chain(0..self.at);
            self.at = later.into_iter().find(is_open).unwrap_or(self.pages.len());
        }
        None
    }

    /// All answers, where each of them fits; else to the first that does not.
    fn send(&mut self) -> Option<Decision> {
        if self.pages.iter().any(Page::declines) {
            return Some(Decision::answered(vec![DECLINE.to_owned()]));
        }
        let wrong = self.pages.iter_mut().position(Page::refuses);
        if let Some(wrong) = wrong {
            self.at = wrong;
            return None;
        }
        let mut answers = self.pages.iter().map(Page::answers);
        Some(Decision::Answer {
            answers: answers.next().unwrap_or_default(),
            further: answers.collect(),
        })
    }
}

/// `by` further than `at` of `all`, round and round.
fn turned(at: usize, by: isize, all: usize) -> usize {
    (at + all).saturating_add_signed(by) % all.max(1)
}

#[cfg(test)]
mod tests;
