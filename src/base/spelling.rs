//! Suggestions for misspelt keys, tools and files.

const PART: usize = 3;

/// Returns the most similar candidate: at most a third of the letters and three in total may be wrong. Similar length breaks ties.
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

/// Counts added, removed, changed and swapped letters. `None` if too many.
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
mod tests {
    use super::nearest;

    #[test]
    fn a_swap_a_case_and_a_missing_end_are_slips() {
        assert_eq!(nearest("mian.rs", ["main.rs", "other.rs"]), Some("main.rs"));
        assert_eq!(nearest("README", ["readme.md", "x"]), Some("readme.md"));
        assert_eq!(nearest("README.md", ["readme.md.bak", "readme.md"]), Some("readme.md"));
        assert_eq!(nearest("gerp", ["read", "grep"]), Some("grep"));
        assert_eq!(nearest("text.acent", ["text", "text.accent"]), Some("text.accent"));
        assert_eq!(
            nearest("permisison", ["model", "provider", "permission"]),
            Some("permission")
        );
    }

    #[test]
    fn another_word_is_no_slip() {
        assert_eq!(nearest("zzz", ["main.rs"]), None);
        assert_eq!(nearest("color", ["model", "provider"]), None);
        assert_eq!(nearest("bush", ["read", "bash"]), Some("bash"));
        assert_eq!(nearest("push", ["read", "bash"]), None);
    }
}
