//! The name that was probably meant, for a model or a file that was misspelt.

/// The candidate nearest to `wanted`, if one is near enough to be meant.
pub(super) fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wanted.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let other = candidate.to_lowercase();
            let inside = other.len() >= 3 && lower.len() >= 3 && (lower.contains(&other) || other.contains(&lower));
            (if inside { 1 } else { distance(&lower, &other) }, candidate)
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count().min(lower.chars().count()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be added, removed, changed or swapped with their neighbour to come from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let swap = match (last == Some(*y), j.checked_sub(1)) {
                (true, Some(k)) if b.get(k) == Some(&x) => before.get(k).map_or(usize::MAX, |d| d + 1),
                _ => usize::MAX,
            };
            let change = row.get(j).copied().unwrap_or(0) + usize::from(x != *y);
            let remove = row.get(j + 1).copied().unwrap_or(0) + 1;
            let add = next.last().copied().unwrap_or(0) + 1;
            next.push(change.min(remove).min(add).min(swap));
        }
        before = std::mem::replace(&mut row, next);
        last = Some(x);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests;
