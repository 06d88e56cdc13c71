//! Questions to the person: each with options to choose from, or an answer in one's own words. Where there are several,
//! a last page shows all answers before they are sent.

mod rows;

use std::sync::Arc;

use crate::app::line::Line;
use crate::app::markdown::{CodeBlock, Document};
use crate::app::panes::prompt::buffer::Buffer;
use crate::base::text::{reveal, truncate};
use crate::domain::elicited::{ACCEPT, DECLINE};
use crate::domain::permission::Decision;
use crate::domain::plan::{LEAVE, WITH_APPROVALS, WITH_EDITS};
use crate::domain::review::{Asked, END_TURN, GO_ON, Question};
use crate::lang::{self, Word, word};

pub(crate) use rows::{MARKS, QuestionRow, answers_column, own_indent, rows, text_rows, top};

/// Columns of a name that is made from the question itself.
const NAME: usize = 20;

/// Everything one call asks.
pub(crate) struct QuestionView {
    pub(crate) pages: Vec<Page>,
    /// The page on screen; the one after the last shows all answers.
    pub(crate) at: usize,
    /// The question under the cursor on the page of answers.
    pub(crate) chosen: usize,
    /// What the model adds below.
    pub(crate) note: Option<String>,
    /// A server asks: on the first page it can be told nothing at all.
    is_form: bool,
}

/// One question.
pub(crate) struct Page {
    /// A few words that tell it from the others.
    pub(crate) name: String,
    pub(crate) text: String,
    written: Written,
    pub(crate) options: Vec<Choice>,
    pub(crate) multiple: bool,
    /// Whether an answer in one's own words means anything; it has the row after the last option then.
    pub(crate) own_words: bool,
    /// The row with the cursor.
    pub(crate) selected: usize,
    pub(crate) chosen: Vec<bool>,
    pub(crate) own: Buffer,
    /// What stood there when an option was chosen over it, where only one answer counts.
    passed_over: Option<String>,
    /// Rows that the own words take.
    pub(crate) own_shown: usize,
    /// The first row of its text that is shown, where the text is higher than its place.
    pub(crate) scroll: usize,
    /// The last one that can be, and how many rows are shown at once: as it was drawn last.
    pub(crate) last_scroll: usize,
    pub(crate) text_shown: usize,
    /// The person was done with it.
    pub(crate) answered: bool,
}

/// A text as rows, and the blocks of code in it.
type Laid = (Arc<[Line]>, Arc<[CodeBlock]>);

/// How the text of a question is written.
enum Written {
    Plain,
    /// To be read as an answer is, with its rows for the width it was shown in last.
    Markdown {
        width: u16,
        rows: Arc<[Line]>,
        /// The blocks of code in it.
        codes: Arc<[CodeBlock]>,
    },
}

/// One answer to choose.
pub(crate) struct Choice {
    pub(crate) shown: String,
    pub(crate) description: String,
    /// What is answered with it, whatever the language of the screen.
    answer: String,
}

