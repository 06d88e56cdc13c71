//! Stores the beginning and end of a text stream in limited memory.

use std::collections::VecDeque;

use super::text::newlines;

/// First `head` bytes and last `tail` bytes of a stream, and the number of omitted bytes.
#[derive(Debug)]
pub struct Ends {
    head: String,
    tail: VecDeque<u8>,
    head_room: usize,
    tail_room: usize,
    bytes: u64,
    lines: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Kept {
    pub head: String,
    pub tail: String,
    pub lost_bytes: u64,
    pub lost_lines: u64,
}

impl Ends {
    pub fn new(head: usize, tail: usize) -> Self {
        Self {
            head: String::new(),
            tail: VecDeque::new(),
            head_room: head,
            tail_room: tail,
            bytes: 0,
            lines: 0,
        }
    }

    pub fn push(&mut self, text: &str) {
        self.bytes += text.len() as u64;
        self.lines += newlines(text.as_bytes()) as u64;
        let mut rest = text;
        // If the tail has text, the head must not grow, because later text would come before the tail.
        if self.tail.is_empty() && self.head.len() < self.head_room {
            let mut end = (self.head_room - self.head.len()).min(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let (first, after) = text.split_at(end);
            self.head.push_str(first);
            rest = after;
        }
        let bytes = rest.as_bytes();
        let kept = bytes.get(bytes.len().saturating_sub(self.tail_room)..).unwrap_or(bytes);
        let over = (self.tail.len() + kept.len()).saturating_sub(self.tail_room);
        self.tail.drain(..over.min(self.tail.len()));
        self.tail.extend(kept);
    }

    /// Counts omitted text. Drops the tail, because the omitted text comes after it.
    pub fn pass_over(&mut self, text: &[u8]) {
        self.bytes += text.len() as u64;
        self.lines += newlines(text) as u64;
        self.tail.clear();
        self.head_room = self.head.len();
    }

    pub fn newest(&self) -> (u64, Vec<u8>) {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        (self.bytes.saturating_sub(tail.len() as u64), tail)
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    #[cfg(test)]
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    pub fn is_cut(&self) -> bool {
        self.bytes > (self.head.len() + self.tail.len()) as u64
    }

    pub fn kept(&self) -> Kept {
        let cut = self.is_cut();
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let tail = String::from_utf8_lossy(after_broken(&tail)).into_owned();
        if !cut {
            return Kept {
                head: self.head.clone(),
                tail,
                lost_bytes: 0,
                lost_lines: 0,
            };
        }
        let head = whole_lines_head(&self.head).to_owned();
        let tail = whole_lines_tail(&tail).to_owned();
        Kept {
            lost_bytes: self.bytes.saturating_sub((head.len() + tail.len()) as u64),
            lost_lines: self
                .lines
                .saturating_sub((newlines(head.as_bytes()) + newlines(tail.as_bytes())) as u64),
            head,
            tail,
        }
    }
}

fn after_broken(bytes: &[u8]) -> &[u8] {
    let broken = bytes
        .iter()
        .take(3)
        .take_while(|byte| (0x80..0xc0).contains(*byte))
        .count();
    bytes.get(broken..).unwrap_or(bytes)
}

/// Truncates the text after the last line end, if that line end is in the second half.
fn whole_lines_head(text: &str) -> &str {
    match text.rfind('\n') {
        Some(at) if at >= text.len() / 2 => text.get(..=at).unwrap_or(text),
        _ => text,
    }
}

/// Removes the text up to the first line end if it is in the first half.
fn whole_lines_tail(text: &str) -> &str {
    match text.find('\n') {
        Some(at) if at < text.len() / 2 => text.get(at + 1..).unwrap_or(text),
        _ => text,
    }
}

#[cfg(test)]
mod tests;
