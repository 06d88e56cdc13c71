//! Secrets that only their name reveals, such as `DB_PASSWORD=…`. Exports mask them. Text for a model is not masked,
//! because a mask in source code would make edits fail.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::mark;

const KIND: &str = "named-secret";

const NAMES: &str = r"(?:password|passwd|secret|token|api[_-]?key|(?:access|secret|private)[_-]?key|authorization)";

/// A literal of at least 8 characters. Brackets and `$` indicate code or a placeholder.
const LITERAL: &str = r#"[^\s"'`\\,;&<>(){}\[\]$:=][^\s"'`\\,;&<>(){}\[\]$]{7,}"#;

/// Matches an assignment. The groups are the name with the operator, the quote, the scheme, and the value.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // A test ensures that this regex is valid.
    Regex::new(&format!(
        r#"(?i)({NAMES}(?:\\?["'])?[ \t]*(?::=|=>|=|:)[ \t]*)(\\?["'])?((?:bearer|basic|token)[ \t]+)?({LITERAL})"#
    ))
    .ok()
});

static SECRET_NAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i){NAMES}$")).ok());
static WHOLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?i)^((?:bearer|basic|token)[ \t]+)?({LITERAL})$")).ok());

/// Masks literal values after names that end in `password`, `token` and similar words.
pub fn mask_named(text: &str) -> Cow<'_, str> {
    let Some(named) = NAMED.as_ref() else {
        return text.into();
    };
    named.replace_all(text, |captures: &Captures<'_>| {
        let part = |group| captures.get(group).map_or("", |found| found.as_str());
        let after = captures.get(0).and_then(|found| text.get(found.end()..));
        let next = after.and_then(|after| after.chars().next());
        let masked = is_literal(part(1), part(2), part(3), part(4), next);
        let value = if masked { mark(KIND) } else { part(4).to_owned() };
        format!("{}{}{}{value}", part(1), part(2), part(3))
    })
}

/// Returns the masked value of a field with a secret's name. `None` if the value is not a secret.
pub fn mask_field(name: &str, value: &str) -> Option<String> {
    SECRET_NAME.as_ref().filter(|names| names.is_match(name))?;
    let captures = WHOLE.as_ref()?.captures(value)?;
    let scheme = captures.get(1).map_or("", |found| found.as_str());
    Some(format!("{scheme}{}", mark(KIND)))
}

/// Whether a value is a literal. An unquoted word could be a type or a variable. A literal has a digit, or follows `=`
/// directly and ends like a shell value.
fn is_literal(name: &str, quote: &str, scheme: &str, value: &str, next: Option<char>) -> bool {
    if next.is_some_and(|next| "([{$<".contains(next)) {
        return false;
    }
    let ends = next.is_none_or(|next| next.is_whitespace() || "\"'`\\&".contains(next));
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    has_digit || !scheme.is_empty() || ends && (!quote.is_empty() || name.ends_with('='))
}

#[cfg(test)]
mod tests;
