//! A segment of the index in memory, before it is written.

use std::collections::HashMap;

use super::segment::{Indexed, Stamp};

/// Size in bytes at which a segment is written to disk. Limits the memory use of indexing.
const FULL: usize = 20 << 20;

/// Approximate memory use of a term in bytes, without its characters and postings.
const TERM: usize = 96;

#[derive(Debug, Default)]
pub struct Builder {
    pub(super) sources: Vec<Indexed>,
    /// The caller's number for each document, such as the id of a log entry.
    pub(super) docs: Vec<u32>,
    pub(super) terms: HashMap<Box<str>, Postings>,
    size: usize,
}

/// The positions of a term's documents in ascending order, stored as differences in a variable-length encoding.
#[derive(Debug, Default)]
pub(super) struct Postings {
    pub(super) bytes: Vec<u8>,
    /// The position after the last document.
    next: u32,
}

impl Builder {
    pub(super) fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.size > FULL
    }

    pub(super) fn source(&mut self, id: String, stamp: Stamp) {
        let first = self.next_doc();
        self.size += TERM + id.len();
        self.sources.push(Indexed {
            id,
            stamp,
            first,
            is_current: false,
        });
    }

    /// Forces the next update to read the last added source again.
    pub fn read_again(&mut self) {
        if let Some(source) = self.sources.last_mut() {
            source.stamp = Stamp::UNKNOWN;
        }
    }

    /// Adds a document to the last added source. Returns its position.
    pub fn document(&mut self, number: u32) -> u32 {
        let doc = self.next_doc();
        self.docs.push(number);
        self.size += 4;
        doc
    }

    pub fn posting(&mut self, term: &str, doc: u32) {
        if let Some(postings) = self.terms.get_mut(term) {
            self.size += postings.push(doc);
            return;
        }
        let mut postings = Postings::default();
        self.size += postings.push(doc) + term.len() + TERM;
        self.terms.insert(term.into(), postings);
    }

    fn next_doc(&self) -> u32 {
        u32::try_from(self.docs.len()).unwrap_or(u32::MAX)
    }
}

impl Postings {
    fn push(&mut self, doc: u32) -> usize {
        if doc < self.next {
            return 0;
        }
        let before = self.bytes.len();
        let mut rest = doc - self.next;
        while rest >= 0x80 {
            self.bytes.push(u8::try_from(rest & 0x7f).unwrap_or_default() | 0x80);
            rest >>= 7;
        }
        self.bytes.push(u8::try_from(rest).unwrap_or_default());
        self.next = doc + 1;
        self.bytes.len() - before
    }
}

/// Calls `take` for each document in stored postings. Damaged bytes end the loop.
pub(super) fn each_doc(bytes: &[u8], mut take: impl FnMut(u32)) {
    let (mut next, mut value, mut shift) = (0_u32, 0_u32, 0_u32);
    for byte in bytes {
        value |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or_default();
        shift += 7;
        if byte & 0x80 != 0 {
            continue;
        }
        let doc = next.saturating_add(value);
        take(doc);
        next = doc.saturating_add(1);
        (value, shift) = (0, 0);
    }
}
