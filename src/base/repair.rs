//! Repairs invalid JSON of models: trailing commas, quotes, Python literals, bare keys, raw line breaks, fences,
//! missing final brackets.
//!
//! Never guesses content. A text that ends inside a string or number is `Cut`, because an incomplete file must not be
//! written.

use serde_json::{Map, Value};

use super::token;

/// Maximum nesting depth. No tool needs deeper arguments.
const DEPTH: usize = 64;

pub enum Repaired {
    Object(Map<String, Value>),
    Cut,
    Hopeless,
}

enum Stop {
    Cut,
    Hopeless,
}

pub fn object(text: &str) -> Repaired {
    match parse(text) {
        Ok(Value::Object(map)) => Repaired::Object(map),
        // The whole object is encoded as a JSON string.
        Ok(Value::String(inner)) if inner.trim_start().starts_with('{') => match parse(&inner) {
            Ok(Value::Object(map)) => Repaired::Object(map),
            Err(Stop::Cut) => Repaired::Cut,
            _ => Repaired::Hopeless,
        },
        Err(Stop::Cut) => Repaired::Cut,
        Ok(_) | Err(Stop::Hopeless) => Repaired::Hopeless,
    }
}

pub fn value(text: &str) -> Option<Value> {
    parse(text).ok().filter(|value| value.is_array() || value.is_object())
}

fn parse(text: &str) -> Result<Value, Stop> {
    let text = strip_fence(strip_leading_marks(text.trim()));
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
    };
    let value = reader.value(0)?;
    reader.blank();
    let rest: String = reader.chars.iter().skip(reader.at).collect();
    if is_end(&rest) { Ok(value) } else { Err(Stop::Hopeless) }
}

/// Whether the rest has only extra brackets and closing tags. Ignores text after a control token.
fn is_end(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '}' | ']' | ';' | '`'));
    if rest.is_empty() || token::length(rest).is_some() {
        return true;
    }
    let Some((tag, behind)) = rest.strip_prefix("</").and_then(|rest| rest.split_once('>')) else {
        return false;
    };
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '|');
    !tag.is_empty() && tag.chars().all(fits) && is_end(behind)
}

fn strip_leading_marks(text: &str) -> &str {
    let mut rest = text;
    while let Some(behind) = token::length(rest).and_then(|length| rest.get(length..)) {
        rest = behind.trim_start();
        let worded = rest.strip_prefix("json").map(str::trim_start);
        rest = worded.filter(|behind| behind.starts_with(['<', '{'])).unwrap_or(rest);
    }
    rest
}

fn strip_fence(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```") else {
        return text;
    };
    let body = inner.split_once('\n').map_or(inner, |(_, body)| body);
    body.trim_end().trim_end_matches('`').trim()
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Stop> {
        if depth > DEPTH {
            return Err(Stop::Hopeless);
        }
        self.blank();
        match self.peek() {
            None => Err(Stop::Cut),
            Some('{') => self.object(depth),
            Some('[') => self.array(depth),
            Some(quote @ ('"' | '\'')) => self.text(quote).map(Value::String),
            Some(_) => self.literal(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Stop> {
        self.at += 1;
        let mut map = Map::new();
        loop {
            self.blank();
            match self.peek() {
                // The text ends here, so only brackets can be missing.
                None => return Ok(Value::Object(map)),
                Some('}') => {
                    self.at += 1;
                    return Ok(Value::Object(map));
                }
                Some(',') => self.at += 1,
                Some(_) => {
                    let key = self.key()?;
                    self.blank();
                    match self.next() {
                        Some(':' | '=') => {}
                        None => return Err(Stop::Cut),
                        Some(_) => return Err(Stop::Hopeless),
                    }
                    let value = self.value(depth + 1)?;
                    map.insert(key, value);
                    self.separator('}')?;
                }
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Stop> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blank();
            match self.peek() {
                None => return Ok(Value::Array(items)),
                Some(']') => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                Some(',') => self.at += 1,
                Some(_) => {
                    items.push(self.value(depth + 1)?);
                    self.separator(']')?;
                }
            }
        }
    }

    fn separator(&mut self, close: char) -> Result<(), Stop> {
        self.blank();
        match self.peek() {
            None | Some(',') => Ok(()),
            Some(c) if c == close => Ok(()),
            Some(_) => Err(Stop::Hopeless),
        }
    }

    fn key(&mut self) -> Result<String, Stop> {
        match self.peek() {
            Some(quote @ ('"' | '\'')) => self.text(quote),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let mut key = String::new();
                while let Some(c) = self.peek().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
                    key.push(c);
                    self.at += 1;
                }
                Ok(key)
            }
            _ => Err(Stop::Hopeless),
        }
    }

    fn text(&mut self, quote: char) -> Result<String, Stop> {
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.next().ok_or(Stop::Cut)? {
                c if c == quote => return Ok(text),
                '\\' => self.escape(&mut text)?,
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Stop> {
        match self.next().ok_or(Stop::Cut)? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => text.push(self.unicode()?),
            c @ ('"' | '\'' | '\\' | '/') => text.push(c),
            // Keep the backslash of `\d`. Models forget to escape backslashes in regular expressions.
            c => text.extend(['\\', c]),
        }
        Ok(())
    }

    fn unicode(&mut self) -> Result<char, Stop> {
        let first = self.hex4()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if self.peek() != Some('\\') || self.chars.get(self.at + 1) != Some(&'u') {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        self.at += 2;
        let second = self.hex4()?;
        let joined = 0x10000 + ((first - 0xd800) << 10) + second.wrapping_sub(0xdc00);
        Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self) -> Result<u32, Stop> {
        let mut number = 0;
        for _ in 0..4 {
            let digit = self.next().ok_or(Stop::Cut)?.to_digit(16).ok_or(Stop::Hopeless)?;
            number = number * 16 + digit;
        }
        Ok(number)
    }

    fn literal(&mut self) -> Result<Value, Stop> {
        let mut word = String::new();
        while let Some(c) = self
            .peek()
            .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '+' | '.' | '_'))
        {
            word.push(c);
            self.at += 1;
        }
        // The number may be truncated. For example, a final `"limit": 12` may be the start of `120`.
        if self.peek().is_none() {
            return Err(Stop::Cut);
        }
        match word.as_str() {
            "true" | "True" => Ok(Value::Bool(true)),
            "false" | "False" => Ok(Value::Bool(false)),
            "null" | "None" | "undefined" => Ok(Value::Null),
            number => number
                .parse::<serde_json::Number>()
                .map(Value::Number)
                .map_err(|_| Stop::Hopeless),
        }
    }
}

#[cfg(test)]
mod tests;
