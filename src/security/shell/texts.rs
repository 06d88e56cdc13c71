//! Transforms text as bash and small tools do: escapes, patterns, braces, encodings. Pure. Results are limited in size.

/// Maximum length of a text whose value is tracked. A longer text counts as unknown.
pub(super) const MAX_TEXT: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// `$'…'`: `\nnn`, quotes.
    AnsiC,
    /// `echo -e`: `\0nnn`, `\c`.
    Echo,
    /// A format of `printf`.
    Printf,
}

pub(super) fn unescape(raw: &str, escapes: Escapes) -> String {
    let mut out = Vec::new();
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push(&mut out, c);
            continue;
        }
        let Some(next) = chars.next() else {
            push(&mut out, '\\');
            break;
        };
        match next {
            'n' => out.push(b'\n'),
            't' => out.push(b'\t'),
            'r' => out.push(b'\r'),
            'a' => out.push(7),
            'b' => out.push(8),
            'f' => out.push(12),
            'v' => out.push(11),
            'e' | 'E' => out.push(27),
            'c' if escapes != Escapes::AnsiC => break,
            'c' => {
                let control = chars.next().map_or(0, |c| (c as u32 & 0x1f) as u8);
                out.push(control);
            }
            'x' => match digits(&mut chars, 16, 2) {
                Some(code) => out.push((code & 0xff) as u8),
                None => out.extend(b"\\x"),
            },
            'u' | 'U' => {
                let most = if next == 'u' { 4 } else { 8 };
                match digits(&mut chars, 16, most).and_then(char::from_u32) {
                    Some(c) => push(&mut out, c),
                    None => push(&mut out, next),
                }
            }
            '0'..='7' => {
                let mut code = next.to_digit(8).unwrap_or(0);
                let most = if next == '0' && escapes == Escapes::Echo { 3 } else { 2 };
                for _ in 0..most {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    code = code * 8 + digit;
                    chars.next();
                }
                out.push((code & 0xff) as u8);
            }
            '\\' => out.push(b'\\'),
            '\'' | '"' | '?' => push(&mut out, next),
            other => {
                out.push(b'\\');
                push(&mut out, other);
            }
        }
    }
    if escapes == Escapes::AnsiC {
        // In `$'…'`, a NUL ends the text. Elsewhere the NUL remains, so the text counts as unknown (`UNKNOWN`).
        let end = out.iter().position(|byte| *byte == 0).unwrap_or(out.len());
        out.truncate(end);
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn push(out: &mut Vec<u8>, c: char) {
    out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn digits(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize) -> Option<u32> {
    let mut value = None;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else {
            break;
        };
        value = Some(value.unwrap_or(0) * radix + digit);
        chars.next();
    }
    value
}

/// Whether a glob of `*`, `?`, `[…]` and backslash matches a whole text. `*` also matches `/`.
pub(crate) fn glob_matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, t));
                p += 1;
                continue;
            }
            None if t == text.len() => return true,
            None => None,
            Some(_) => text.get(t).and_then(|c| match_one(pattern.get(p..).unwrap_or(&[]), *c)),
        };
        match (step, retry) {
            (Some(used), _) => {
                p += used;
                t += 1;
            }
            (None, Some((again, from))) if from < text.len() => {
                p = again;
                t = from + 1;
                retry = Some((again, from + 1));
            }
            (None, _) => return false,
        }
    }
}

/// Returns the length of the pattern's first element, such as `[a-z]`. `None` if the element does not match `c`.
fn match_one(pattern: &[char], c: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '\\' => match pattern.get(1) {
            Some(next) => (*next == c).then_some(2),
            None => (c == '\\').then_some(1),
        },
        '[' => match pattern.iter().skip(2).position(|c| *c == ']') {
            Some(end) => {
                let inner = pattern.get(1..end + 2)?;
                in_set(inner, c).then_some(end + 3)
            }
            None => (c == '[').then_some(1),
        },
        literal => (*literal == c).then_some(1),
    }
}

fn in_set(set: &[char], c: char) -> bool {
    let (negated, set) = match set.split_first() {
        Some(('!' | '^', rest)) => (true, rest),
        _ => (false, set),
    };
    let all: String = set.iter().collect();
    if let Some(class) = all.strip_prefix("[:").and_then(|rest| rest.strip_suffix(":")) {
        return in_class(class, c) != negated;
    }
    let mut found = false;
    let mut index = 0;
    while let Some(first) = set.get(index) {
        if set.get(index + 1) == Some(&'-')
            && let Some(last) = set.get(index + 2)
        {
            found |= (*first..=*last).contains(&c);
            index += 3;
        } else {
            found |= *first == c;
            index += 1;
        }
    }
    found != negated
}

fn in_class(class: &str, c: char) -> bool {
    match class {
        "alpha" => c.is_alphabetic(),
        "lower" => c.is_lowercase(),
        "upper" => c.is_uppercase(),
        "digit" => c.is_ascii_digit(),
        "alnum" => c.is_alphanumeric(),
        "space" | "blank" => c.is_whitespace(),
        _ => true,
    }
}

/// Returns `None` for unsupported conversions.
pub(super) fn printf(format: &str, arguments: &[&str]) -> Option<String> {
    let format = unescape(format, Escapes::Printf);
    let mut left = arguments.iter();
    let mut out = String::new();
    loop {
        let before = left.len();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            match chars.next()? {
                '%' => out.push('%'),
                's' | 'd' | 'i' | 'u' => out.push_str(left.next().copied().unwrap_or("")),
                'b' => out.push_str(&unescape(left.next().copied().unwrap_or(""), Escapes::Echo)),
                'q' => out.push_str(left.next().copied().unwrap_or("")),
                'c' => out.extend(left.next().and_then(|text| text.chars().next())),
                _ => return None,
            }
        }
        if left.len() == 0 || left.len() == before || out.len() > MAX_TEXT {
            return Some(out);
        }
    }
}
