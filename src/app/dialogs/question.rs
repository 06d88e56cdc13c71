//! Questions to the user, with options or free text. After several questions, a last page shows all answers.

mod page;
mod rows;

use benchdog_domain::elicited::DECLINE;
use benchdog_domain::permission::Decision;
use benchdog_domain::plan::{LEAVE, WITH_APPROVALS, WITH_EDITS};
use benchdog_domain::review::{END_TURN, GO_ON, Question};
use benchdog_lang::{self as lang, Word, word};
pub use page::{ByItself, Page};
use page::{Written, choice};
use rows::text_rows;
pub use rows::{InView, MARKS, NUMBERED, QuestionRow, answers_column, own_indent, row_at, rows};

pub struct QuestionView {
    pub pages: Vec<Page>,
    /// Index of the current page. The page after the last question shows all answers.
    pub at: usize,
    pub chosen: usize,
    pub note: Option<String>,
}

impl QuestionView {
    pub fn new(question: &Question) -> Self {
        let (pages, note) = match question {
            Question::Model { asked, note } => (asked.iter().map(Page::of).collect(), note.clone()),
            Question::Server(form) => {
                let fields = form.fields.iter().map(Page::field);
                let pages = std::iter::once(Page::gate(form)).chain(fields);
                (pages.collect(), Some(lang::server_form(&form.server)))
            }
            Question::Plan { text } => {
                let options = vec![
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

    pub fn has_pages(&self) -> bool {
        self.pages.len() > 1
    }

    pub fn bar_rows(&self) -> u16 {
        u16::from(self.has_pages())
    }

    pub fn page(&self) -> Option<&Page> {
        self.pages.get(self.at)
    }

    pub fn page_mut(&mut self) -> Option<&mut Page> {
        self.pages.get_mut(self.at)
    }

    pub fn on_own(&self) -> bool {
        self.page().is_some_and(Page::on_own)
    }

    pub(crate) fn own_texts(&self, question: &Question) -> Vec<String> {
        let fresh = Self::new(question);
        let pages = self.pages.iter().zip(&fresh.pages);
        let pages = pages.filter(|(page, fresh)| page.own.text() != fresh.own.text());
        pages.map(|(page, _)| page.own.expanded()).collect()
    }

    pub(crate) fn written(&self) -> Vec<String> {
        let written = self.pages.iter().filter_map(|page| {
            let answers = page.written()?;
            Some(format!("{}: {}", page.name, answers.join(", ")))
        });
        written.collect()
    }

    pub(crate) fn step(&mut self, by: isize) {
        match self.pages.get_mut(self.at) {
            Some(page) => page.step(by),
            None => self.chosen = turned(self.chosen, by, self.pages.len()),
        }
    }

    pub(crate) fn scroll(&mut self, pages: isize) {
        if let Some(page) = self.page_mut() {
            let step = page.text_shown.saturating_sub(1).max(1);
            let by = pages.saturating_mul(isize::try_from(step).unwrap_or(isize::MAX));
            page.scroll = page.scroll.saturating_add_signed(by).min(page.last_scroll);
        }
    }

    pub fn arrange(&mut self, width: u16, height: u16) {
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

    pub(crate) fn toggle(&mut self) {
        match self.pages.get_mut(self.at) {
            Some(page) => page.toggle(),
            None => self.at = self.chosen,
        }
    }

    /// Chooses the option with this index (0-based). On the page with all answers, opens the question with this index.
    /// Returns `false` if there is no such option or question.
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

    /// Moves the cursor to a clicked row. Returns `false` if the row cannot be selected.
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

    pub(crate) fn under_cursor(&self) -> usize {
        self.page().map_or(self.chosen, |page| page.selected)
    }

    pub(crate) fn turn(&mut self, by: isize) {
        if self.has_pages() {
            self.at = turned(self.at, by, self.pages.len() + 1);
        }
    }

    /// Completes the current page if the page is valid, and opens the next unanswered page. Returns the decision if all
    /// questions are answered or the user declines.
    pub fn done(&mut self) -> Option<Decision> {
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

    /// Returns the decision if all answers are valid. Otherwise opens the first invalid page.
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

fn turned(at: usize, by: isize, all: usize) -> usize {
    (at + all).saturating_add_signed(by) % all.max(1)
}

#[cfg(test)]
mod tests;
