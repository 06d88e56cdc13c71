//! Parses everything that begins with `$`, backticks, and `<(…)`.

use std::rc::Rc;

use super::read::{Read, Reader, Unreadable, read};
use super::syntax::{Node, Parameter, Piece};
use super::words::{Builder, Context};

impl Reader<'_> {
    pub(super) fn process(&mut self, out: &mut Builder) -> Read<()> {
        let writes = self.peek() == Some(b'>');
        self.at += 2;
        let nodes = self.inner_list()?;
        out.pieces.push(Piece::Process {
            nodes: Rc::new(nodes),
            writes,
        });
        Ok(())
    }

    pub(super) fn inner_list(&mut self) -> Read<Vec<Node>> {
        let nodes = self.deeper(Reader::list)?;
        if self.take(")") {
            Ok(nodes)
        } else {
            Err(Unreadable("an unfinished substitution"))
        }
    }

    pub(super) fn dollar(&mut self, out: &mut Builder, quoted: bool) -> Read<()> {
        if self.take("`") {
            return self.backticks(out, quoted);
        }
        if self.rest().starts_with("$((") {
            self.at += 1;
            if let Some(word) = self.try_arithmetic("))", 2)? {
                out.pieces.push(Piece::Arithmetic(Rc::new(word)));
                return Ok(());
            }
            self.at -= 1;
        }
        if self.take("$(") {
            let nodes = self.inner_list()?;
            out.pieces.push(Piece::Command {
                nodes: Rc::new(nodes),
                quoted,
            });
            return Ok(());
        }
        if self.take("${") {
            let parameter = self.deeper(|reader| reader.braces(quoted))?;
            out.pieces.push(Piece::Parameter(Rc::new(parameter)));
            return Ok(());
        }
        if !quoted && self.take("$'") {
            let text = self.ansi_c()?;
            out.text(&text, true);
            return Ok(());
        }
        if !quoted && self.rest().starts_with("$\"") {
            // `$"…"` is a translated string. Parse it like a string without the `$`.
            self.at += 1;
            return Ok(());
        }
        self.at += 1;
        let rest = self.rest();
        let name: String = match rest.chars().next() {
            Some(c) if c.is_ascii_alphabetic() || c == '_' => rest
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect(),
            Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => c.to_string(),
            _ => {
                out.text("$", quoted);
                return Ok(());
            }
        };
        self.at += name.len();
        let parameter = Parameter {
            name,
            index: None,
            indirect: false,
            length: false,
            operator: String::new(),
            argument: None,
            quoted,
        };
        out.pieces.push(Piece::Parameter(Rc::new(parameter)));
        Ok(())
    }

    pub(super) fn backticks(&mut self, out: &mut Builder, quoted: bool) -> Read<()> {
        let mut inner = String::new();
        loop {
            match self.peek() {
                None => return Err(Unreadable("an unfinished backtick")),
                Some(b'`') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(b'`' | b'\\' | b'$') => {}
                        Some(b'"') if quoted => {}
                        _ => inner.push('\\'),
                    }
                    inner.push_str(self.next_char().unwrap_or(""));
                }
                Some(_) => inner.push_str(self.next_char().unwrap_or("")),
            }
        }
        let depth = self.depth + 1;
        if depth > super::read::MAX_DEPTH {
            return Err(Unreadable("nested too deeply"));
        }
        let nodes = read(&inner, depth, &self.fuel)?;
        out.pieces.push(Piece::Command {
            nodes: Rc::new(nodes),
            quoted,
        });
        Ok(())
    }

    pub(super) fn braces(&mut self, quoted: bool) -> Read<Parameter> {
        let mut length = false;
        let mut indirect = false;
        if self.peek() == Some(b'#') && self.peek_at(1) != Some(b'}') {
            length = true;
            self.at += 1;
        } else if self.peek() == Some(b'!') && self.peek_at(1) != Some(b'}') {
            indirect = true;
            self.at += 1;
        }
        let rest = self.rest();
        let mut name: String = rest
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        if name.is_empty() {
            name = rest
                .chars()
                .next()
                .filter(|c| "@*#?-$!".contains(*c))
                .map(String::from)
                .unwrap_or_default();
        }
        if name.is_empty() {
            return Err(Unreadable("an expansion that cannot be read"));
        }
        self.at += name.len();
        let mut index = None;
        if self.peek() == Some(b'[') {
            index = Some(
                self.try_arithmetic("]", 1)?
                    .ok_or(Unreadable("an index without an end"))?,
            );
        }
        let mut operator = String::new();
        for known in [
            ":-", ":=", ":+", ":?", "##", "%%", "//", "/#", "/%", "^^", ",,", "~~", "-", "=", "+", "?", "#", "%", "/",
            "^", ",", "~", ":", "@", "*",
        ] {
            if self.take(known) {
                known.clone_into(&mut operator);
                break;
            }
        }
        let argument = if operator.is_empty() {
            None
        } else {
            Some(self.pieces(Context::Braces { quoted })?)
        };
        if !self.take("}") {
            return Err(Unreadable("an expansion without an end"));
        }
        Ok(Parameter {
            name,
            index,
            indirect,
            length,
            operator,
            argument,
            quoted,
        })
    }

    /// Returns the text of `$'…'`. The opening quote is already read.
    pub(super) fn ansi_c(&mut self) -> Read<String> {
        let mut raw = String::new();
        loop {
            match self.peek() {
                None => return Err(Unreadable("an unfinished quote")),
                Some(b'\'') => {
                    self.at += 1;
                    return Ok(super::texts::unescape(&raw, super::texts::Escapes::AnsiC));
                }
                Some(b'\\') => {
                    raw.push('\\');
                    self.at += 1;
                    raw.push_str(self.next_char().unwrap_or(""));
                }
                Some(_) => raw.push_str(self.next_char().unwrap_or("")),
            }
        }
    }
}
