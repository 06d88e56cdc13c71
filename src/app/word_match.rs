//! A filter by words and beginnings of words. For these lists, a fuzzy filter would find too many matches.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit {
    /// Whether only the beginning of a word has matched.
    is_part: bool,
    text: usize,
}

pub(crate) fn words(filter: &str) -> Vec<String> {
    let words = filter
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Returns the quality of the match: the quality of the worst word. Smaller is better. `None` if a word does not match.
pub(crate) fn fit(texts: &[&str], wanted: &[String]) -> Option<Fit> {
    let texts: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let of_word = |word: &String| {
        let of_text = |(text, has): (usize, &Vec<String>)| {
            let is_part = !has.contains(word);
            (!is_part || has.iter().any(|own| begins(own, word))).then_some(Fit { is_part, text })
        };
        texts.iter().enumerate().filter_map(of_text).min()
    };
    let fits: Option<Vec<Fit>> = wanted.iter().map(of_word).collect();
    fits?.into_iter().max()
}

/// Whether `own` begins with `word`. A non-ASCII `word` may match inside, because some scripts have no spaces.
fn begins(own: &str, word: &str) -> bool {
    own.starts_with(word) || !word.is_ascii() && own.contains(word)
}

pub(crate) fn hits(text: &str, wanted: &[String]) -> Vec<usize> {
    let lower: Vec<char> = text.chars().flat_map(|c| c.to_lowercase().next()).collect();
    let starts_word = |at: usize| at == 0 || lower.get(at - 1).is_none_or(|c| !c.is_alphanumeric());
    let mut hits: Vec<usize> = Vec::new();
    for word in wanted {
        let letters: Vec<char> = word.chars().collect();
        let is_at = |at: &usize| {
            (starts_word(*at) || !word.is_ascii()) && lower.get(*at..).is_some_and(|rest| rest.starts_with(&letters))
        };
        if let Some(at) = (0..lower.len()).find(is_at) {
            hits.extend(at..at + letters.len());
        }
    }
    hits.sort_unstable();
    hits.dedup();
    hits
}

#[cfg(test)]
mod tests;
