//! Converts terminal output to plain text: removes control sequences, and keeps only the final state of a progress
//! line. Invalid UTF-8 becomes U+FFFD. An unterminated sequence hides at most one line.

use std::borrow::Cow;

/// Maximum bytes of a line. Longer lines are returned before they end, and later carriage returns cannot change them.
const MOST_LINE: usize = 8 * 1024;

/// Maximum characters of a control sequence.
const MOST_SEQUENCE: usize = 4 * 1024;

#[derive(Debug, Default)]
pub(super) struct Plain {
    /// The bytes of an incomplete UTF-8 character at the end of the input.
    pending: Vec<u8>,
    state: State,
    length: usize,
    line: String,
    /// Whether the last character was a carriage return, so that the next character replaces the line.
    returned: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Escape,
    /// After `ESC (` or a similar sequence, which takes one more character.
    Intermediate,
    /// In a control sequence, `ESC [ … letter`.
    Control,
    /// In a string for the terminal, such as a window title, until BEL or `ESC \`.
    Message,
    MessageEscape,
}

impl Plain {
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        let mut out = String::with_capacity(bytes.len());
        let mut owned = std::mem::take(&mut self.pending);
        owned.extend_from_slice(bytes);
        let text = self.readable(&owned);
        self.text(&text, &mut out);
        out
    }

    /// Decodes the bytes, except for an incomplete character at the end.
    fn readable<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, str> {
        let is_begun = |part: &[u8]| {
            std::str::from_utf8(part).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        };
        let ends = (1..=3).filter_map(|length| bytes.split_at_checked(bytes.len().checked_sub(length)?));
        let (whole, begun) = ends.into_iter().find(|(_, end)| is_begun(end)).unwrap_or((bytes, &[]));
        self.pending = begun.to_vec();
        String::from_utf8_lossy(whole)
    }

    pub(super) fn unfinished(&self) -> &str {
        &self.line
    }

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

    /// Copies complete plain lines. Returns the rest.
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

    fn special(&mut self, c: char, out: &mut String) {
        self.length += 1;
        // A line end always ends a sequence, so that it cannot hide further lines.
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

/// Control characters except the tab, and 0xc2, the first byte of U+0080 to U+009F.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < special.len() {
        special[byte] = byte != 0x09 && matches!(byte, 0..0x20 | 0x7f | 0xc2);
        byte += 1;
    }
    special
};

fn special_at(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_second = |at: usize| bytes.get(at).is_some_and(|byte| *byte < 0xa0);
    let mut all = bytes.iter().enumerate();
    let found = all.find(|(at, byte)| SPECIAL[usize::from(**byte)] && (**byte != 0xc2 || is_second(at + 1)));
    found.map(|(at, _)| at)
}

#[cfg(test)]
mod tests;
