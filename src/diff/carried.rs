//! Three-way merge: applies the changes of one text to a later version of the same text.

use std::ops::Range;

use super::hunks::{Hunk, hunks};
use super::lines::split;

/// Applies the changes from `base` to `mine` to `later`. `None` if both sides changed the same or adjacent lines.
pub fn carried(base: &[u8], mine: &[u8], later: &[u8]) -> Option<Vec<u8>> {
    let (own, others) = (hunks(base, mine), hunks(base, later));
    if own
        .iter()
        .any(|own| others.iter().any(|other| own.touches(&other.before)))
    {
        return None;
    }
    let (mine, mut lines) = (split(mine), split(later));
    for own in own.iter().rev() {
        let above = others.iter().take_while(|other| other.before.end <= own.before.start);
        let shift: isize = above
            .map(|other| other.after.len().cast_signed() - other.before.len().cast_signed())
            .sum();
        let start = own.before.start.checked_add_signed(shift)?;
        let there = lines.get(start..)?.len();
        let end = start + own.before.len().min(there);
        lines.splice(start..end, mine.get(own.after.clone())?.iter().copied());
    }
    Some(lines.concat())
}

/// Merges like `carried`, but lets `mine` win if both sides changed the same lines. Also returns whether `mine`
/// replaced a change of `later`.
///
/// Returns `None` if the position of a change is ambiguous.
pub fn carried_over(base: &[u8], mine: &[u8], later: &[u8]) -> Option<(Vec<u8>, bool)> {
    let own = hunks(base, mine);
    let others: Vec<Hunk> = hunks(base, later).into_iter().flat_map(line_by_line).collect();
    let stays = |other: &&Hunk| !own.iter().any(|own| covers(&own.before, &other.before));
    let (base, mine, later) = (split(base), split(mine), split(later));
    let mut parts = Vec::new();
    for other in others.iter().filter(stays) {
        parts.push((other.before.clone(), later.get(other.after.clone())?));
    }
    let replaces = parts.len() < others.len();
    for own in &own {
        parts.push((own.before.clone(), mine.get(own.after.clone())?));
    }
    parts.sort_by_key(|(part, _)| (part.start, part.end));
    let (mut lines, mut at) = (Vec::with_capacity(later.len()), 0);
    for (part, comes) in parts {
        lines.extend_from_slice(base.get(at..part.start)?);
        lines.extend_from_slice(comes);
        at = part.end;
    }
    lines.extend_from_slice(base.get(at..)?);
    // Only the last line may have no line end.
    let are_apart = lines.iter().rev().skip(1).all(|line| line.ends_with(b"\n"));
    are_apart.then(|| (lines.concat(), replaces))
}

fn line_by_line(hunk: Hunk) -> Vec<Hunk> {
    if hunk.before.len() != hunk.after.len() {
        return vec![hunk];
    }
    let lines = hunk.before.zip(hunk.after);
    let one = |(before, after): (usize, usize)| Hunk {
        before: before..before + 1,
        after: after..after + 1,
    };
    lines.map(one).collect()
}

fn covers(own: &Range<usize>, other: &Range<usize>) -> bool {
    if other.is_empty() {
        own.start < other.start && other.start < own.end
    } else {
        own.start <= other.start && other.end <= own.end
    }
}

#[cfg(test)]
mod tests;
