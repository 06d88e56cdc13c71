//! Removes invisible parts of a line: terminal escape sequences and zero-width characters. A key that contains them is
//! complete again when it is copied from the screen.

use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';

pub(super) struct Bare {
    pub(super) text: String,
    places: Vec<usize>,
}

impl Bare {
    /// Returns the line without invisible parts, or `None` if it has none.
    pub(super) fn of(line: &str) -> Option<Self> {
        if !has_unseen(line) {
            return None;
        }
        let mut bare = Self {
            text: String::with_capacity(line.len()),
            places: Vec::with_capacity(line.len()),
        };
        let mut rest = line.char_indices().peekable();
        while let Some((at, char)) = rest.next() {
            if char == ESCAPE {
                skip_sequence(&mut rest);
            } else if !is_unseen(char) {
                bare.text.push(char);
                bare.places.extend(at..at + char.len_utf8());
            }
        }
        Some(bare)
    }

    /// Returns the range in the original line for a range of the text without invisible parts.
    pub(super) fn place(&self, part: &Range<usize>) -> Range<usize> {
        let at = |index: usize| self.places.get(index).copied().unwrap_or_default();
        at(part.start)..at(part.end.saturating_sub(1)) + 1
    }
}

const AT_ONCE: usize = 32;

/// Whether the line has invisible parts. For speed, decodes only characters that may be invisible.
pub(super) fn has_unseen(line: &str) -> bool {
    let parts = (0..).step_by(AT_ONCE).zip(line.as_bytes().chunks(AT_ONCE));
    parts
        .filter(|(_, part)| part.iter().fold(false, |told, byte| told | tells(*byte)))
        .any(|(from, part)| is_told(line, from, part))
}

/// Whether one of the `TELLING` bytes in this part belongs to an invisible character.
fn is_told(line: &str, from: usize, part: &[u8]) -> bool {
    let begins = |at: usize| line.get(at..).and_then(|rest| rest.chars().next());
    let mut telling = (from..).zip(part).filter(|(_, byte)| tells(**byte));
    telling.any(|(at, byte)| {
        // 0xb8 and 0xbb are the second byte of their character.
        let at = at - usize::from(matches!(*byte, 0xb8 | 0xbb));
        begins(at).is_some_and(is_unseen)
    })
}

/// Bytes that indicate an invisible character: its first byte, or its second byte after 0xef. 0xef is excluded, because
/// it also begins U+FFFD, which is frequent in binary output.
const TELLING: [bool; 256] = {
    let mut telling = [false; 256];
    let mut byte = 0;
    while byte < telling.len() {
        telling[byte] = match byte as u8 {
            b'\t' | b'\n' | b'\r' => false,
            0..0x20 | 0x7f | 0xb8 | 0xbb | 0xc2 | 0xcd | 0xd8 | 0xe1..=0xe3 | 0xf3 => true,
            _ => false,
        };
        byte += 1;
    }
    telling
};

fn tells(byte: u8) -> bool {
    TELLING[usize::from(byte)]
}

fn is_unseen(char: char) -> bool {
    match char {
        '\t' | '\n' | '\r' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}'
        | '\u{feff}' => true,
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

/// Skips a control sequence up to its final letter, or a string sequence (such as a window title) up to BEL or `ESC \`.
fn skip_sequence(rest: &mut Peekable<CharIndices<'_>>) {
    match rest.next() {
        Some((_, '[')) => {
            while let Some((_, ' '..='?')) = rest.peek() {
                rest.next();
            }
            rest.next();
        }
        Some((_, ']' | 'P' | '_' | '^' | 'X')) => {
            while let Some((_, char)) = rest.next() {
                if char == BELL || char == '\n' || (char == ESCAPE && rest.next().is_some()) {
                    return;
                }
            }
        }
        Some((_, ' '..='/')) => {
            rest.next();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
