//! What is printed, in which order: a line of an answer that streams in is not broken by a notice, and it is printed as a whole
//! where it ends soon, so that what the person types meanwhile begins a row of its own.

use super::{Act, Desk, From, MARK};
use crate::linear::telling::Piece;

/// So much of a line is kept back, in bytes, and so many notices wait for its end.
const MOST_TEXT: usize = 4 * 1024;
const MOST_NOTICES: usize = 64;

/// The line of an answer that is not ended.
#[derive(Default)]
pub(super) struct Streamed {
    /// Its end, which is not on the paper yet.
    kept_back: String,
    /// Its beginning is on the paper.
    is_open: bool,
    /// What is said when it has ended.
    notices: Vec<String>,
}

impl Desk {
    /// Prints a line, behind the line of an answer that is on its way to the paper.
    pub(in crate::linear) fn say(&mut self, text: &str) {
        if self.streamed.is_open && self.streamed.notices.len() < MOST_NOTICES {
            return self.streamed.notices.push(text.to_owned());
        }
        self.print_line(text);
    }

    fn print_line(&mut self, text: &str) {
        let before = if self.line_is_open { "\n" } else { "" };
        self.acts.push(Act::Print(format!("{before}{text}\n")));
        (self.line_is_open, self.marked) = (false, false);
    }

    pub(in crate::linear) fn say_all(&mut self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|line| self.say(&line));
    }

    pub(super) fn add_all(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Line(text) => self.say(&text),
                Piece::Text(text) => self.stream(&text),
            }
        }
    }

    /// The last of an answer, and what is said of it.
    pub(super) fn add_last(&mut self, pieces: Vec<Piece>) {
        let is_text = |piece: &Piece| matches!(piece, Piece::Text(_));
        let (text, lines) = pieces.into_iter().partition(is_text);
        self.add_all(text);
        self.stream_ends();
        self.add_all(lines);
    }

    fn stream(&mut self, text: &str) {
        let kept = &mut self.streamed.kept_back;
        kept.push_str(text);
        let whole = match (self.from, kept.rfind('\n')) {
            (From::Elsewhere, _) => kept.len(),
            (From::Terminal, _) if kept.len() > MOST_TEXT => kept.len(),
            (From::Terminal, at) => at.map_or(0, |at| at + 1),
        };
        let rest = kept.split_off(whole);
        let text = std::mem::replace(kept, rest);
        self.print_text(&text);
    }

    fn print_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let before = if self.marked { "\n" } else { "" };
        self.acts.push(Act::Print(format!("{before}{text}")));
        (self.line_is_open, self.marked) = (!text.ends_with('\n'), false);
        self.streamed.is_open = self.line_is_open;
        if !self.line_is_open {
            self.release();
        }
    }

    fn release(&mut self) {
        for text in std::mem::take(&mut self.streamed.notices) {
            self.print_line(&text);
        }
    }

    /// Whether a line is kept back until its end comes.
    pub(in crate::linear) fn keeps_back(&self) -> bool {
        !self.streamed.kept_back.is_empty()
    }

    /// Its end takes long: what there is of it is printed.
    pub(in crate::linear) fn prints_kept_back(&mut self) {
        let text = std::mem::take(&mut self.streamed.kept_back);
        self.print_text(&text);
    }

    /// Nothing more comes behind what was streamed.
    pub(super) fn stream_ends(&mut self) {
        self.prints_kept_back();
        self.streamed.is_open = false;
        self.release();
    }

    pub(super) fn mark(&mut self, mark: &str) {
        let before = if self.line_is_open { "\n" } else { "" };
        self.acts.push(Act::Print(format!("{before}{mark}")));
        (self.line_is_open, self.marked) = (true, true);
    }

    /// Puts the mark where a line is waited for. Whether it was put there now.
    pub(in crate::linear) fn marks(&mut self) -> bool {
        let waits = self.is_idle() && self.front.is_none() && self.written.is_none();
        if self.from == From::Elsewhere || !waits || self.marked {
            return false;
        }
        self.mark(MARK);
        true
    }
}