impl QuestionView {
    pub(crate) fn new(question: &Question) -> Self {
        let (pages, note) = match question {
            Question::Model { asked, note } => (asked.iter().map(Page::of).collect(), note.clone()),
            Question::Server {
                server,
                message,
                asked,
                wrong,
            } => {
                let options = vec![
                    // What gives least away is under the bar.
                    choice(word(Word::ServerIsNotTold), DECLINE),
                    choice(word(Word::ServerIsTold), ACCEPT),
                ];
                let first = Page {
                    name: truncate(&server.0, NAME).into_owned(),
                    ..Page::new(lang::server_asks(server, message), options)
                };
                let pages = std::iter::once(first).chain(asked.iter().map(Page::of));
                (pages.collect(), Some(lang::server_form(server, wrong.as_ref())))
            }
            Question::Plan { text } => {
                let options = vec![
                    // What gives least away is under the bar.
                    choice(word(Word::PlanWithApprovals), WITH_APPROVALS),
                    choice(word(Word::PlanWithEdits), WITH_EDITS),
                    choice(word(Word::PlanLeave), LEAVE),
                ];
                let page = Page {
                    own_words: true,
                    written: Written::Markdown {
                        width: 0,
                        rows: Arc::default(),
                        codes: Arc::default(),
                    },
                    ..Page::new(text.clone(), options)
                };
                (vec![page], None)
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
            is_form: matches!(question, Question::Server { .. }),
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

    /// To another page, from the last on to the first.
    pub(crate) fn turn(&mut self, by: isize) {
        if self.has_pages() {
            self.at = turned(self.at, by, self.pages.len() + 1);
        }
    }

    /// Done with this page: on to the next question that is open. Returns the decision where none follows.
    pub(crate) fn done(&mut self) -> Option<Decision> {
        if let Some(page) = self.pages.get_mut(self.at) {
            page.answered = true;
            if self.is_form && self.at == 0 && page.answers() == [DECLINE] {
                return Some(Decision::Answer {
                    answers: vec![DECLINE.to_owned()],
                    further: Vec::new(),
                });
            }
            if self.has_pages() {
                let is_open = |at: &usize| self.pages.get(*at).is_some_and(|page| !page.answered);
                let later = (self.at + 1..self.pages.len()).chain(0..self.at);
                self.at = later.into_iter().find(is_open).unwrap_or(self.pages.len());
                return None;
            }
        }
        let mut answers = self.pages.iter().map(Page::answers);
        Some(Decision::Answer {
            answers: answers.next().unwrap_or_default(),
            further: answers.collect(),
        })
    }
}

impl Page {
    fn new(text: String, options: Vec<Choice>) -> Self {
        Self {
            name: String::new(),
            text,
            written: Written::Plain,
            multiple: false,
            own_words: false,
            selected: 0,
            chosen: vec![false; options.len()],
            own: Buffer::default(),
            passed_over: None,
            own_shown: 1,
            scroll: 0,
            last_scroll: 0,
            text_shown: 0,
            options,
            answered: false,
        }
    }

    fn of(asked: &Asked) -> Self {
        let options = asked.options.iter().map(|option| Choice {
            description: option.description.clone(),
            ..choice(&option.label, &option.label)
        });
        let name = match asked.header.as_str() {
            "" => asked.text.lines().next().unwrap_or_default(),
            header => header,
        };
        Self {
            name: truncate(name, NAME).into_owned(),
            multiple: asked.multiple,
            own_words: asked.own_words,
            ..Self::new(asked.text.clone(), options.collect())
        }
    }

    pub(crate) fn on_own(&self) -> bool {
        self.selected >= self.options.len()
    }

    /// The rows of a text that is read like an answer, in so many columns. `None`: it is read as it was written.
    fn lines(&self, columns: u16) -> Option<Arc<[Line]>> {
        self.laid(columns).map(|(rows, _)| rows)
    }

    /// The same with the blocks of code in it.
    fn laid(&self, columns: u16) -> Option<Laid> {
        match &self.written {
            Written::Plain => None,
            Written::Markdown { width, rows, codes } if *width == columns => {
                Some((Arc::clone(rows), Arc::clone(codes)))
            }
            Written::Markdown { .. } => {
                let shown: Vec<_> = self.text.lines().map(reveal).collect();
                let document = Document::of(&shown.join("\n"), usize::from(columns.max(1)));
                let (rows, codes) = document.into_parts();
                Some((rows.into(), codes.into()))
            }
        }
    }

    /// The fenced block that `CodePlace::fence` of one of its rows names.
    pub(crate) fn code(&self, fence: usize) -> Option<&CodeBlock> {
        match &self.written {
            Written::Plain => None,
            Written::Markdown { codes, .. } => codes.get(fence),
        }
    }

    /// Whether it is a text to read, before which everything else gives way.
    pub(crate) fn is_read(&self) -> bool {
        matches!(self.written, Written::Markdown { .. })
    }

    fn step(&mut self, by: isize) {
        self.selected = turned(self.selected, by, self.options.len() + usize::from(self.own_words));
    }

    /// Where only one may be chosen, the others go.
    fn toggle(&mut self) {
        let was = self.chosen.get(self.selected).copied().unwrap_or(false);
        if !self.multiple {
            self.chosen.fill(false);
        }
        if let Some(chosen) = self.chosen.get_mut(self.selected) {
            *chosen = !was;
        }
        self.passed_over = (!self.multiple && !was).then(|| self.own.expanded());
    }

    /// Whether the own words are an answer: where only one counts, it is what was touched last.
    pub(crate) fn own_counts(&self) -> bool {
        let own = self.own.expanded();
        !own.trim().is_empty() && self.passed_over.as_ref() != Some(&own)
    }

    /// What would be answered now: what is chosen and one's own words, else the row under the cursor where it was left
    /// with Enter.
    pub(crate) fn answers(&self) -> Vec<String> {
        let options = self.options.iter();
        let mut answers: Vec<String> = options
            .zip(&self.chosen)
            .filter(|(_, chosen)| **chosen)
            .map(|(option, _)| option.answer.clone())
            .collect();
        if self.own_counts() {
            if !self.multiple {
                answers.clear();
            }
            answers.push(self.own.expanded().trim().to_owned());
        }
        if answers.is_empty() && self.answered {
            answers.extend(self.options.get(self.selected).map(|option| option.answer.clone()));
        }
        answers
    }
}

/// `by` further than `at` of `all`, round and round.
fn turned(at: usize, by: isize, all: usize) -> usize {
    (at + all).saturating_add_signed(by) % all.max(1)
}

fn choice(shown: &str, answer: &str) -> Choice {
    Choice {
        shown: shown.to_owned(),
        description: String::new(),
        answer: answer.to_owned(),
    }
}

#[cfg(test)]
mod tests;
