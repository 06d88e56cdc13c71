//! The rows of a page of a question, wrapped to a width. Layout, scrolling and rendering use them.

use super::{Page, QuestionView};
use crate::line::Line;
use benchdog_base::text::{reveal, width as columns, wrap};
use benchdog_lang::{Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionRow {
    Text(String),
    Read(Line),
    Option {
        place: usize,
        first: bool,
        text: String,
    },
    Description {
        place: usize,
        text: String,
    },
    Wrong(String),
    Own,
    Note(String),
    Answered {
        place: usize,
        /// The name of the field. Empty in all but the first row of the field.
        name: String,
        answer: String,
    },
}

/// Number of columns of the cursor mark, the option number and the selection mark.
pub const MARKS: u16 = 8;

pub const NUMBERED: usize = 9;

pub fn rows(view: &QuestionView, width: u16) -> Vec<QuestionRow> {
    let mut rows = Vec::new();
    match view.page() {
        Some(page) => options(page, width, &mut rows),
        None => answers(view, width, &mut rows),
    }
    if let Some(note) = &view.note {
        rows.push(QuestionRow::Text(String::new()));
        rows.extend(wrapped(note, width).map(QuestionRow::Note));
    }
    rows
}

fn options(page: &Page, width: u16, rows: &mut Vec<QuestionRow>) {
    match page.lines(width) {
        Some(lines) => rows.extend(lines.iter().cloned().map(QuestionRow::Read)),
        None => rows.extend(wrapped(&page.text, width).map(QuestionRow::Text)),
    }
    rows.push(QuestionRow::Text(String::new()));
    rows.extend(
        page.wrong()
            .iter()
            .flat_map(|wrong| wrapped(wrong, width))
            .map(QuestionRow::Wrong),
    );
    let room = width.saturating_sub(MARKS);
    for (place, option) in page.options.iter().enumerate() {
        rows.extend(
            wrapped(&option.shown, room)
                .enumerate()
                .map(|(n, text)| QuestionRow::Option {
                    place,
                    first: n == 0,
                    text,
                }),
        );
        let description = wrapped(&option.description, room);
        rows.extend(description.map(|text| QuestionRow::Description { place, text }));
    }
    if page.own_words {
        rows.extend((0..page.own_shown).map(|_| QuestionRow::Own));
    }
}

fn answers(view: &QuestionView, width: u16, rows: &mut Vec<QuestionRow>) {
    let column = answers_column(view, width);
    for (place, page) in view.pages.iter().enumerate() {
        let answers = page.shown_answers();
        let answer = if !answers.is_empty() {
            answers.join(" · ")
        } else if page.may_be_left_out() {
            word(Word::LeftOut).to_owned()
        } else {
            word(Word::SummaryNoAnswer).to_owned()
        };
        let mut name = reveal(&page.name).into_owned();
        for answer in wrapped(&answer, width.saturating_sub(column)) {
            rows.push(QuestionRow::Answered {
                place,
                name: std::mem::take(&mut name),
                answer,
            });
        }
    }
    rows.push(QuestionRow::Text(String::new()));
}

pub fn answers_column(view: &QuestionView, width: u16) -> u16 {
    let widest = view.pages.iter().map(|page| columns(&page.name)).max().unwrap_or(0);
    u16::try_from(widest + 4).unwrap_or(u16::MAX).min(width / 2)
}

fn wrapped(text: &str, width: u16) -> impl Iterator<Item = String> {
    let room = usize::from(width.max(1));
    let mut rows = Vec::new();
    for line in text.lines() {
        let shown = reveal(line);
        let ranges = wrap(&shown, room).into_iter();
        rows.extend(ranges.map(|range| shown.get(range).unwrap_or_default().to_owned()));
    }
    rows.into_iter()
}

pub fn own_indent(page: &Page) -> u16 {
    if page.options.is_empty() { 2 } else { MARKS }
}

/// Returns the number of text rows, and how many of them are shown. At least three text rows stay visible above the
/// answers, or one row if an answer is invalid.
pub(crate) fn text_rows(rows: &[QuestionRow], height: u16) -> (usize, usize) {
    let is_text = |row: &&QuestionRow| matches!(row, QuestionRow::Text(_) | QuestionRow::Read(_));
    let text = rows.iter().take_while(is_text).count();
    let height = usize::from(height);
    let below = rows.len() - text;
    // The error message needs a row, which is taken from the text of the question.
    let is_wrong = rows.iter().any(|row| matches!(row, QuestionRow::Wrong(_)));
    let least = if is_wrong { 1 } else { 3 };
    (text, text.min(height.saturating_sub(below).max(least).min(height)))
}

pub struct InView {
    pub scroll: usize,
    pub shown: usize,
    pub asked: usize,
    pub top: usize,
}

impl InView {
    pub fn of(rows: &[QuestionRow], view: &QuestionView, height: u16) -> Self {
        let (asked, shown) = text_rows(rows, height);
        let room = height.saturating_sub(u16::try_from(shown).unwrap_or(u16::MAX));
        Self {
            scroll: view.page().map_or(0, |page| page.scroll.min(asked - shown)),
            shown,
            asked,
            top: asked + top(rows.get(asked..).unwrap_or_default(), view, room),
        }
    }

    pub fn places(&self, all: usize) -> impl Iterator<Item = usize> {
        (self.scroll..self.scroll + self.shown).chain(self.top..all)
    }
}

pub fn row_at(view: &QuestionView, n: u16, width: u16, height: u16) -> Option<QuestionRow> {
    let n = n.checked_sub(view.bar_rows())?;
    let rows = rows(view, width);
    let seen = InView::of(&rows, view, height.saturating_sub(view.bar_rows()));
    let place = seen.places(rows.len()).nth(usize::from(n))?;
    rows.get(place).cloned()
}

/// Returns the first row to show. The selected row must be visible, if possible completely.
pub(crate) fn top(rows: &[QuestionRow], view: &QuestionView, height: u16) -> usize {
    let selected = view.under_cursor();
    let on_own = view.on_own();
    let under = |row: &QuestionRow| match row {
        QuestionRow::Option { place, .. }
        | QuestionRow::Description { place, .. }
        | QuestionRow::Answered { place, .. } => *place == selected,
        QuestionRow::Own => on_own,
        QuestionRow::Text(_) | QuestionRow::Read(_) | QuestionRow::Wrong(_) | QuestionRow::Note(_) => false,
    };
    let first = rows.iter().position(under).unwrap_or(0);
    let end = rows.iter().rposition(under).map_or(0, |last| last + 1);
    end.saturating_sub(usize::from(height)).min(first)
}

#[cfg(test)]
mod tests;
