//! Merges a patch into files that have changed in the meantime. Applies the matching hunks, and returns the others as
//! conflicts.

use std::fmt;
use std::ops::Range;

use super::content::patched;
use super::meeting::{self, Meeting};
use super::{Action, Address, Applied, FilePatch, Files, PatchError, PatchHunk, Reading, Sign, apply, parse};
use crate::lines::{dominant_end, split, split_end};
use crate::nearest::nearest;

const SHOWN: usize = 12;
/// The number of equal lines that separate two changes. `AROUND` is the number of context lines around each change.
const APART: usize = 2;
const AROUND: usize = 3;
const FAR: usize = 40;

/// Texts in a conflict. `BOTH` follows the conflict's place, `SIDES` precedes the lines of each side, and `NO_LINES`
/// replaces missing lines.
const BOTH: &str = " was changed on both sides and stays as it is here:";
const SIDES: [&str; 3] = ["before", "here", "there"];
const NO_LINES: &str = "(no such lines)";

#[derive(Debug, PartialEq, Eq)]
pub enum ConflictLine<'a> {
    At(&'a str),
    /// A line of one side. The index selects the side: `before`, `here` or `there`.
    Of(usize, &'a str),
    NoLines(usize),
}

/// Parses a line of a conflict's text. Returns `None` for a line of file content.
pub fn read_conflict(line: &str) -> Option<ConflictLine<'_>> {
    if let Some(place) = line.strip_suffix(BOTH) {
        return Some(ConflictLine::At(place));
    }
    let (side, text) = line.strip_prefix("  ")?.split_once(" | ")?;
    let side = SIDES.iter().position(|known| *known == side.trim_end())?;
    Some(match text {
        NO_LINES => ConflictLine::NoLines(side),
        text => ConflictLine::Of(side, text),
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub path: String,
    pub line: usize,
    pub before: Vec<String>,
    pub here: Vec<String>,
    pub there: Vec<String>,
}

/// Applies the hunks that match. A hunk that is already applied is no conflict.
pub fn apply_fitting(text: &str, files: &mut dyn Files) -> Result<(Applied, Vec<Conflict>), PatchError> {
    let mut patch = parse(text, Reading::Counts)?;
    let mut conflicts = Vec::new();
    let mut meeting = Meeting {
        files,
        shared: meeting::shared(&patch.files),
        conflicts: &mut conflicts,
    };
    patch.files.retain_mut(|file| {
        let stays = meeting.meet(file);
        if stays {
            take_out(file, meeting.files, meeting.conflicts);
        }
        stays
    });
    let changes = |file: &FilePatch| !file.hunks.is_empty() || file.mode_after.is_some() || !is_update(&file.action);
    patch.files.retain(changes);
    Ok((apply(&patch, files)?, conflicts))
}

/// Replaces the lines of each conflict with the lines that the patch wanted. If two conflicts share lines, the second
/// stays as it is.
pub fn take_there(bytes: &[u8], conflicts: &[Conflict]) -> Vec<u8> {
    let (lines, end) = (split(bytes), dominant_end(bytes).bytes());
    let mut conflicts: Vec<&Conflict> = conflicts.iter().collect();
    conflicts.sort_by_key(|conflict| conflict.line);
    let (mut text, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for conflict in conflicts {
        let start = conflict.line.saturating_sub(1);
        if start < at {
            continue;
        }
        text.extend(lines.get(at..start).unwrap_or_default().iter().copied().flatten());
        if !text.is_empty() && !text.ends_with(b"\n") {
            text.extend(end);
        }
        for line in &conflict.there {
            text.extend(line.bytes());
            text.extend(end);
        }
        at = start + conflict.here.len();
    }
    text.extend(lines.get(at..).unwrap_or_default().iter().copied().flatten());
    text
}

fn is_update(action: &Action) -> bool {
    matches!(action, Action::Update { .. } | Action::Either { .. })
}

/// Removes the hunks that do not match, and records them as conflicts. Other errors are reported when the rest is
/// applied.
fn take_out(file: &mut FilePatch, files: &mut dyn Files, conflicts: &mut Vec<Conflict>) {
    if !is_update(&file.action) && !matches!(file.action, Action::Rename { .. }) {
        return;
    }
    let there = |path: &String| Some((path.clone(), files.read(path).ok()??));
    let Some((path, bytes)) = file.action.names().flat_map(|name| &name.0).find_map(there) else {
        return;
    };
    let fits = |hunk: &PatchHunk| {
        let alone = patched(&path, &bytes, std::slice::from_ref(hunk));
        !alone.is_err_and(|error| matches!(error.code, "hunk_failed" | "ambiguous"))
    };
    for hunk in std::mem::take(&mut file.hunks) {
        if fits(&hunk) {
            file.hunks.push(hunk);
            continue;
        }
        let (kept, others): (Vec<_>, Vec<_>) = parts(&hunk).into_iter().partition(|part| fits(part));
        file.hunks.extend(kept);
        conflicts.extend(others.iter().filter_map(|part| conflict(&path, &bytes, part)));
    }
}

fn parts(hunk: &PatchHunk) -> Vec<PatchHunk> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, line) in hunk.lines.iter().enumerate() {
        match runs.last_mut() {
            _ if line.sign == Sign::Context => {}
            Some(run) if at - run.end < APART => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    let Address::Line { start, .. } = hunk.place else {
        return vec![hunk.clone()];
    };
    if runs.len() < 2 {
        return vec![hunk.clone()];
    }
    let part = |(n, run): (usize, &Range<usize>)| {
        let before = n.checked_sub(1).and_then(|n| runs.get(n)).map_or(0, |run| run.end);
        let behind = runs.get(n + 1).map_or(hunk.lines.len(), |run| run.start);
        let from = before.max(run.start.saturating_sub(AROUND));
        let lines = hunk.lines.get(from..behind.min(run.end + AROUND)).unwrap_or_default();
        let above = hunk.lines.iter().take(from).filter(|line| line.sign != Sign::Add);
        PatchHunk {
            place: Address::Line {
                start: start + above.count(),
                empty: lines.iter().all(|line| line.sign == Sign::Add),
            },
            lines: lines.to_vec(),
            at: hunk.at,
        }
    };
    runs.iter().enumerate().map(part).collect()
}

/// Returns the conflict of a hunk, or `None` if both sides made the same change.
fn conflict(path: &str, bytes: &[u8], hunk: &PatchHunk) -> Option<Conflict> {
    let file = split(bytes);
    let side = |skip: Sign| -> Vec<&[u8]> {
        let lines = hunk.lines.iter().filter(|line| line.sign != skip);
        lines.map(|line| line.text.as_bytes()).collect()
    };
    let (old, new) = (side(Sign::Add), side(Sign::Remove));
    let head = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let most = old.len().min(new.len()) - head;
    let behind = old.iter().rev().zip(new.iter().rev());
    let tail = behind.take(most).take_while(|(one, other)| one == other).count();
    let inside = |lines: &[&[u8]]| -> Vec<String> {
        let lines = lines.get(head..lines.len() - tail).unwrap_or_default();
        lines.iter().map(|line| said(line)).collect()
    };
    let stated = match hunk.place {
        Address::Line { start, .. } => start.saturating_sub(1),
        Address::After { .. } => 0,
    };
    let known = old.get(..head).and_then(|context| standing(&file, context, stated));
    let start = known.or_else(|| Some(nearest(&file, &old)?.start)).unwrap_or(stated) + head;
    let start = start.min(file.len());
    let rest = file.get(start..).unwrap_or_default();
    let end_of_it = old.get(old.len() - tail).and_then(|context| {
        let mut near = rest.iter().take(FAR);
        near.position(|line| split_end(line).0 == *context)
    });
    let length = end_of_it.unwrap_or(old.len() - head - tail).min(rest.len());
    let here: Vec<String> = rest.iter().take(length).map(|line| said(line)).collect();
    let there = inside(&new);
    (here != there).then(|| Conflict {
        path: path.to_owned(),
        line: start + 1,
        before: inside(&old),
        here,
        there,
    })
}

fn standing(file: &[&[u8]], context: &[&[u8]], stated: usize) -> Option<usize> {
    if context.is_empty() {
        return None;
    }
    let same = |window: &[&[u8]]| {
        window
            .iter()
            .zip(context)
            .all(|(line, text)| split_end(line).0 == *text)
    };
    let windows = file.windows(context.len()).enumerate();
    let found = windows.filter(|(_, window)| same(window)).map(|(at, _)| at);
    found.min_by_key(|at| at.abs_diff(stated))
}

pub(super) fn said(line: &[u8]) -> String {
    String::from_utf8_lossy(split_end(line).0).into_owned()
}

/// Formats the place and the three texts, with a prefix for the side of each line.
impl fmt::Display for Conflict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, .. } = self;
        writeln!(out, "{path}:{line}{BOTH}")?;
        for (side, lines) in SIDES.into_iter().zip([&self.before, &self.here, &self.there]) {
            if lines.is_empty() {
                writeln!(out, "  {side:<6} | {NO_LINES}")?;
            }
            for line in lines.iter().take(SHOWN) {
                writeln!(out, "  {side:<6} | {line}")?;
            }
            if lines.len() > SHOWN {
                writeln!(out, "  {side:<6} | … {} more lines", lines.len() - SHOWN)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
