//! The order of output. Notices wait until a streamed line is complete. The start of a streamed line is held back for a
//! moment, because the rest may follow. If the rest does not follow, the person's input starts on a new row.

use super::{Act, Desk, From, MARK};
use crate::telling::Piece;

/// Maximum bytes of held-back text. `MOST_NOTICES` limits the notices that wait for the end of the line.
const MOST_TEXT: usize = 4 * 1024;
const MOST_NOTICES: usize = 64;

/// The last line of a streamed answer, while it is incomplete.
#[derive(Default)]
pub(super) struct Streamed {
    kept_back: String,
    is_open: bool,
    notices: Vec<String>,
}

impl Desk {
    /// Prints a line. If a streamed line is incomplete, prints after the end of the streamed line.
    pub(crate) fn say(&mut self, text: &str) {
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

    pub(crate) fn say_all(&mut self, lines: impl IntoIterator<Item = String>) {
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

    pub(crate) fn keeps_back(&self) -> bool {
        !self.streamed.kept_back.is_empty()
    }

    pub(crate) fn prints_kept_back(&mut self) {
        let text = std::mem::take(&mut self.streamed.kept_back);
        self.print_text(&text);
    }

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

    pub(crate) fn marks(&mut self) -> bool {
        let waits = self.is_idle() && self.front.is_none() && self.written.is_none();
        if self.from == From::Elsewhere || !waits || self.marked {
            return false;
        }
        self.mark(MARK);
        true
    }
}
