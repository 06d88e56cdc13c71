//! Explains the result of a patch: corrected mistakes, and the reason why a hunk does not match.

use super::locate::{Miss, Spot};
use super::{Address, PatchError, PatchHunk, Sign};
use crate::lines::split_end;
use crate::nearest::nearest;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eased {
    pub hunk: (usize, usize),
    pub further: isize,
    pub spaces: bool,
    pub fuzz: usize,
}

pub(super) fn eased(hunk: (usize, usize), spot: &Spot) -> Option<Eased> {
    let eased = Eased {
        hunk,
        further: spot.offset.unwrap_or(0),
        spaces: spot.spaces,
        fuzz: spot.lead.max(spot.trail),
    };
    (eased.further != 0 || eased.spaces || eased.fuzz > 0).then_some(eased)
}

const SHOWN: usize = 24;

pub(super) fn failure(path: &str, file: &[&[u8]], hunk: &PatchHunk, number: usize, miss: &Miss) -> PatchError {
    let name = format!("hunk {number} for `{path}` (line {} of the patch)", hunk.at);
    let (code, reason) = match miss {
        Miss::NoAnchor(anchor) => ("hunk_failed", format!("{name}: no line reads `{anchor}`")),
        Miss::NoPlace => (
            "hunk_failed",
            format!("{name}: it only adds lines and names no place; give the line before them as context"),
        ),
        Miss::Several(places) => {
            let lines: Vec<String> = places.iter().take(8).map(|place| (place + 1).to_string()).collect();
            (
                "ambiguous",
                format!(
                    "{name}: its lines stand at several places (lines {}); give more context or the right line number",
                    lines.join(", ")
                ),
            )
        }
        Miss::Absent => (
            "hunk_failed",
            format!("{name} does not fit.{}", really(path, file, hunk)),
        ),
    };
    PatchError::new(code, reason)
}

fn really(path: &str, file: &[&[u8]], hunk: &PatchHunk) -> String {
    let side = |skip: Sign| -> Vec<&[u8]> {
        let lines = hunk.lines.iter().filter(move |line| line.sign != skip);
        lines.map(|line| line.text.as_bytes()).collect()
    };
    let (old, new) = (side(Sign::Add), side(Sign::Remove));
    let holds = |wanted: &[&[u8]]| {
        let mut windows = file.windows(wanted.len().max(1));
        windows.position(|window| window.iter().zip(wanted).all(|(line, text)| split_end(line).0 == *text))
    };
    if new.len() > 1
        && new != old
        && let Some(at) = holds(&new)
    {
        return format!(
            " Its new lines stand already at line {}: it may have been applied before.",
            at + 1
        );
    }
    let stated = match hunk.place {
        Address::Line { start, .. } => Some(start.saturating_sub(1)),
        Address::After { .. } => None,
    };
    let near = nearest(file, &old).map(|region| (region.start, region.lines));
    let Some((start, lines)) = near
        .or(stated.map(|start| (start, old.len())))
        .filter(|(start, _)| *start < file.len())
    else {
        return format!(" Nothing in `{path}` resembles it; read the file and make the patch from what is there.");
    };
    format!(" `{path}` reads there:\n{}", numbered(file, start, lines.min(SHOWN)))
}

pub fn numbered(file: &[&[u8]], start: usize, count: usize) -> String {
    let mut text = String::new();
    for (at, line) in file.iter().enumerate().skip(start).take(count) {
        let content = String::from_utf8_lossy(split_end(line).0);
        text.push_str(&format!("{}\t{content}\n", at + 1));
    }
    text
}
