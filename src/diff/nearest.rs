//! Finds the lines of a text that are most similar to sought lines, so that errors can show the real content.

use super::lines::split_end;
use super::work;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub start: usize,
    pub lines: usize,
    pub likeness: u32,
}

/// The minimum similarity in thousandths. Lower values may be coincidence.
const LEAST: u32 = 450;
/// The maximum number of sought lines to compare. More lines do not change the result.
const MOST_SOUGHT: usize = 60;

/// Finds the most similar region in one pass over the text, with a limited number of comparisons.
pub fn nearest(lines: &[&[u8]], sought: &[&[u8]]) -> Option<Region> {
    let skip = sought.iter().take_while(|line| line.trim_ascii().is_empty()).count();
    let sought: Vec<Sign> = sought
        .iter()
        .skip(skip)
        .take(MOST_SOUGHT)
        .map(|line| Sign::of(line))
        .collect();
    let signs: Vec<Sign> = lines.iter().map(|line| Sign::of(line)).collect();
    // Find matches for the most distinctive line first, and compare the other lines only there.
    let (key_at, key) = sought.iter().enumerate().max_by_key(|(_, sign)| sign.weight)?;
    if key.weight == 0 {
        return None;
    }
    let mut places: Vec<(u32, usize)> = signs
        .iter()
        .enumerate()
        .map(|(at, sign)| (key.likeness(sign), at))
        .filter(|(likeness, _)| *likeness >= 300)
        .collect();
    places.sort_unstable_by_key(|(likeness, at)| (std::cmp::Reverse(*likeness), *at));
    places.truncate(64);
    let score = |start: usize| -> u32 {
        let window = signs.get(start..).unwrap_or_default();
        let total: u32 = sought.iter().map(|sign| sign.weight).sum();
        let found: u32 = (sought.iter().zip(window))
            .map(|(a, b)| a.weight * a.likeness(b) / 1000)
            .sum();
        (found * 1000).checked_div(total).unwrap_or(0)
    };
    let (likeness, _, start) = places
        .iter()
        .map(|(_, at)| at.saturating_sub(key_at))
        .map(|start| (score(start), std::cmp::Reverse(start), start))
        .max()?;
    (likeness >= LEAST).then(|| Region {
        start,
        lines: sought.len().min(lines.len() - start),
        likeness,
    })
}

/// Pairs of adjacent non-space bytes in a line, hashed to 256 bits.
struct Sign {
    bits: [u64; 4],
    /// The number of pairs in the line, limited so that one long line does not dominate.
    weight: u32,
}

impl Sign {
    fn of(line: &[u8]) -> Self {
        let mut sign = Self {
            bits: [0; 4],
            weight: 0,
        };
        let mut previous = 0_u32;
        for &byte in split_end(line)
            .0
            .iter()
            .take(400)
            .filter(|byte| !byte.is_ascii_whitespace())
        {
            let pair = (previous << 8 | u32::from(byte)).wrapping_mul(0x9e37_79b1) >> 24;
            if let Some(word) = sign.bits.get_mut((pair >> 6) as usize) {
                *word |= 1 << (pair & 63);
            }
            sign.weight = (sign.weight + 1).min(60);
            previous = u32::from(byte);
        }
        sign
    }

    fn likeness(&self, other: &Self) -> u32 {
        work::compared(1);
        let (mut both, mut all) = (0, 0);
        for (a, b) in self.bits.iter().zip(&other.bits) {
            both += (a & b).count_ones();
            all += a.count_ones() + b.count_ones();
        }
        (both * 2000).checked_div(all).unwrap_or(1000)
    }
}

#[cfg(test)]
mod tests;
