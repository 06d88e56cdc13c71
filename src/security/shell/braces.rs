//! `{rm,notes.txt}` and `{1..3}`: one word becomes several before anything else in it is expanded.

use super::syntax::{Piece, Word};

/// More words than this are not worth knowing; the word is then left as it is.
const MOST: usize = 64;
/// Longer words are left as they are: finding the groups costs the square of the length.
const MOST_SIGNS: usize = 2_000;

/// A sign that may be special, or anything else that stands in a word.
#[derive(Clone)]
enum Token {
    Sign(char),
    Piece(Piece),
}

pub(super) fn expand(word: &Word) -> Vec<Word> {
    let has_brace = word.pieces.iter().any(|piece| match piece {
        Piece::Text { text, quoted: false } => text.contains('{'),
        _ => false,
    });
    if !has_brace {
        return vec![word.clone()];
    }
    let mut tokens = Vec::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text { text, quoted: false } => tokens.extend(text.chars().map(Token::Sign)),
            other => tokens.push(Token::Piece(other.clone())),
        }
    }
    if tokens.len() > MOST_SIGNS {
        return vec![word.clone()];
    }
    let mut budget = MOST;
    match alternatives(&tokens, &mut budget) {
        Some(all) => all.iter().map(|tokens| join(tokens)).collect(),
        None => vec![word.clone()],
    }
}

/// All words one word stands for; `None` when they are too many.
fn alternatives(tokens: &[Token], budget: &mut usize) -> Option<Vec<Vec<Token>>> {
    *budget = budget.checked_sub(1)?;
    for (start, token) in tokens.iter().enumerate() {
        if !matches!(token, Token::Sign('{')) {
            continue;
        }
        let Some((end, parts)) = group(tokens, start) else {
            continue;
        };
        let before = tokens.get(..start)?;
        let after = alternatives(tokens.get(end + 1..)?, budget)?;
        let mut out = Vec::new();
        for part in parts {
            for middle in alternatives(&part, budget)? {
                for rest in &after {
                    if out.len() >= MOST {
                        return None;
                    }
                    out.push([before, &middle, rest].concat());
                }
            }
        }
        return Some(out);
    }
    Some(vec![tokens.to_vec()])
}

/// The parts of the group that opens at `start`, and where it closes; `None` when it is no group.
fn group(tokens: &[Token], start: usize) -> Option<(usize, Vec<Vec<Token>>)> {
    let mut level = 0_usize;
    let mut parts = vec![Vec::new()];
    for (at, token) in tokens.iter().enumerate().skip(start + 1) {
        match token {
            Token::Sign('{') => level += 1,
            Token::Sign('}') if level == 0 => {
                if parts.len() == 1 {
                    let range = parts.first().and_then(|inner| sequence(inner))?;
                    return Some((at, range));
                }
                return Some((at, parts));
            }
            Token::Sign('}') => level -= 1,
            Token::Sign(',') if level == 0 => {
                parts.push(Vec::new());
                continue;
            }
            Token::Sign(_) | Token::Piece(_) => {}
        }
        parts.last_mut()?.push(token.clone());
    }
    None
}

/// `1..9`, `a..e`, with an optional step that is ignored: more words than real ones do no harm.
fn sequence(inner: &[Token]) -> Option<Vec<Vec<Token>>> {
    let text: Option<String> = inner
        .iter()
        .map(|token| match token {
            Token::Sign(c) => Some(*c),
            Token::Piece(_) => None,
        })
        .collect();
    let text = text?;
    let (first, last) = text.split_once("..")?;
    let last = last.split("..").next()?;
    let words: Vec<String> = if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let (low, high) = (first.min(last), first.max(last));
        (low..=high).take(MOST).map(|number| number.to_string()).collect()
    } else {
        let (first, last) = (single(first)?, single(last)?);
        (first.min(last)..=first.max(last))
            .take(MOST)
            .map(String::from)
            .collect()
    };
    Some(
        words
            .iter()
            .map(|word| word.chars().map(Token::Sign).collect())
            .collect(),
    )
}

fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

fn join(tokens: &[Token]) -> Word {
    let mut pieces: Vec<Piece> = Vec::new();
    for token in tokens {
        match token {
            Token::Piece(piece) => pieces.push(piece.clone()),
            Token::Sign(c) => match pieces.last_mut() {
                Some(Piece::Text { text, quoted: false }) => text.push(*c),
                _ => pieces.push(Piece::Text {
                    text: c.to_string(),
                    quoted: false,
                }),
            },
        }
    }
    Word { pieces }
}
