//! Parses words: quotes, all forms of `$`, substitutions.

use std::rc::Rc;

use super::read::{Fuel, Reader, Unreadable};
use super::syntax::{Assigned, Assignment, Piece, Word};

type Read<T> = Result<T, Unreadable>;

/// Determines which characters are special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Bare,
    /// In `[[ ]]`, parentheses and bars belong to patterns.
    Pattern,
    /// Inside `${…}`. `quoted` says whether the braces are quoted.
    Braces {
        quoted: bool,
    },
}

impl Word {
    pub(super) fn quoted(text: String) -> Self {
        Self {
            pieces: vec![Piece::Text { text, quoted: true }],
        }
    }

    /// Parses text in which only `$`, backticks and backslashes are special.
    pub(super) fn in_double_quotes(text: &str, depth: usize, fuel: &Fuel) -> Read<Self> {
        let mut reader = Reader::new(text, depth, fuel.clone());
        let mut out = Builder::default();
        while reader.at < text.len() {
            reader.double_quoted_step(&mut out, true)?;
        }
        Ok(out.word())
    }
}

impl Assignment {
    /// Converts an assignment to a word, as in `export X=…`.
    pub(super) fn into_word(self) -> Word {
        let sign = if self.append { "+=" } else { "=" };
        let mut pieces = vec![Piece::Text {
            text: format!("{}{sign}", self.name),
            quoted: true,
        }];
        if let Some(index) = self.index {
            pieces.push(Piece::Arithmetic(Rc::new(index)));
        }
        match self.value {
            Assigned::Word(word) => pieces.extend(word.pieces.into_iter().map(quote)),
            Assigned::Array(words) => {
                for word in words {
                    pieces.extend(word.pieces.into_iter().map(quote));
                    pieces.push(Piece::Text {
                        text: " ".into(),
                        quoted: true,
                    });
                }
            }
        }
        Word { pieces }
    }
}

/// An assigned value is not split into words, so its pieces become quoted.
fn quote(piece: Piece) -> Piece {
    match piece {
        Piece::Text { text, .. } => Piece::Text { text, quoted: true },
        Piece::Command { nodes, .. } => Piece::Command { nodes, quoted: true },
        other @ (Piece::Parameter(_) | Piece::Process { .. } | Piece::Arithmetic(_)) => other,
    }
}

#[derive(Default)]
pub(super) struct Builder {
    pub(super) pieces: Vec<Piece>,
}

impl Builder {
    pub(super) fn text(&mut self, more: &str, quoted: bool) {
        if let Some(Piece::Text { text, quoted: last }) = self.pieces.last_mut()
            && *last == quoted
        {
            text.push_str(more);
            return;
        }
        self.pieces.push(Piece::Text {
            text: more.to_owned(),
            quoted,
        });
    }

    fn word(self) -> Word {
        Word { pieces: self.pieces }
    }
}

