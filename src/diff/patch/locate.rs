//! Finds the place of a hunk: exactly, then ignoring white space, then without one or two context lines at either end.
//!
//! Removed lines must match. The line number of the hunk is preferred. Another place is used only if it is the only
//! match or clearly the nearest.

use std::ops::Range;

use super::{Address, PatchHunk, PatchLine, Sign};
use crate::lines::{LineEnd, split_end};
use crate::work;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) start: usize,
    pub(super) lead: usize,
    pub(super) trail: usize,
    pub(super) spaces: bool,
    pub(super) offset: Option<isize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Miss {
    Absent,
    /// The lines exist several times. Contains the 0-based first line of each match.
    Several(Vec<usize>),
    NoAnchor(String),
    NoPlace,
}

const NEAR: usize = 20;

pub(super) struct Search<'a> {
    pub(super) file: &'a [&'a [u8]],
    pub(super) taken: &'a [Range<usize>],
    /// End of the previous hunk, where the search for a hunk without line numbers starts.
    pub(super) cursor: usize,
    /// Distance of the previous hunk's real place from its line number.
    pub(super) drift: isize,
}

#[derive(Clone, Copy)]
struct Fuzz {
    lead: usize,
    trail: usize,
    spaces: bool,
}

impl Search<'_> {
    pub(super) fn locate(&self, hunk: &PatchHunk) -> Result<Spot, Miss> {
        let old: Vec<&PatchLine> = hunk.lines.iter().filter(|line| line.sign != Sign::Add).collect();
        if old.is_empty() {
            return self.insertion(&hunk.place);
        }
        let context =
            |lines: &mut dyn Iterator<Item = &PatchLine>| lines.take_while(|line| line.sign == Sign::Context).count();
        let lead = context(&mut hunk.lines.iter());
        let trail = context(&mut hunk.lines.iter().rev());
        if lead == hunk.lines.len() {
            // A hunk without changes must still match.
            return self.at_level(
                &old,
                &hunk.place,
                Fuzz {
                    lead: 0,
                    trail: 0,
                    spaces: false,
                },
            );
        }
        let mut several = None;
        for fuzz in levels(lead, trail) {
            match self.at_level(&old, &hunk.place, fuzz) {
                Err(Miss::Absent) => {}
                // A looser comparison would only find more matches.
                Err(Miss::Several(places)) => {
                    several = Some(places);
                    break;
                }
                other => return other,
            }
        }
        Err(several.map_or(Miss::Absent, Miss::Several))
    }

    fn at_level(&self, old: &[&PatchLine], place: &Address, fuzz: Fuzz) -> Result<Spot, Miss> {
        let pattern = old.get(fuzz.lead..old.len() - fuzz.trail).unwrap_or_default();
        if pattern.iter().all(|line| line.text.trim().is_empty()) && fuzz.lead + fuzz.trail > 0 {
            return Err(Miss::Absent);
        }
        let places = || -> Vec<usize> {
            (0..=self.file.len().saturating_sub(pattern.len()))
                .filter(|start| self.fits(*start, pattern, fuzz.spaces))
                .collect()
        };
        let (start, stated) = match place {
            Address::Line { start, empty } => {
                let stated = if *empty { *start } else { start.saturating_sub(1) } + fuzz.lead;
                let drifted = stated.saturating_add_signed(self.drift);
                // A match at one of these places ends the search.
                let mut exact = [drifted, stated].into_iter();
                let start = match exact.find(|start| self.fits(*start, pattern, fuzz.spaces)) {
                    Some(exact) => exact,
                    None => nearest_to(&places(), drifted)?,
                };
                (start, Some(stated))
            }
            Address::After { anchors, at_end } => (self.after(&places(), anchors, *at_end, pattern.len())?, None),
        };
        Ok(Spot {
            start,
            lead: fuzz.lead,
            trail: fuzz.trail,
            spaces: fuzz.spaces,
            offset: stated.map(|stated| start.cast_signed() - stated.cast_signed()),
        })
    }

    fn fits(&self, start: usize, pattern: &[&PatchLine], spaces: bool) -> bool {
        work::compared(1);
        let range = start..start.saturating_add(pattern.len());
        let Some(lines) = self.file.get(range.clone()) else {
            return false;
        };
        lines
            .iter()
            .zip(pattern)
            .all(|(line, wanted)| same(line, wanted, spaces))
            && !self.taken.iter().any(|taken| overlap(taken, &range))
    }

    fn after(&self, places: &[usize], anchors: &[String], at_end: bool, length: usize) -> Result<usize, Miss> {
        if at_end && let Some(last) = places.iter().find(|place| **place + length == self.file.len()) {
            return Ok(*last);
        }
        let from = self.anchored(anchors)?;
        let later: Vec<usize> = places.iter().copied().filter(|place| *place >= from).collect();
        match (later.as_slice(), places) {
            ([only], _) => Ok(*only),
            // After an anchor, choose the first match.
            ([first, ..], _) if !anchors.is_empty() => Ok(*first),
            ([], [only]) if anchors.is_empty() => Ok(*only),
            ([], _) if places.is_empty() || !anchors.is_empty() => Err(Miss::Absent),
            _ => Err(Miss::Several(places.to_vec())),
        }
    }

    fn anchored(&self, anchors: &[String]) -> Result<usize, Miss> {
        let mut from = self.cursor;
        for (index, anchor) in anchors.iter().enumerate() {
            let wanted = anchor.trim();
            let found = |test: &dyn Fn(&[u8]) -> bool| {
                let lines = self.file.iter().enumerate();
                let start = if index == 0 { from } else { from + 1 };
                lines.skip(start).find(|(_, line)| test(line)).map(|(at, _)| at)
            };
            from = found(&|line| split_end(line).0.trim_ascii() == wanted.as_bytes())
                .or_else(|| found(&|line| String::from_utf8_lossy(line).contains(wanted)))
                .ok_or_else(|| Miss::NoAnchor(anchor.clone()))?;
        }
        Ok(from)
    }

    fn insertion(&self, place: &Address) -> Result<Spot, Miss> {
        let start = match place {
            // In an empty file, line 1 means the same as line 0.
            Address::Line { start, empty: false } => start.saturating_sub(1),
            Address::Line { start, empty: true } => *start,
            Address::After { anchors, .. } if !anchors.is_empty() => self.anchored(anchors)? + 1,
            Address::After { at_end: true, .. } => self.file.len(),
            Address::After { .. } if self.file.is_empty() => 0,
            Address::After { .. } => return Err(Miss::NoPlace),
        };
        let start = match place {
            Address::Line { .. } => start.saturating_add_signed(self.drift),
            Address::After { .. } => start,
        };
        if start > self.file.len() {
            return Err(Miss::Absent);
        }
        Ok(Spot {
            start,
            lead: 0,
            trail: 0,
            spaces: false,
            offset: Some(0),
        })
    }
}

