//! Addresses that a terminal may open on a click.

use std::ops::Range;
use std::sync::Arc;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Schemes that a click may open. Addresses with other schemes (`file:`, `javascript:`) and paths stay text.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];
/// Maximum length of a link in bytes. Terminals ignore longer links, and a link on several rows is sent once per row.
const LONGEST: usize = 2_000;
const UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(Arc<str>);

impl Link {
    /// `None` if a click must not open the address.
    pub fn to(address: &str) -> Option<Self> {
        let known = SCHEMES.iter().any(|scheme| {
            let begin = address.get(..scheme.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme)) && address.len() > scheme.len()
        });
        if !known || address.len() > LONGEST {
            return None;
        }
        let encoded = utf8_percent_encode(address, UNSAFE).to_string();
        (encoded.len() <= LONGEST).then(|| Self(encoded.into()))
    }

    pub fn address(&self) -> &str {
        &self.0
    }

    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

pub fn find(text: &str) -> Vec<(Range<usize>, Link)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(colon) = text.get(from..).and_then(|rest| rest.find("://")).map(|at| from + at) {
        let after = colon + "://".len();
        let end = end(text, after);
        if let Some(start) = start(text, from, colon)
            && end > after
            && let Some(link) = text.get(start..end).and_then(Link::to)
        {
            found.push((start..end, link));
        }
        from = end.max(after);
    }
    found
}

fn start(text: &str, from: usize, colon: usize) -> Option<usize> {
    let before = text.get(from..colon)?;
    let begin = before
        .trim_end_matches(|letter: char| letter.is_ascii_alphanumeric())
        .len();
    let scheme = before.get(begin..)?;
    let known = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    known.then_some(from + begin)
}

fn end(text: &str, after: usize) -> usize {
    let rest = text.get(after..).unwrap_or_default();
    let inside = |letter: char| {
        letter.is_ascii_graphic() && !matches!(letter, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}')
    };
    let mut address = rest.split(|letter| !inside(letter)).next().unwrap_or_default();
    if address.len() > LONGEST {
        return after + address.len();
    }
    loop {
        let shorter = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~']);
        let shorter = match shorter.chars().last() {
            Some(')') if count(shorter, ')') > count(shorter, '(') => shorter.strip_suffix(')'),
            Some(']') if count(shorter, ']') > count(shorter, '[') => shorter.strip_suffix(']'),
            _ => Some(shorter),
        }
        .unwrap_or_default();
        if shorter.len() == address.len() {
            return after + address.len();
        }
        address = shorter;
    }
}

fn count(text: &str, letter: char) -> usize {
    text.matches(letter).count()
}

#[cfg(test)]
mod tests;
