//! Tracks the position in an answer: line start, code fence, inline code, or quotation.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    /// Possible list marker so far: `-`, `*` or `+`, or digits with a dot or parenthesis.
    Sign,
    Digits,
    Item,
    /// Block quotation, which begins with `>`.
    Quoted,
    Text,
}

impl Line {
    fn next(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Blank | Self::Item, _) if byte.is_ascii_whitespace() => self,
            (Self::Sign, b' ' | b'\t') => Self::Item,
            (Self::Blank | Self::Item, b'-' | b'*' | b'+') => Self::Sign,
            (Self::Blank | Self::Item | Self::Digits, b'0'..=b'9') => Self::Digits,
            (Self::Digits, b'.' | b')') => Self::Sign,
            _ => Self::Text,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Place {
    line: Line,
    fence: Option<(u8, usize)>,
    opening: bool,
    code: usize,
    repeating: Option<&'static str>,
    last: char,
}

impl Place {
    pub(super) fn new() -> Self {
        Self {
            line: Line::Blank,
            fence: None,
            opening: false,
            code: 0,
            repeating: None,
            last: '\n',
        }
    }

    pub(super) fn pass(&mut self, text: &str) {
        for byte in text.bytes() {
            if matches!(self.line, Line::Text | Line::Quoted) {
                break;
            }
            self.line = self.line.next(byte);
        }
        if let Some(last) = text.chars().next_back() {
            self.last = last;
        }
    }

    pub(super) fn newline(&mut self) {
        self.line = Line::Blank;
        self.code = 0;
        self.opening = false;
        self.last = '\n';
    }

    /// Processes `>`, which begins a block quotation if it is at the start of a line.
    pub(super) fn angle(&mut self) {
        if matches!(self.line, Line::Blank | Line::Item) {
            self.line = Line::Quoted;
        }
        self.last = '>';
    }

    /// Whether a run of `count` backticks or tildes closes the open fence, if nothing follows the run on its line.
    pub(super) fn may_close(&self, byte: u8, count: usize) -> bool {
        let fits = |(open, opened)| open == byte && count >= opened;
        self.line == Line::Blank && !self.opening && self.fence.is_some_and(fits)
    }

    /// Processes a run of backticks or tildes. `alone` is set if no text follows the run on its line.
    pub(super) fn run(&mut self, byte: u8, count: usize, alone: bool) {
        match self.fence {
            _ if self.repeating.is_some() => {}
            // The first line of a fence cannot contain another backtick. The supposed fence was inline code.
            Some((b'`', opened)) if self.opening && byte == b'`' => {
                self.fence = None;
                self.code = if opened == count { 0 } else { opened };
            }
            Some(_) if alone && self.may_close(byte, count) => self.fence = None,
            Some(_) => {}
            None if matches!(self.line, Line::Blank | Line::Item) && count >= 3 => {
                self.fence = Some((byte, count));
                self.opening = true;
            }
            None if byte != b'`' => {}
            None if self.code == 0 => self.code = count,
            None if self.code == count => self.code = 0,
            None => {}
        }
        if self.line != Line::Quoted {
            self.line = Line::Text;
        }
        self.last = char::from(byte);
    }

    pub(super) fn at_line_start(&self) -> bool {
        self.line == Line::Blank
    }

    pub(super) fn repeating(&self) -> Option<&'static str> {
        self.repeating
    }

    pub(super) fn repeat_until(&mut self, close: Option<&'static str>) {
        self.repeating = close;
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_own() && !self.is_after_quote()
    }

    pub(super) fn is_own(&self) -> bool {
        self.fence.is_none() && self.code == 0 && self.line != Line::Quoted && self.repeating.is_none()
    }

    pub(super) fn quote_line(&mut self) {
        self.line = Line::Quoted;
    }

    pub(super) fn is_behind_space(&self) -> bool {
        self.last == ' '
    }

    fn is_after_quote(&self) -> bool {
        matches!(
            self.last,
            '"' | '\'' | '`' | '\u{201c}' | '\u{2018}' | '\u{300c}' | '\u{300e}' | '\u{ab}'
        )
    }

    pub(super) fn end_call(&mut self) {
        *self = Self::new();
    }
}

const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"\n`~<[>]";
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

pub(super) fn next_special(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| SPECIAL[usize::from(*byte)])
}
