//! Where a letter leads, in a text with a caret.

use std::ops::Range;

use crate::base::text::{grapheme_after, grapheme_before};

pub(super) struct Motion {
    pub(super) to: usize,
    /// What it is done with takes the letter there along.
    pub(super) inclusive: bool,
    /// Whole lines are meant.
    pub(super) lines: bool,
}

impl Motion {
    fn to(to: usize) -> Self {
        Self {
            to,
            inclusive: false,
            lines: false,
        }
    }

    /// `count`: 0 where none was said.
    pub(super) fn of(c: char, prefix: Option<char>, text: &str, at: usize, count: usize) -> Option<Self> {
        let times = count.max(1);
        let (start, end) = (line_start(text, at), line_end(text, at));
        Some(match (prefix, c) {
            (None, 'h') => {
                Self::to((0..times).fold(at, |at, _| if at > start { grapheme_before(text, at) } else { at }))
            }
            (None, 'l' | ' ') => {
                Self::to((0..times).fold(at, |at, _| if at < end { grapheme_after(text, at) } else { at }))
            }
            (None, 'w') => Self::to((0..times).fold(at, |at, _| word_right(text, at))),
            (None, 'b') => Self::to((0..times).fold(at, |at, _| word_left(text, at))),
            (None, 'e') => Self {
                inclusive: true,
                ..Self::to((0..times).fold(at, |at, _| word_end(text, at)))
            },
            (None, '0') => Self::to(start),
            (None, '^' | '_') => Self::to(first_letter(text, start)),
            (None, '$') => Self::to(end),
            (None, 'G') | (Some('g'), 'g') => {
                let line = match (count, c) {
                    (0, 'G') => usize::MAX,
                    (0, _) => 0,
                    (count, _) => count - 1,
                };
                Self {
                    lines: true,
                    ..Self::to(first_letter(text, nth_line(text, line)))
                }
            }
            (None, 'j' | 'k') => Self {
                lines: true,
                ..Self::to((0..times).fold(at, |at, _| other_line(text, at, c == 'j')))
            },
            _ => return None,
        })
    }
}

/// A letter that is looked for in the line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sought {
    letter: char,
    forward: bool,
    /// The caret stops one before it.
    till: bool,
}

impl Sought {
    pub(super) fn of(kind: char, letter: char) -> Self {
        Self {
            letter,
            forward: kind.is_lowercase(),
            till: matches!(kind, 't' | 'T'),
        }
    }

    pub(super) fn back(self) -> Self {
        Self {
            forward: !self.forward,
            ..self
        }
    }

    pub(super) fn find(self, text: &str, at: usize, times: usize) -> Option<Motion> {
        let mut to = at;
        for _ in 0..times {
            to = if self.forward {
                let from = grapheme_after(text, to);
                let line = text.get(from..line_end(text, at))?;
                from + line.find(self.letter)?
            } else {
                text.get(line_start(text, at)..to)?.rfind(self.letter)? + line_start(text, at)
            };
        }
        Some(match (self.till, self.forward) {
            (false, forward) => Motion {
                inclusive: forward,
                ..Motion::to(to)
            },
            (true, true) => Motion {
                inclusive: true,
                ..Motion::to(grapheme_before(text, to))
            },
            (true, false) => Motion::to(grapheme_after(text, to)),
        })
    }
}

#[derive(PartialEq, Eq)]
enum Kind {
    Blank,
    Word,
    Sign,
}

fn kind(text: &str, at: usize) -> Kind {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        None => Kind::Blank,
        Some(c) if c.is_whitespace() => Kind::Blank,
        Some(c) if c.is_alphanumeric() || c == '_' => Kind::Word,
        Some(_) => Kind::Sign,
    }
}

pub(super) fn on_blank(text: &str, at: usize) -> bool {
    kind(text, at) == Kind::Blank
}

fn word_right(text: &str, mut at: usize) -> usize {
    let first = kind(text, at);
    while at < text.len() && first != Kind::Blank && kind(text, at) == first {
        at = grapheme_after(text, at);
    }
    while at < text.len() && on_blank(text, at) {
        at = grapheme_after(text, at);
    }
    at
}

