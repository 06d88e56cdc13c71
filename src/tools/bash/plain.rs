//! Makes plain text of what a program wrote for a terminal: no control sequences, no colours, a progress line only as it last stood.
//!
//! It works on pieces of any size. Bytes that are no UTF-8 become U+FFFD; a sequence that never ends hides no more than one line.

use std::borrow::Cow;

/// An unfinished line is given out at this length; a return after that no longer takes it back.
const MOST_LINE: usize = 8 * 1024;

/// No real sequence is longer.
const MOST_SEQUENCE: usize = 4 * 1024;

#[derive(Debug, Default)]
pub(super) struct Plain {
    /// The beginning of a character whose rest has not come yet.
    pending: Vec<u8>,
    state: State,
    length: usize,
    line: String,
    /// A return was read: the next letter begins the line anew.
    returned: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Escape,
    /// After `ESC (` and the like: one more character.
    Intermediate,
    /// `ESC [ … letter`.
    Control,
    /// A text for the terminal itself, up to BEL or `ESC \`.
    Message,
    MessageEscape,
}

impl Plain {
    /// Whole lines of what is known by now.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        let mut out = String::with_capacity(bytes.len());
        let mut owned = std::mem::take(&mut self.pending);
        owned.extend_from_slice(bytes);
        let text = self.readable(&owned);
        self.text(&text, &mut out);
        out
    }

    /// The bytes as text, but for the beginning of a character at their end.
    fn readable<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, str> {
        let is_begun = |part: &[u8]| {
            std::str::from_utf8(part).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        };
        let ends = (1..=3).filter_map(|length| bytes.split_at_checked(bytes.len().checked_sub(length)?));
        let (whole, begun) = ends.into_iter().find(|(_, end)| is_begun(end)).unwrap_or((bytes, &[]));
        self.pending = begun.to_vec();
        String::from_utf8_lossy(whole)
    }

    /// The line that has not ended yet, as it stands.
    pub(super) fn unfinished(&self) -> &str {
        &self.line
    }

    /// What is left of the last line.
    pub(super) fn finish(&mut self) -> String {
        let mut out = String::new();
        if !std::mem::take(&mut self.pending).is_empty() {
            self.text("\u{fffd}", &mut out);
        }
        out.push_str(&std::mem::take(&mut self.line));
        out
    }

    fn text(&mut self, text: &str, out: &mut String) {
        let mut rest = text;
        while !rest.is_empty() {
            if self.state == State::Text {
                rest = self.whole_lines(rest, out);
                // Most of what is left has nothing special in it: it is taken run by run.
                let run = special_at(rest).unwrap_or(rest.len());
                let (plain, after) = rest.split_at_checked(run).unwrap_or((rest, ""));
                self.letters(plain, out);
                rest = after;
            }
            let mut chars = rest.chars();
            let Some(c) = chars.next() else { return };
            self.special(c, out);
            rest = chars.as_str();
        }
    }

    /// Takes whole lines of nothing but letters at once, where a line begins; answers with the rest.
    fn whole_lines<'t>(&self, text: &'t str, out: &mut String) -> &'t str {
        if !self.line.is_empty() || self.returned {
            return text;
        }
        let mut end = 0;
        while let Some(at) = text.get(end..).and_then(special_at).map(|at| end + at)
            && text.as_bytes().get(at) == Some(&b'\n')
        {
            end = at + 1;
        }
        let (whole, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        out.push_str(whole);
        rest
    }

    fn letters(&mut self, text: &str, out: &mut String) {
        if text.is_empty() {
            return;
        }
        if std::mem::take(&mut self.returned) {
            self.line.clear();
        }
        self.line.push_str(text);
        if self.line.len() > MOST_LINE {
            out.push_str(&std::mem::take(&mut self.line));
        }
    }

    /// One character that is no plain letter, or that stands inside a sequence.
    fn special(&mut self, c: char, out: &mut String) {
        self.length += 1;
        // A line end always ends the line: nothing that a sequence swallows may hide what follows.
        if c == '\n' {
            self.state = State::Text;
            self.returned = false;
            out.push_str(&std::mem::take(&mut self.line));
            out.push('\n');
            return;
        }
        let next = match (self.state, c) {
            (State::MessageEscape, '\\') => State::Text,
            (State::Message, '\x1b') => State::MessageEscape,
            (_, '\x1b') => State::Escape,
            (State::Text, _) => self.control(c),
            (State::Escape, '[') => State::Control,
            (State::Escape, ']' | 'P' | 'X' | '^' | '_') => State::Message,
            (State::Escape, ' '..='/') => State::Intermediate,
            (State::Intermediate, ' '..='/') => State::Intermediate,
            (State::Escape | State::Intermediate, _) => State::Text,
            (State::Control, ' '..='?') => State::Control,
            (State::Control, _) => State::Text,
            (State::Message | State::MessageEscape, '\x07' | '\u{9c}') => State::Text,
            (State::Message | State::MessageEscape, _) => State::Message,
        };
        let began = self.state == State::Text && next != State::Text;
        self.length = if began { 0 } else { self.length };
        self.state = if self.length > MOST_SEQUENCE { State::Text } else { next };
    }

    /// A control character in plain text.
    fn control(&mut self, c: char) -> State {
        match c {
            '\r' => self.returned = true,
            '\x08' => drop(self.line.pop()),
            '\u{9b}' => return State::Control,
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => return State::Message,
            _ => {}
        }
        State::Text
    }
}

/// Bytes of control characters but the tab, and 0xc2, with which U+0080 to U+009F begin.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < special.len() {
        special[byte] = byte != 0x09 && matches!(byte, 0..0x20 | 0x7f | 0xc2);
        byte += 1;
    }
    special
};

/// Where the first control character but a tab stands.
fn special_at(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_second = |at: usize| bytes.get(at).is_some_and(|byte| *byte < 0xa0);
    let mut all = bytes.iter().enumerate();
    let found = all.find(|(at, byte)| SPECIAL[usize::from(**byte)] && (**byte != 0xc2 || is_second(at + 1)));
    found.map(|(at, _)| at)
}

#[cfg(test)]
mod tests;
