//! Control tokens such as `<|im_end|>` separate turns in chat templates. Servers interpret them anywhere in a prompt.

use std::borrow::Cow;

const LONGEST: usize = 60;

pub fn length(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('<')?;
    let bar = rest.chars().next().filter(|c| matches!(c, '|' | '｜'))?;
    let inside = rest.get(bar.len_utf8()..)?;
    let end = inside.find(bar).filter(|end| (1..=LONGEST).contains(end))?;
    let name = inside.get(..end)?;
    let closed = inside.get(end + bar.len_utf8()..)?.starts_with('>');
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '/' | '▁');
    (closed && name.chars().all(fits)).then_some(1 + 2 * bar.len_utf8() + end + 1)
}

/// Returns the trimmed text before the first control token. Returns the whole text if nothing precedes the token.
pub fn text_before(text: &str) -> &str {
    let first = text
        .match_indices('<')
        .find(|(at, _)| length(text.get(*at..).unwrap_or_default()).is_some());
    let front = first.and_then(|(at, _)| text.get(..at)).unwrap_or(text).trim();
    if front.is_empty() { text.trim() } else { front }
}

/// Changes control tokens, for example to `‹|im_end|›`. Servers do not recognise the changed tokens.
pub fn neutralize(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut from = 0;
    for (at, _) in text.match_indices('<') {
        let Some(length) = length(text.get(at..).unwrap_or_default()) else {
            continue;
        };
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push('‹');
        out.push_str(text.get(at + 1..at + length - 1).unwrap_or_default());
        out.push('›');
        from = at + length;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests;
