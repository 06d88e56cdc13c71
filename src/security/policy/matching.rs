//! Patterns of rules: `*` matches any text, `?` one character, and `\` escapes the next character.

use benchdog_domain::command::BLANKS;

/// Order of patterns. The greater value is more specific.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Specificity {
    exact: bool,
    literal: usize,
    fewer_wildcards: std::cmp::Reverse<usize>,
}

impl Specificity {
    pub(super) fn of(pattern: &str) -> Self {
        let mut literal = 0;
        let mut wildcards = 0;
        let mut chars = pattern.chars();
        while let Some(c) = chars.next() {
            match c {
                '*' | '?' => wildcards += 1,
                '\\' => {
                    chars.next();
                    literal += 1;
                }
                _ => literal += 1,
            }
        }
        Self {
            exact: wildcards == 0,
            literal,
            fewer_wildcards: std::cmp::Reverse(wildcards),
        }
    }
}

/// Whether a pattern matches the whole text. `x *` also matches `x` alone.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let pattern = pattern.trim_matches(BLANKS);
    if pattern == "*" {
        return true;
    }
    let alone = pattern.strip_suffix(" *").is_some_and(|start| wild(start, text));
    alone || wild(pattern, text)
}

/// Whether some text matches both patterns.
pub(super) fn overlap(one: &str, other: &str) -> bool {
    let meanings = |pattern: &str| -> Vec<Vec<Token>> {
        let pattern = pattern.trim_matches(BLANKS);
        let alone = pattern.strip_suffix(" *");
        alone.into_iter().chain([pattern]).map(tokens).collect()
    };
    let (one, other) = (meanings(one), meanings(other));
    one.iter().any(|one| other.iter().any(|other| meet(one, other)))
}

/// Whether some text matches the remaining tokens of both patterns.
fn meet(one: &[Token], other: &[Token]) -> bool {
    let mut below = vec![false; other.len() + 1];
    for i in (0..=one.len()).rev() {
        let mut row = vec![false; other.len() + 1];
        for j in (0..=other.len()).rev() {
            let at = |row: &[bool], j: usize| row.get(j).copied().unwrap_or(false);
            let met = match (one.get(i), other.get(j)) {
                (None, None) => true,
                (Some(Token::Any), _) | (_, Some(Token::Any)) => at(&below, j) || at(&row, j + 1),
                (Some(Token::Sign(a)), Some(Token::Sign(b))) => a == b && at(&below, j + 1),
                (Some(_), Some(_)) => at(&below, j + 1),
                (None, Some(_)) | (Some(_), None) => false,
            };
            if let Some(place) = row.get_mut(j) {
                *place = met;
            }
        }
        below = row;
    }
    below.first().copied().unwrap_or(false)
}

/// Whether all words of a command line that may be options are in `options`.
pub(super) fn has_only(options: &[String], text: &str) -> bool {
    let mut words = text.split_whitespace().filter(|word| word.starts_with('-'));
    words.all(|word| options.iter().any(|option| option == word))
}

/// Returns the pattern that matches only this text.
pub(super) fn exactly(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '*' | '?' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn wild(pattern: &str, text: &str) -> bool {
    let pattern = tokens(pattern);
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(p), text.get(t)) {
            (Some(Token::Any), _) => {
                retry = Some((p + 1, t));
                p += 1;
                continue;
            }
            (Some(Token::One), Some(_)) => {
                p += 1;
                t += 1;
                continue;
            }
            (Some(Token::Sign(sign)), Some(c)) if sign == c => {
                p += 1;
                t += 1;
                continue;
            }
            (None, None) => return true,
            _ => {}
        }
        match retry {
            Some((again, from)) if from < text.len() => {
                p = again;
                t = from + 1;
                retry = Some((again, from + 1));
            }
            _ => return false,
        }
    }
}

enum Token {
    Any,
    One,
    Sign(char),
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '*' => Token::Any,
            '?' => Token::One,
            '\\' => Token::Sign(chars.next().unwrap_or('\\')),
            other => Token::Sign(other),
        });
    }
    out
}
