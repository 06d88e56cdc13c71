//! Parses slightly malformed JSON or Python values, and reports the corrections. Rejects an unclosed string, because
//! its remaining content would be a guess.

use serde_json::{Map, Number, Value};

use super::Repair;

/// Maximum nesting depth, as in `serde_json`.
const DEEPEST: usize = 128;

pub(super) fn value(text: &str, repairs: &mut Vec<Repair>) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut reader = Reader::new(text);
    let value = reader.value(0)?;
    reader.blank();
    if !reader.at_end() {
        return None;
    }
    for repair in reader.repairs {
        super::note(repairs, repair);
    }
    Some(value)
}

pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    mark: Option<&'static str>,
    /// Whether to parse by Python's rules: strings may have single quotes, and a backslash without an escape stays in
    /// the string.
    python: bool,
    pub(super) repairs: Vec<Repair>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            mark: None,
            python: false,
            repairs: Vec::new(),
        }
    }

    pub(super) fn python(text: &'a str) -> Self {
        Self {
            python: true,
            ..Self::new(text)
        }
    }

    pub(super) fn with_mark(text: &'a str, mark: &'static str) -> Self {
        Self {
            mark: Some(mark),
            ..Self::new(text)
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn blank(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn note(&mut self, repair: Repair) {
        super::note(&mut self.repairs, repair);
    }

    pub(super) fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.blank();
        if let Some(mark) = self.mark
            && self.rest().starts_with(mark)
        {
            return self.quoted_by(mark).map(Value::String);
        }
        match self.peek()? {
            b'{' => self.object(depth),
            b'[' => self.list(depth, b']'),
            b'"' => self.quoted(b'"').map(Value::String),
            b'\'' => {
                self.note(Repair::PythonQuotes);
                self.quoted(b'\'').map(Value::String)
            }
            _ => self.literal(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut map = Map::new();
        loop {
            self.blank();
            if self.take(b'}') {
                return Some(Value::Object(map));
            }
            let key = self.key()?;
            self.blank();
            if !self.take(b':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            map.insert(key, value);
            self.separator(b'}')?;
        }
    }

    fn key(&mut self) -> Option<String> {
        match self.peek()? {
            b'"' => self.quoted(b'"'),
            b'\'' => {
                self.note(Repair::PythonQuotes);
                self.quoted(b'\'')
            }
            _ if self.mark.is_some() => {
                if let Some(mark) = self.mark
                    && self.rest().starts_with(mark)
                {
                    return self.quoted_by(mark);
                }
                self.name().map(str::to_owned)
            }
            _ => None,
        }
    }

    pub(super) fn name(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let length = rest.bytes().take_while(|byte| fits(*byte)).count();
        self.at += length;
        rest.get(..length).filter(|name| !name.is_empty())
    }

    fn list(&mut self, depth: usize, close: u8) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blank();
            if self.take(close) {
                return Some(Value::Array(items));
            }
            items.push(self.value(depth + 1)?);
            self.separator(close)?;
        }
    }

    pub(super) fn separator(&mut self, close: u8) -> Option<()> {
        self.blank();
        if self.take(b',') {
            self.blank();
            if self.peek() == Some(close) {
                self.note(Repair::TrailingComma);
            }
            return Some(());
        }
        (self.peek() == Some(close)).then_some(())
    }

    fn quoted_by(&mut self, mark: &str) -> Option<String> {
        self.at += mark.len();
        let length = self.rest().find(mark)?;
        let text = self.rest().get(..length)?.to_owned();
        self.at += length + mark.len();
        Some(text)
    }

    fn quoted(&mut self, quote: u8) -> Option<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let special = |byte: u8| byte == quote || byte == b'\\' || byte < b' ';
            let length = rest.bytes().take_while(|byte| !special(*byte)).count();
            text.push_str(rest.get(..length)?);
            self.at += length;
            let byte = self.peek()?;
            self.at += 1;
            if byte == quote {
                return Some(text);
            }
            if byte == b'\\' {
                self.escape(quote, &mut text)?;
            } else {
                self.note(Repair::RawNewline);
                text.push(char::from(byte));
            }
        }
    }

    fn escape(&mut self, quote: u8, text: &mut String) -> Option<()> {
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b'n' => text.push('\n'),
            b't' => text.push('\t'),
            b'r' => text.push('\r'),
            b'b' => text.push('\u{8}'),
            b'f' => text.push('\u{c}'),
            b'u' => text.push(self.unicode()?),
            b'"' | b'\\' | b'/' => text.push(char::from(byte)),
            b'\'' => {
                if quote != b'\'' {
                    self.note(Repair::PythonQuotes);
                }
                text.push('\'');
            }
            byte if self.python && byte.is_ascii() => text.extend(['\\', char::from(byte)]),
            _ => return None,
        }
        Some(())
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xe000).contains(&first) {
            return char::from_u32(first);
        }
        if !self.take(b'\\') || !self.take(b'u') {
            return None;
        }
        let second = self.hex()?;
        char::decode_utf16([u16::try_from(first).ok()?, u16::try_from(second).ok()?])
            .next()?
            .ok()
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn literal(&mut self) -> Option<Value> {
        let rest = self.rest();
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_');
        let length = rest.bytes().take_while(|byte| fits(*byte)).count();
        let word = rest.get(..length)?;
        self.at += length;
        let python = match word {
            "true" => return Some(Value::Bool(true)),
            "false" => return Some(Value::Bool(false)),
            "null" => return Some(Value::Null),
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "None" => Value::Null,
            _ => return serde_json::from_str::<Number>(word).ok().map(Value::Number),
        };
        self.note(Repair::PythonLiterals);
        Some(python)
    }
}