fn word_left(text: &str, mut at: usize) -> usize {
    while at > 0 && on_blank(text, grapheme_before(text, at)) {
        at = grapheme_before(text, at);
    }
    let last = kind(text, grapheme_before(text, at));
    while at > 0 && kind(text, grapheme_before(text, at)) == last {
        at = grapheme_before(text, at);
    }
    at
}

fn word_end(text: &str, at: usize) -> usize {
    let mut next = grapheme_after(text, at);
    while next < text.len() && on_blank(text, next) {
        next = grapheme_after(text, next);
    }
    if next >= text.len() {
        return at;
    }
    let of = kind(text, next);
    loop {
        let after = grapheme_after(text, next);
        if after >= text.len() || kind(text, after) != of {
            return next;
        }
        next = after;
    }
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1)
}

pub(super) fn line_end(text: &str, at: usize) -> usize {
    text.get(at..)
        .and_then(|after| after.find('\n'))
        .map_or(text.len(), |end| at + end)
}

/// The first letter of a line that is no blank, or its end.
pub(super) fn first_letter(text: &str, start: usize) -> usize {
    let line = text.get(start..line_end(text, start)).unwrap_or_default();
    start + (line.len() - line.trim_start().len())
}

/// Where the n-th line begins, from 0; the last one where there are not so many.
fn nth_line(text: &str, line: usize) -> usize {
    let starts = text.match_indices('\n').map(|(end, _)| end + 1);
    starts.take(line).last().filter(|_| line > 0).unwrap_or(0)
}

fn other_line(text: &str, at: usize, below: bool) -> usize {
    if below {
        (line_end(text, at) + 1).min(text.len())
    } else {
        line_start(text, at).saturating_sub(1)
    }
}

/// The word, quotes or brackets around the caret: what is in them, or all of it.
pub(super) fn around(text: &str, at: usize, what: char, all: bool) -> Option<Range<usize>> {
    match what {
        'w' => Some(word(text, at, all)),
        '"' | '\'' | '`' => quoted(text, at, what, all),
        '(' | ')' | 'b' => bracketed(text, at, ('(', ')'), all),
        '[' | ']' => bracketed(text, at, ('[', ']'), all),
        '{' | '}' | 'B' => bracketed(text, at, ('{', '}'), all),
        '<' | '>' => bracketed(text, at, ('<', '>'), all),
        _ => None,
    }
}

fn word(text: &str, at: usize, all: bool) -> Range<usize> {
    let of = kind(text, at);
    let line = line_start(text, at)..line_end(text, at);
    let (mut start, mut end) = (at, at);
    while start > line.start && kind(text, grapheme_before(text, start)) == of {
        start = grapheme_before(text, start);
    }
    while end < line.end && kind(text, end) == of {
        end = grapheme_after(text, end);
    }
    while all && of != Kind::Blank && end < line.end && on_blank(text, end) {
        end = grapheme_after(text, end);
    }
    start..end
}

fn quoted(text: &str, at: usize, quote: char, all: bool) -> Option<Range<usize>> {
    let line = line_start(text, at)..line_end(text, at);
    let marks: Vec<usize> = text
        .get(line.clone())?
        .match_indices(quote)
        .map(|(place, _)| line.start + place)
        .collect();
    let pair = marks
        .chunks_exact(2)
        .find(|pair| pair.last().is_some_and(|close| *close >= at))?;
    let (open, close) = (*pair.first()?, *pair.last()?);
    Some(if all { open..close + 1 } else { open + 1..close })
}

fn bracketed(text: &str, at: usize, (open, close): (char, char), all: bool) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    let upto = text.get(..at)?;
    let here = text.get(at..)?.starts_with(open).then_some(at);
    let begin = here.or_else(|| {
        upto.char_indices().rev().find_map(|(place, c)| match c {
            c if c == close => {
                depth += 1;
                None
            }
            c if c == open && depth == 0 => Some(place),
            c if c == open => {
                depth -= 1;
                None
            }
            _ => None,
        })
    })?;
    let inside = begin + open.len_utf8();
    let mut depth = 0_usize;
    let end = text.get(inside..)?.char_indices().find_map(|(place, c)| match c {
        c if c == open => {
            depth += 1;
            None
        }
        c if c == close && depth == 0 => Some(inside + place),
        c if c == close => {
            depth -= 1;
            None
        }
        _ => None,
    })?;
    Some(if all {
        begin..end + close.len_utf8()
    } else {
        inside..end
    })
}
