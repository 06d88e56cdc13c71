//! Expands a custom command with its arguments. Replaces placeholders only in the command's file, never in the
//! arguments.

use crate::neutral::neutral;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// The prompt. Each command line in the file is replaced by a reference to the command's output.
    pub text: String,
    /// Distinct command lines in order. Their output is sent before the prompt.
    pub lines: Vec<String>,
}

const ARGUMENTS: &str = "$ARGUMENTS";

const LINE: &str = "!`";

enum Piece<'t> {
    Text(&'t str),
    Line(&'t str),
}

pub(super) fn expand(template: &str, arguments: &str) -> Expansion {
    let mut put = Put {
        arguments,
        words: words(arguments),
        is_used: false,
    };
    let (mut text, mut lines) = (String::new(), Vec::new());
    for piece in pieces(template) {
        match piece {
            Piece::Text(piece) => text.push_str(&put.fill(&neutral(piece))),
            Piece::Line(line) => {
                let line = put.fill(line).trim().to_owned();
                text.push_str(&format!("(what `{line}` printed stands above)"));
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
    }
    // If the file has no placeholder, append the arguments.
    if !put.is_used && !arguments.is_empty() {
        text.push_str("\n\n");
        text.push_str(arguments);
    }
    Expansion { text, lines }
}

pub(super) fn lines(template: &str) -> usize {
    let lines = pieces(template)
        .into_iter()
        .filter(|piece| matches!(piece, Piece::Line(_)));
    lines.count()
}

fn pieces(template: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut from, mut looked) = (Vec::new(), 0, 0);
    while let Some(found) = template.get(looked..).and_then(|rest| rest.find(LINE)) {
        let at = looked + found;
        let begin = at + LINE.len();
        looked = begin;
        // In text such as "done!" directly before code, `!` ends a sentence and begins no command line.
        let behind_word = template
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(char::is_alphanumeric);
        let rest = template.get(begin..).unwrap_or_default();
        let Some(length) = rest.find(['`', '\n']).filter(|_| !behind_word) else {
            continue;
        };
        let line = rest.get(..length).unwrap_or_default();
        if !rest.get(length..).unwrap_or_default().starts_with('`') || line.trim().is_empty() {
            continue;
        }
        pieces.push(Piece::Text(template.get(from..at).unwrap_or_default()));
        pieces.push(Piece::Line(line));
        from = begin + length + 1;
        looked = from;
    }
    pieces.push(Piece::Text(template.get(from..).unwrap_or_default()));
    pieces
}

struct Put<'a> {
    arguments: &'a str,
    words: Vec<&'a str>,
    is_used: bool,
}

impl<'a> Put<'a> {
    fn fill(&mut self, piece: &str) -> String {
        let (mut text, mut rest) = (String::with_capacity(piece.len()), piece);
        while let Some(at) = rest.find('$') {
            let (before, from) = rest.split_at(at);
            text.push_str(before);
            let (with, length) = match self.place(from) {
                Some(place) => {
                    self.is_used = true;
                    place
                }
                None => ("$", 1),
            };
            text.push_str(with);
            rest = from.get(length..).unwrap_or_default();
        }
        text.push_str(rest);
        text
    }

    fn place(&self, from: &str) -> Option<(&'a str, usize)> {
        if from.starts_with(ARGUMENTS) {
            return Some((self.arguments, ARGUMENTS.len()));
        }
        let mut behind = from.chars().skip(1);
        let digit = behind.next()?.to_digit(10)?;
        // `$10` is an amount of money, not argument 1 followed by a zero.
        let is_one = digit > 0 && !behind.next().is_some_and(|next| next.is_ascii_digit());
        let place = usize::try_from(digit).ok().filter(|_| is_one)?;
        Some((self.words.get(place - 1).copied().unwrap_or_default(), 2))
    }
}

fn words(arguments: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), arguments.trim_start());
    while let Some(first) = rest.chars().next() {
        let quoted = rest
            .get(1..)
            .filter(|_| matches!(first, '"' | '\''))
            .and_then(|inside| inside.split_once(first));
        let (word, behind) = match quoted {
            Some(split) => split,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word);
        rest = behind.trim_start();
    }
    words
}
