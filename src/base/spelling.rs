//! Suggestions for misspelt keys, tools and files.

const PART: usize = 3;

/// Returns the most similar candidate. A third of the letters may be wrong, but at most three. Among equally similar
/// candidates, prefers the closest length.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let near = |candidate: &'a str| Some((slips(&wanted, &candidate.to_lowercase())?, candidate));
    let longer_or_shorter = |candidate: &str| candidate.len().abs_diff(wanted.len());
    candidates
        .into_iter()
        .filter_map(near)
        .min_by_key(|(slips, candidate)| (*slips, longer_or_shorter(candidate)))
        .map(|(_, candidate)| candidate)
}

/// Counts added, removed, changed and swapped letters. `None` if there are too many.
fn slips(wanted: &str, candidate: &str) -> Option<usize> {
    if wanted == candidate {
        return Some(0);
    }
    let shorter = wanted.chars().count().min(candidate.chars().count());
    if shorter >= PART && (wanted.contains(candidate) || candidate.contains(wanted)) {
        return Some(1);
    }
    let slips = strsim::osa_distance(wanted, candidate);
    (slips <= (shorter / 3).clamp(1, 3)).then_some(slips)
}

#[cfg(test)]
mod tests;
