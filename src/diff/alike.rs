//! Pairs removed lines with similar added lines. Of all pairings that keep the order of lines, chooses the pairing with
//! the most words in common.
//!
//! A big diff has thousands of hunks, so all hunks share one table. A bit set per line quickly excludes most pairs.

use std::ops::Range;

use super::text::Text;

/// The minimum similarity of paired lines, in thousandths of their words.
const ALIKE: u32 = 400;

#[derive(Default)]
pub(super) struct Aligner {
    words: Vec<u64>,
    old: Vec<Bag>,
    new: Vec<Bag>,
    /// The dynamic-programming table: the best total from each pair of lines to the end, with one extra row and column.
    best: Vec<u32>,
    paired: Vec<u32>,
}

/// The words of a line as sorted hashes. Each punctuation character is a word, and white space is ignored.
#[derive(Debug, Clone)]
struct Bag {
    words: Range<usize>,
    /// A bit set with one bit per word hash. Lines without a common bit have no common word.
    sketch: u64,
}

impl Aligner {
    pub(super) fn pairs(
        &mut self,
        (before, old): (&Text, &Range<usize>),
        (after, new): (&Text, &Range<usize>),
    ) -> Vec<(usize, usize)> {
        if old.is_empty() || new.is_empty() || (old.len() == 1 && new.len() == 1) {
            return Vec::new();
        }
        self.words.clear();
        self.old.clear();
        self.new.clear();
        for line in old.clone() {
            let bag = bag(before.line(line), &mut self.words);
            self.old.push(bag);
        }
        for line in new.clone() {
            let bag = bag(after.line(line), &mut self.words);
            self.new.push(bag);
        }
        self.weigh();
        self.walk()
    }

    fn weigh(&mut self) {
        let (rows, columns) = (self.old.len(), self.new.len());
        let width = columns + 1;
        self.best.clear();
        self.best.resize((rows + 1) * width, 0);
        self.paired.clear();
        self.paired.resize(rows * columns, 0);
        for (row, a) in self.old.iter().enumerate().rev() {
            let (this, below) = self.best.split_at_mut((row + 1) * width);
            // The last column stays 0.
            let this = this.get_mut(row * width..row * width + columns).unwrap_or_default();
            let below = below.get(..columns).unwrap_or_default();
            let paired = self.paired.get_mut(row * columns..(row + 1) * columns);
            let (mut right, mut corner) = (0, 0);
            let cells = this
                .iter_mut()
                .zip(below)
                .zip(paired.unwrap_or_default())
                .zip(&self.new);
            for (((cell, below), paired), b) in cells.rev() {
                let likeness = likeness(&self.words, a, b);
                if likeness >= ALIKE {
                    *paired = likeness + corner;
                }
                *cell = (*paired).max(*below).max(right);
                (right, corner) = (*cell, *below);
            }
        }
    }

    fn walk(&self) -> Vec<(usize, usize)> {
        let (rows, columns) = (self.old.len(), self.new.len());
        let best = |row: usize, column: usize| self.best.get(row * (columns + 1) + column).copied().unwrap_or(0);
        let (mut row, mut column, mut pairs) = (0, 0, Vec::new());
        while row < rows && column < columns {
            let value = best(row, column);
            if value == 0 {
                break;
            }
            if self.paired.get(row * columns + column) == Some(&value) {
                pairs.push((row, column));
                row += 1;
                column += 1;
            } else if best(row + 1, column) == value {
                row += 1;
            } else {
                column += 1;
            }
        }
        pairs
    }
}

fn bag(line: &[u8], words: &mut Vec<u64>) -> Bag {
    let start = words.len();
    let mut word = 0_u64;
    for &byte in line {
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
            word = (word ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).max(1);
            continue;
        }
        if word != 0 {
            words.push(std::mem::take(&mut word));
        }
        if !byte.is_ascii_whitespace() {
            words.push(u64::from(byte));
        }
    }
    if word != 0 {
        words.push(word);
    }
    let own = words.get_mut(start..).unwrap_or_default();
    own.sort_unstable();
    let sketch = own.iter().fold(0, |sketch, word| {
        sketch | 1 << (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
    });
    Bag {
        words: start..words.len(),
        sketch,
    }
}

fn likeness(words: &[u64], a: &Bag, b: &Bag) -> u32 {
    let all = a.words.len() + b.words.len();
    if a.sketch & b.sketch == 0 && all > 0 {
        return 0;
    }
    let of = |bag: &Bag| words.get(bag.words.clone()).unwrap_or_default();
    let (a, b) = (of(a), of(b));
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
        }
    }
    let share = (common * 2000).checked_div(all).unwrap_or(1000);
    u32::try_from(share).unwrap_or(0)
}

#[cfg(test)]
mod tests;
