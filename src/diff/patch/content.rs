//! Computes the content of a file after all hunks. Context lines keep their bytes, and added lines get the file's line
//! ends.

use std::ops::Range;

use super::explain::{Eased, eased, failure};
use super::locate::{Search, Spot};
use super::{Bytes, PatchError, PatchHunk, PatchLine, Sign};
use crate::lines::{LineEnd, dominant_end, split, split_end};
use crate::text::{BOM, Encoding};

struct Replacement {
    lines: Range<usize>,
    bytes: Vec<u8>,
}

pub(super) fn patched(path: &str, before: &Bytes, hunks: &[PatchHunk]) -> Result<(Bytes, Vec<Eased>), PatchError> {
    if hunks.is_empty() {
        return Ok((before.clone(), Vec::new()));
    }
    if before.contains(&0) {
        return Err(PatchError::new(
            "binary",
            format!("`{path}` is binary; a text patch cannot change it"),
        ));
    }
    // The `read` tool hides a byte order mark, so only a patch from a diff program contains it.
    let shown = hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .any(|line| line.text.starts_with('\u{feff}'));
    let (bom, body) = match before.strip_prefix(BOM) {
        Some(body) if !shown => (BOM, body),
        _ => (&[][..], &**before),
    };
    writable(path, body, hunks)?;
    let file = split(body);
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut replacements = Vec::new();
    let mut forgiven = Vec::new();
    let (mut cursor, mut drift) = (0, 0);
    for (number, hunk) in hunks.iter().enumerate() {
        let search = Search {
            file: &file,
            taken: &taken,
            cursor,
            drift,
        };
        let spot = search
            .locate(hunk)
            .map_err(|miss| failure(path, &file, hunk, number + 1, &miss))?;
        forgiven.extend(eased((number + 1, hunks.len()), &spot));
        drift = spot.offset.unwrap_or(drift);
        let new = replace(&file, body, hunk, &spot);
        cursor = new.last().map_or(spot.start, |last| last.lines.end).max(cursor);
        taken.extend(new.iter().map(|one| one.lines.clone()));
        replacements.extend(new);
    }
    replacements.sort_by_key(|one| (one.lines.start, one.lines.end));
    Ok(([bom, &assemble(body, &file, &replacements)].concat().into(), forgiven))
}

/// Fails if a hunk adds non-ASCII text to a file whose encoding is unknown.
fn writable(path: &str, file: &[u8], hunks: &[PatchHunk]) -> Result<(), PatchError> {
    let mut added = hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.sign == Sign::Add);
    if Encoding::of(file) == Encoding::Other && added.any(|line| !line.text.is_ascii()) {
        return Err(PatchError::new(
            "encoding",
            format!("`{path}` is not UTF-8, so only ASCII text can be added to it"),
        ));
    }
    Ok(())
}

/// Returns the changed lines of a hunk. Omits context lines, so that they keep their bytes.
fn replace(file: &[&[u8]], before: &[u8], hunk: &PatchHunk, spot: &Spot) -> Vec<Replacement> {
    let body = hunk
        .lines
        .get(spot.lead..hunk.lines.len() - spot.trail)
        .unwrap_or_default();
    let trust = trust(file, body, spot.start);
    let mut found: Vec<Replacement> = Vec::new();
    let mut at = spot.start;
    let mut open: Option<Replacement> = None;
    for line in body {
        if line.sign == Sign::Context {
            found.extend(open.take());
            at += 1;
            continue;
        }
        let one = open.get_or_insert_with(|| Replacement {
            lines: at..at,
            bytes: Vec::new(),
        });
        if line.sign == Sign::Remove {
            at += 1;
            one.lines.end = at;
            continue;
        }
        one.bytes.extend_from_slice(line.text.as_bytes());
        let given = line.no_end || trust == Trust::Right || (trust == Trust::Untested && line.cr);
        let end = if given {
            given_end(line)
        } else {
            neighbour_end(file, before, &one.lines, at)
        };
        one.bytes.extend_from_slice(end.bytes());
    }
    found.extend(open);
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Right,
    Wrong,
    /// No context or removed line shows whether line ends match. Trust a `\r` in the patch, which is never accidental.
    Untested,
}

fn trust(file: &[&[u8]], body: &[PatchLine], start: usize) -> Trust {
    let old = body.iter().filter(|line| line.sign != Sign::Add);
    let mut trust = Trust::Untested;
    for (line, wanted) in file.get(start..).unwrap_or_default().iter().zip(old) {
        if split_end(line).1 != given_end(wanted) {
            return Trust::Wrong;
        }
        trust = Trust::Right;
    }
    trust
}

pub(super) fn given_end(line: &PatchLine) -> LineEnd {
    match line {
        PatchLine { no_end: true, .. } => LineEnd::Missing,
        PatchLine { cr: true, .. } => LineEnd::CrLf,
        _ => LineEnd::Lf,
    }
}

/// Returns the line end for an added line whose own line end is not trusted: that of the replaced line, or of the line
/// before.
fn neighbour_end(file: &[&[u8]], before: &[u8], replaced: &Range<usize>, at: usize) -> LineEnd {
    let end = |index: usize| file.get(index).map(|line| split_end(line).1);
    if !replaced.is_empty() && replaced.end == at {
        return end(replaced.end - 1).unwrap_or(LineEnd::Lf);
    }
    let previous = at.checked_sub(1).and_then(end).filter(|end| *end != LineEnd::Missing);
    previous
        .or_else(|| end(at))
        .filter(|end| *end != LineEnd::Missing)
        .unwrap_or_else(|| dominant_end(before))
}

fn assemble(before: &[u8], file: &[&[u8]], replacements: &[Replacement]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(before.len() + 256);
    let mut push = |bytes: &[u8]| {
        if bytes.is_empty() {
            return;
        }
        if !out.is_empty() && !out.ends_with(b"\n") {
            out.extend_from_slice(dominant_end(before).bytes());
        }
        out.extend_from_slice(bytes);
    };
    let mut at = 0;
    for one in replacements {
        for line in file.get(at..one.lines.start).unwrap_or_default() {
            push(line);
        }
        for line in split(&one.bytes) {
            push(line);
        }
        at = at.max(one.lines.end);
    }
    for line in file.get(at..).unwrap_or_default() {
        push(line);
    }
    out
}
