//! Parses file names in a patch: prefixes, quotes, time stamps and `/dev/null`.

use super::Name;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) path: Option<String>,
    /// Whether the time stamp is the Unix epoch, with which `diff -N` marks a missing file.
    pub(super) epoch: bool,
}

pub(super) fn side(text: &str) -> Side {
    let text = text.trim_end_matches(['\r', '\n']);
    let (path, stamp) = match unquote(text) {
        Some((path, rest)) => (path, rest.trim_start().to_owned()),
        None => match text.split_once('\t') {
            Some((path, stamp)) => (path.trim_end().to_owned(), stamp.to_owned()),
            None if text.ends_with(')') => (without_revision(text).to_owned(), String::new()),
            None => without_stamp(text.trim_end()),
        },
    };
    Side {
        path: (path != "/dev/null").then_some(path),
        epoch: is_epoch(&stamp),
    }
}

/// Whether a time stamp is the Unix epoch. A stamp without a time zone may be in any zone from -12:00 to +14:00.
fn is_epoch(stamp: &str) -> bool {
    let words: Vec<&str> = stamp.split_whitespace().collect();
    let (day, time, zone) = match words.as_slice() {
        ["1970-01-01", time, zone @ ..] => (0, time, zone.first()),
        ["1969-12-31", time, zone @ ..] => (-24 * 60, time, zone.first()),
        [_, "Jan", "1", time, "1970"] => (0, time, None),
        [_, "Dec", "31", time, "1969"] => (-24 * 60, time, None),
        _ => return false,
    };
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    let Some(clock) = time.strip_suffix(":00").and_then(minutes) else {
        return false;
    };
    let offset = match zone {
        Some(zone) => match zone.split_at_checked(1) {
            Some(("+", rest)) => minutes(rest),
            Some(("-", rest)) => minutes(rest).map(|minutes| -minutes),
            _ => None,
        },
        None => Some(day + clock).filter(|at| (-12 * 60..=14 * 60).contains(at)),
    };
    fraction.bytes().all(|byte| byte == b'0') && offset == Some(day + clock)
}

fn minutes(text: &str) -> Option<i32> {
    let (hours, minutes) = text.split_once(':').or_else(|| text.split_at_checked(2))?;
    Some(hours.parse::<u8>().ok()? as i32 * 60 + minutes.parse::<u8>().ok()? as i32)
}

fn without_revision(text: &str) -> &str {
    match text.rsplit_once(" (") {
        Some((path, rest)) if rest.starts_with("revision ") || rest == "working copy)" => path.trim_end(),
        _ => text,
    }
}

/// Splits a time stamp off a file name. Some programs and most models separate the time stamp only by spaces.
fn without_stamp(text: &str) -> (String, String) {
    let looks_like_date = |word: &str| {
        let bytes = word.as_bytes();
        bytes.len() == 10
            && bytes.get(4) == Some(&b'-')
            && bytes.get(7) == Some(&b'-')
            && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() == 8
    };
    for (at, _) in text.match_indices(' ') {
        let Some((path, rest)) = text.split_at_checked(at) else {
            continue;
        };
        let rest = rest.trim_start();
        if rest.split(' ').next().is_some_and(looks_like_date) && rest.contains(':') {
            return (path.trim_end().to_owned(), rest.to_owned());
        }
    }
    (text.to_owned(), String::new())
}

/// Parses a quoted name of git (`"a/\303\244 b"`). Also returns the text after it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.char_indices();
    let inner = text.strip_prefix('"')?;
    let mut bytes = Vec::new();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let rest = inner.get(at + 1..)?;
                return Some((String::from_utf8(bytes).ok()?, rest));
            }
            '\\' => {
                let (_, escaped) = chars.next()?;
                match escaped {
                    'n' => bytes.push(b'\n'),
                    't' => bytes.push(b'\t'),
                    'r' => bytes.push(b'\r'),
                    'a' => bytes.push(7),
                    'b' => bytes.push(8),
                    'f' => bytes.push(12),
                    'v' => bytes.push(11),
                    '0'..='7' => {
                        let mut value = escaped.to_digit(8)?;
                        for _ in 0..2 {
                            value = value * 8 + chars.next()?.1.to_digit(8)?;
                        }
                        bytes.push(u8::try_from(value).ok()?);
                    }
                    other => bytes.extend(other.encode_utf8(&mut [0; 4]).bytes()),
                }
            }
            other => bytes.extend(other.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    None
}

/// Returns the two names of a `diff --git` line. Both are names of the same file, because renames have separate lines.
pub(super) fn git_pair(text: &str) -> Option<(String, String)> {
    let text = text.trim_end();
    if let Some((first, rest)) = unquote(text) {
        let rest = rest.trim_start();
        let second = unquote(rest).map_or_else(|| rest.to_owned(), |(path, _)| path);
        return Some((first, second));
    }
    if let Some(at) = text.find(" \"") {
        let (first, rest) = text.split_at_checked(at)?;
        return Some((first.to_owned(), unquote(rest.trim_start())?.0));
    }
    let mut pairs = text.match_indices(' ').filter_map(|(at, _)| {
        let (first, second) = text.split_at_checked(at)?;
        Some((first, second.strip_prefix(' ')?))
    });
    let same = |(first, second): &(&str, &str)| {
        let tail = |path: &str| {
            path.split_once('/')
                .map_or(path.to_owned(), |(_, tail)| tail.to_owned())
        };
        first == second || tail(first) == tail(second)
    };
    let found = pairs.clone().find(same).or_else(|| pairs.next())?;
    Some((found.0.to_owned(), found.1.to_owned()))
}

pub(super) fn plain(text: &str) -> Name {
    let text = text.trim_end();
    let path = unquote(text).map_or_else(|| text.to_owned(), |(path, _)| path);
    Name(vec![tidy(&path)])
}

pub(super) fn name(path: &str, other: Option<&str>, expected: &str) -> Name {
    let whole = tidy(path);
    let stripped = ["a/", "b/", "i/", "w/", "c/", "o/"]
        .iter()
        .find_map(|prefix| whole.strip_prefix(prefix))
        .map(tidy)
        .filter(|rest| !rest.is_empty());
    let Some(stripped) = stripped else {
        return Name(match other.and_then(|other| below_both(&whole, &tidy(other))) {
            Some((below, other)) => vec![below, whole, other],
            None => vec![whole],
        });
    };
    // If both names begin with the same folder (`--- a/x`, `+++ a/x`), `a` is more probably a folder than a prefix.
    let folder = other.map_or(!path.starts_with(expected), |other| tidy(other) == whole);
    Name(if folder {
        vec![whole, stripped]
    } else {
        vec![stripped, whole]
    })
}

/// Removes the top folder from a name written by `diff -r old new`: `old/src/f` and `new/src/f` become `src/f`. Also
/// returns the complete name `other`.
fn below_both(whole: &str, other: &str) -> Option<(String, String)> {
    let (folder, below) = whole.split_once('/')?;
    let (others, same) = other.split_once('/')?;
    (folder != others && below == same).then(|| (below.to_owned(), other.to_owned()))
}

fn tidy(path: &str) -> String {
    let mut path = path.trim_start_matches("./").to_owned();
    while path.contains("//") {
        path = path.replace("//", "/");
    }
    path
}