impl Reader<'_> {
    pub(super) fn word(&mut self) -> Read<Word> {
        self.deeper(|reader| reader.pieces(Context::Bare))
    }

    pub(super) fn pattern_word(&mut self) -> Read<Word> {
        self.deeper(|reader| reader.pieces(Context::Pattern))
    }

    pub(super) fn pieces(&mut self, place: Context) -> Read<Word> {
        let mut out = Builder::default();
        let quoted = place == Context::Braces { quoted: true };
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' if self.peek_at(1) == Some(b'\n') => self.at += 2,
                b'\\' => {
                    self.at += 1;
                    let next = self.next_char();
                    out.text(next.unwrap_or("\\"), true);
                }
                b'\'' if !quoted => {
                    self.at += 1;
                    let text = self.until_quote()?;
                    out.text(text, true);
                }
                b'"' => {
                    self.at += 1;
                    out.text("", true);
                    while self.peek() != Some(b'"') {
                        if self.at >= self.source.len() {
                            return Err(Unreadable("an unfinished quote"));
                        }
                        self.double_quoted_step(&mut out, false)?;
                    }
                    self.at += 1;
                }
                b'$' | b'`' => self.dollar(&mut out, quoted)?,
                b'}' if matches!(place, Context::Braces { .. }) => break,
                b'<' | b'>' if self.peek_at(1) == Some(b'(') && place == Context::Bare => self.process(&mut out)?,
                // In `[[ … ]]`, these characters belong to a pattern.
                b'(' | b')' | b'|' if place == Context::Pattern => {
                    let text = self.next_char().unwrap_or("");
                    out.text(text, false);
                }
                b'(' if place == Context::Bare && ends_in_glob_sign(&out) => {
                    return Err(Unreadable("a pattern in brackets"));
                }
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
                    if matches!(place, Context::Bare | Context::Pattern) =>
                {
                    break;
                }
                _ => {
                    let text = self.next_char().unwrap_or("");
                    out.text(text, quoted);
                }
            }
        }
        Ok(out.word())
    }

    pub(super) fn next_char(&mut self) -> Option<&str> {
        let rest = self.rest();
        let end = rest.chars().next()?.len_utf8();
        self.at += end;
        rest.get(..end)
    }

    fn until_quote(&mut self) -> Read<&str> {
        let rest = self.rest();
        let end = rest.find('\'').ok_or(Unreadable("an unfinished quote"))?;
        self.at += end + 1;
        Ok(rest.get(..end).unwrap_or(""))
    }

    /// Parses arithmetic from `((` or `[` to its end. Returns `None` without consuming text if this is not arithmetic.
    pub(super) fn try_arithmetic(&mut self, end: &str, skip: usize) -> Read<Option<Word>> {
        let start = self.at;
        let result = self.deeper(|reader| {
            reader.at += skip;
            let mut out = Builder::default();
            let (open, close) = if end == "]" { (b'[', b']') } else { (b'(', b')') };
            let mut level = 0_usize;
            while let Some(byte) = reader.peek() {
                if level == 0 && reader.take(end) {
                    return Ok(Some(out.word()));
                }
                if byte == open {
                    level += 1;
                } else if byte == close {
                    match level.checked_sub(1) {
                        Some(less) => level = less,
                        None => return Ok(None),
                    }
                }
                if end == "]" && level == 0 && byte == b'\n' {
                    return Ok(None);
                }
                reader.arithmetic_step(&mut out)?;
            }
            Ok(None)
        });
        match result {
            Ok(Some(word)) => Ok(Some(word)),
            Err(Unreadable("nested too deeply")) => Err(Unreadable("nested too deeply")),
            Ok(None) | Err(_) => {
                self.at = start;
                Ok(None)
            }
        }
    }

    fn arithmetic_step(&mut self, out: &mut Builder) -> Read<()> {
        match self.peek() {
            Some(b'$' | b'`') => self.dollar(out, true),
            Some(b'\'') => {
                self.at += 1;
                let text = self.until_quote()?;
                out.text(text, true);
                Ok(())
            }
            Some(b'"') => {
                self.at += 1;
                Ok(())
            }
            Some(b'\\') => {
                self.at += 1;
                let next = self.next_char().unwrap_or("");
                out.text(next, true);
                Ok(())
            }
            _ => {
                let text = self.next_char().unwrap_or("");
                out.text(text, true);
                Ok(())
            }
        }
    }

    fn double_quoted_step(&mut self, out: &mut Builder, here: bool) -> Read<()> {
        match self.peek() {
            Some(b'\\') => {
                let special: &[u8] = if here { b"$`\\" } else { b"$`\\\"" };
                match self.peek_at(1) {
                    Some(b'\n') => self.at += 2,
                    Some(next) if special.contains(&next) => {
                        self.at += 1;
                        let text = self.next_char().unwrap_or("");
                        out.text(text, true);
                    }
                    _ => {
                        self.at += 1;
                        out.text("\\", true);
                    }
                }
                Ok(())
            }
            Some(b'$' | b'`') => self.dollar(out, true),
            _ => {
                let text = self.next_char().unwrap_or("");
                out.text(text, true);
                Ok(())
            }
        }
    }
}

fn ends_in_glob_sign(out: &Builder) -> bool {
    match out.pieces.last() {
        Some(Piece::Text { text, quoted: false }) => text.ends_with(['?', '*', '+', '@', '!']),
        _ => false,
    }
}
