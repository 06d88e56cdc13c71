//! Finds discarded changes again after the person has edited the remaining text.

use std::collections::{BTreeMap, BTreeSet};

use super::chosen::{KeptLine, Line};
use super::hunks::{Hunk, between};
use super::lines::split;
use super::rows::DiffRow;
use super::sides::Sides;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regained {
    pub after: Vec<u8>,
    pub dropped: BTreeSet<Line>,
}

#[derive(Default)]
struct Kept<'t> {
    lines: Vec<&'t [u8]>,
    stays: Vec<(usize, usize)>,
    left_out: Vec<(usize, &'t [u8])>,
}

impl Sides {
    /// Finds the discarded changes in `text`, an edited version of the accepted text. Discarded lines move with their
    /// neighbours. A discarded line that the person edited counts as new.
    pub fn regained(&self, rows: &[DiffRow], dropped: impl Fn(usize, Line) -> bool, text: &[u8]) -> Regained {
        let kept = self.kept_lines(rows, dropped);
        let written = split(text);
        let hunks = between(&kept.lines, &written);
        let mut gone = BTreeMap::new();
        for (line, before) in kept.stays {
            gone.extend(line_in(&hunks, line).map(|line| (line, before)));
        }
        let mut put: BTreeMap<usize, Vec<&[u8]>> = BTreeMap::new();
        for (above, line) in kept.left_out {
            if let Some(place) = place_in(&hunks, above) {
                put.entry(place).or_default().push(line);
            }
        }
        let (mut out, mut lines) = (self.joined(), 0);
        let mut dropped = BTreeSet::new();
        for place in 0..=written.len() {
            for line in put.remove(&place).into_iter().flatten() {
                out.push_line(line);
                dropped.insert(Line::After(lines));
                lines += 1;
            }
            match (gone.get(&place), written.get(place)) {
                (Some(before), _) => {
                    dropped.insert(Line::Before(*before));
                }
                (None, Some(line)) => {
                    out.push_line(line);
                    lines += 1;
                }
                (None, None) => {}
            }
        }
        Regained {
            after: out.bytes,
            dropped,
        }
    }

    fn kept_lines(&self, rows: &[DiffRow], dropped: impl Fn(usize, Line) -> bool) -> Kept<'_> {
        let mut kept = Kept::default();
        for line in rows.iter().flat_map(|row| row.kept(&dropped)) {
            match line {
                KeptLine::Same(before) => kept.lines.push(self.before.line(before)),
                KeptLine::Stays(before) => {
                    kept.stays.push((kept.lines.len(), before));
                    kept.lines.push(self.before.line(before));
                }
                KeptLine::Comes(after) => kept.lines.push(self.after.line(after)),
                KeptLine::LeftOut(after) => kept.left_out.push((kept.lines.len(), self.after.line(after))),
            }
        }
        kept
    }
}

fn line_in(hunks: &[Hunk], line: usize) -> Option<usize> {
    let behind = hunks.partition_point(|hunk| hunk.before.start <= line);
    moved(hunks.get(..behind)?, line, |hunk| line >= hunk.before.end)
}

/// Returns the position in the edited text of a gap between two lines, or `None` if both lines were removed.
fn place_in(hunks: &[Hunk], place: usize) -> Option<usize> {
    let behind = hunks.partition_point(|hunk| hunk.before.start < place);
    moved(hunks.get(..behind)?, place, |hunk| place >= hunk.before.end)
}

fn moved(above: &[Hunk], at: usize, is_below: impl Fn(&Hunk) -> bool) -> Option<usize> {
    match above.last() {
        None => Some(at),
        Some(hunk) if is_below(hunk) => Some(hunk.after.end + (at - hunk.before.end)),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests;
