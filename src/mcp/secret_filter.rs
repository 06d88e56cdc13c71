//! Removes secrets from a server's messages before other code reads them. Recognises JSON and URL escapes of a secret.

use std::borrow::Cow;

/// Minimum length in bytes of a secret that is removed. A shorter secret could occur in ordinary words.
const SHORTEST: usize = 4;

const MARK: &str = "[token]";

pub(super) fn filter_secrets<'t, S: AsRef<str>>(text: &'t str, secrets: &[S]) -> Cow<'t, str> {
    let mut secrets: Vec<&[u8]> = secrets.iter().map(|secret| secret.as_ref().as_bytes()).collect();
    secrets.retain(|secret| secret.len() >= SHORTEST);
    // If one secret is the beginning of another, the longer one must be replaced first.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    if secrets.is_empty() {
        return text.into();
    }
    let (bytes, mut out) = (text.as_bytes(), String::new());
    let (mut at, mut from) = (0, 0);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(length) = secrets.iter().find_map(|secret| match_length(rest, secret)) else {
            at += 1;
            continue;
        };
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str(MARK);
        at += length;
        from = at;
    }
    if from == 0 {
        return text.into();
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.into()
}

fn match_length(text: &[u8], secret: &[u8]) -> Option<usize> {
    let end = secret
        .iter()
        .try_fold(text, |text, letter| strip_letter(text, *letter))?;
    Some(text.len() - end.len())
}

fn strip_letter(text: &[u8], letter: u8) -> Option<&[u8]> {
    let is_letter = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).ok();
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) == Some(u32::from(letter))
    };
    match text {
        [b'\\', b'u', a, b, c, d, rest @ ..] if is_letter(&[*a, *b, *c, *d]) => Some(rest),
        [b'\\', first, rest @ ..] if *first == letter => Some(rest),
        [b'%', a, b, rest @ ..] if is_letter(&[*a, *b]) => Some(rest),
        [first, rest @ ..] if *first == letter => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
