//! Addresses that a terminal may open on a click.

use std::ops::Range;
use std::sync::Arc;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// The schemes that a click may open. Others (`file:`, `javascript:`, a path) stay text.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];
/// The maximum length of a link. Terminals drop longer ones, and every row sends it again.
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
    /// Returns `None` if a click may not open the address.
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
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        find(text).iter().map(|(_, link)| link.address().to_owned()).collect()
    }

    #[test]
    fn an_address_ends_where_its_sentence_goes_on() {
        for (text, address) in [
            ("see https://a.example/x.", "https://a.example/x"),
            ("(https://a.example/x_(y)), and", "https://a.example/x_(y)"),
            ("<https://a.example/?a=1&b=%20>", "https://a.example/?a=1&b=%20"),
            ("請看https://a.example/文件。", "https://a.example/"),
            ("HTTP://A.example:8080/#z'", "HTTP://A.example:8080/#z"),
            ("[x](https://a.example/)", "https://a.example/"),
            ("**https://a.example/**", "https://a.example/"),
        ] {
            assert_eq!(found(text), [address], "{text}");
        }
    }

    #[test]
    fn what_is_no_web_address_stays_text() {
        for text in [
            "https://",
            "http:// a",
            "file:///etc/passwd",
            "xhttp://a.example",
            "javascript://a",
            "a://b",
            "://",
            "https://。",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        for address in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "docs/a.md",
            "#top",
            "",
            "mailto:",
        ] {
            assert_eq!(Link::to(address), None, "{address}");
        }
    }

    #[test]
    fn an_address_holds_nothing_that_could_end_its_sequence() {
        let link = Link::to("https://a.example/\x1b]8;;\x07\u{9c}漢 \"").unwrap();
        assert_eq!(link.address(), "https://a.example/%1B]8;;%07%C2%9C%E6%BC%A2%20%22");
        assert_eq!(Link::to(&format!("https://{}", "a".repeat(LONGEST))), None);
        assert_eq!(Link::to(&format!("https://{}", "漢".repeat(LONGEST / 4))), None);
    }

    #[test]
    fn many_addresses_are_found_in_one_go() {
        let text = "https://a.example/b ".repeat(50_000);
        assert_eq!(find(&text).len(), 50_000);
        assert_eq!(find(&"://".repeat(300_000)).len(), 0);
        assert_eq!(find(&")".repeat(300_000)).len(), 0);
        assert_eq!(find(&format!("http://{}", ")".repeat(300_000))).len(), 0);
    }
}
