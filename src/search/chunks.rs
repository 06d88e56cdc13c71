//! Splits a file into chunks of whole lines. The chunks depend only on the text, so equal texts have equal chunks.

use std::ops::Range;

/// Bytes after which a chunk ends at the next empty line. After `FULL` bytes, the chunk ends at the next line.
const ENOUGH: usize = 700;
const FULL: usize = 1_600;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Number of the first line, from 1.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) bytes: Range<usize>,
}

pub(super) fn chunks(text: &str) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let (mut start, mut first, mut at, mut line) = (0, 1, 0, 0);
    for piece in text.split_inclusive('\n') {
        at += piece.len();
        line += 1;
        let size = at - start;
        if size >= FULL || (size >= ENOUGH && piece.trim().is_empty()) || at == text.len() {
            let (bytes, last) = (start..at, line);
            if text.get(bytes.clone()).is_some_and(|part| !part.trim().is_empty()) {
                chunks.push(Chunk { first, last, bytes });
            }
            (start, first) = (at, line + 1);
        }
    }
    chunks
}

#[cfg(test)]
mod tests;
