//! Escapes outside text, such as rules or skills, that imitates the format of the conversation. The text stays
//! readable.

use std::borrow::Cow;

use benchdog_base::text::plain_letters;

/// Lower-case names of tags that mark roles, calls and results for models and servers.
const TAGS: &[&str] = &[
    "tool_call",
    "tool_calls",
    "tool_response",
    "tool_result",
    "tool_results",
    "tool_output",
    "tool_use",
    "function",
    "function_call",
    "function_calls",
    "function_results",
    "invoke",
    "parameter",
    "system",
    "assistant",
    "user",
    "think",
    "thinking",
    "benchdog",
];

/// Names that mark roles, calls and results in square brackets.
const BRACKETED: &[&str] = &[
    "benchdog",
    "tool_calls",
    "tool_results",
    "available_tools",
    "inst",
    "system_prompt",
];

/// Replaces the opening bracket of each tag in `TAGS` or `BRACKETED` by a similar character.
pub fn neutral(text: &str) -> Cow<'_, str> {
    let imitations: Vec<usize> = text
        .match_indices(['<', '['])
        .filter(|(at, sign)| imitates(sign, text.get(at + 1..).unwrap_or_default()))
        .map(|(at, _)| at)
        .collect();
    if imitations.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + imitations.len() * 2);
    let mut from = 0;
    for at in imitations {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push(if text.as_bytes().get(at) == Some(&b'<') {
            '‹'
        } else {
            '('
        });
        from = at + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// Escapes text that imitates a note of Benchdog, and nothing else.
pub(crate) fn unmarked(text: &str) -> Cow<'_, str> {
    let is_mark = |behind: &str| {
        let letters = plain_letters(behind).skip_while(|c| c.is_whitespace());
        let is_ours = letters.take(OURS.len()).eq(OURS.chars());
        let rest = behind.strip_prefix(OURS).unwrap_or_default();
        is_ours && !rest.starts_with(REDACTED)
    };
    let marks: Vec<(usize, usize)> = text
        .match_indices(BRACKETS)
        .map(|(at, sign)| (at, at + sign.len()))
        .filter(|(_, end)| is_mark(text.get(*end..).unwrap_or_default()))
        .collect();
    if marks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, end) in marks {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push('(');
        from = end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// A square bracket and characters that look like one.
const BRACKETS: [char; 3] = ['[', '\u{ff3b}', '\u{fe47}'];

const OURS: &str = "benchdog";

/// The text after `benchdog` in a redaction mark. A redaction mark is not a note, so it is not escaped.
const REDACTED: &str = ":redacted:";

fn imitates(sign: &str, behind: &str) -> bool {
    let behind = behind.trim_start().trim_start_matches('/').trim_start();
    if sign == "<" && behind.starts_with(['|', '｜']) {
        return true;
    }
    let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
    let mut name = behind
        .get(..end.unwrap_or(behind.len()))
        .unwrap_or_default()
        .to_ascii_lowercase();
    let next = behind.get(name.len()..).and_then(|rest| rest.chars().next());
    if sign == "<" && next == Some(':') {
        // Skip an XML namespace.
        let rest = behind.get(name.len() + 1..).unwrap_or_default();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
        name = rest
            .get(..end.unwrap_or(rest.len()))
            .unwrap_or_default()
            .to_ascii_lowercase();
    }
    let known = if sign == "<" { TAGS } else { BRACKETED };
    known.contains(&&*name)
}

#[cfg(test)]
mod tests;