fn nearest_to(places: &[usize], wanted: usize) -> Result<usize, Miss> {
    let mut near: Vec<(usize, usize)> = places.iter().map(|place| (place.abs_diff(wanted), *place)).collect();
    near.sort_unstable();
    match near.as_slice() {
        [] => Err(Miss::Absent),
        [(_, only)] => Ok(*only),
        [(first, place), (second, _), ..] if *first <= NEAR && first * 2 <= *second => Ok(*place),
        _ => Err(Miss::Several(places.to_vec())),
    }
}

/// Whether a replaced range overlaps the given range. An insertion overlaps only inside the range.
fn overlap(taken: &Range<usize>, range: &Range<usize>) -> bool {
    if taken.is_empty() {
        range.start < taken.start && taken.start < range.end
    } else {
        taken.start < range.end && range.start < taken.end
    }
}

fn levels(lead: usize, trail: usize) -> Vec<Fuzz> {
    let exact = |spaces| Fuzz {
        lead: 0,
        trail: 0,
        spaces,
    };
    let mut levels = vec![exact(false)];
    if lead + trail > 0 {
        levels.push(exact(true));
    }
    for most in 1..=2 {
        let mut cuts: Vec<(usize, usize)> = (0..=most)
            .flat_map(|a| (0..=most).map(move |b| (a, b)))
            .filter(|(a, b)| *a.max(b) == most && *a <= lead && *b <= trail)
            .collect();
        cuts.sort_by_key(|(a, b)| a + b);
        levels.extend(cuts.into_iter().map(|(lead, trail)| Fuzz {
            lead,
            trail,
            spaces: false,
        }));
    }
    levels
}

/// Whether a line of the file matches a line of the patch. Ignores line ends, unless the patch marks a missing one.
fn same(line: &[u8], wanted: &PatchLine, spaces: bool) -> bool {
    let (content, end) = split_end(line);
    if wanted.no_end && end != LineEnd::Missing {
        return false;
    }
    let text = wanted.text.as_bytes();
    content == text
        // Models see invalid UTF-8 as replacement characters, and write those back.
        || (wanted.text.contains('\u{fffd}') && String::from_utf8_lossy(content) == wanted.text)
        || (wanted.cr && end != LineEnd::CrLf && content.strip_suffix(b"\r") == Some(text))
        || (spaces && wanted.sign == Sign::Context && words(content).eq(words(text)))
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
