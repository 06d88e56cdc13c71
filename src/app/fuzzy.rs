//! A fuzzy filter for short lists. A text must contain all characters of the filter in order.

const LOOKED_AT: usize = 1_024;

fn letters(filter: &str) -> Vec<char> {
    filter.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns the score of a text (higher is better) and the indices of its matched characters. `None`: no match.
fn score(text: &str, wanted: &[char]) -> Option<(i32, Vec<usize>)> {
    if wanted.len() > text.len() {
        return None;
    }
    let text: Vec<char> = text.chars().take(LOOKED_AT).collect();
    let lower: Vec<char> = text.iter().flat_map(|c| c.to_lowercase().next()).collect();
    let starts_word = |at: usize| at == 0 || text.get(at - 1).is_none_or(|c| !c.is_alphanumeric());
    // A contiguous match at the start of a word beats scattered characters.
    let begins = |at: &usize| lower.get(*at..).is_some_and(|rest| rest.starts_with(wanted));
    let whole = (0..lower.len()).find(|at| starts_word(*at) && begins(at));
    if let Some(at) = whole.filter(|_| !wanted.is_empty()) {
        let length = i32::try_from(text.len().min(100)).unwrap_or(100);
        let place = i32::try_from(at.min(100)).unwrap_or(100);
        return Some((1_000 - place - length, (at..at + wanted.len()).collect()));
    }
    let mut hits = Vec::with_capacity(wanted.len());
    let mut sum = 0;
    let mut at = 0;
    for c in wanted {
        let next = (at..lower.len()).find(|n| lower.get(*n) == Some(c))?;
        sum += match hits.last() {
            Some(last) if last + 1 == next => 8,
            _ if starts_word(next) => 10,
            _ => -i32::try_from((next - at).min(10)).unwrap_or(10),
        };
        hits.push(next);
        at = next + 1;
    }
    Some((sum, hits))
}

/// Returns the indices of matching texts, best first, with their matched characters. An empty filter keeps the order.
pub(crate) fn filter<'a>(texts: impl Iterator<Item = &'a str>, filter: &str) -> Vec<(usize, Vec<usize>)> {
    let wanted = letters(filter);
    let mut found: Vec<(i32, usize, Vec<usize>)> = texts
        .enumerate()
        .filter_map(|(index, text)| score(text, &wanted).map(|(score, hits)| (score, index, hits)))
        .collect();
    found.sort_by_key(|(score, index, _)| (-score, *index));
    found.into_iter().map(|(_, index, hits)| (index, hits)).collect()
}

#[cfg(test)]
mod tests;
