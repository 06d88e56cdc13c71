//! Filters the file tree. A path must contain each word of the query, and its last name must contain at least one word.
//! Fuzzy matches are used only if nothing else matches.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use super::{Candidate, Chunk, MANY, PATIENCE, Pass, Rank, best_of, in_passes, needle_letters};

/// Returns the best paths, each with whether the file is ignored, and the number of all matches.
pub(crate) fn filter_tree(
    chunks: &[impl AsRef<Chunk> + Sync],
    query: &str,
    limit: usize,
) -> (Vec<(String, bool)>, usize) {
    let (found, all) = with_words(chunks, query, limit);
    let (mut found, all) = match all {
        0 => {
            let found = with_letters(chunks, query.trim(), limit);
            let all = found.len().min(limit);
            (found, all)
        }
        all => (found, all),
    };
    found.sort_by(|(a, left), (b, right)| b.cmp(a).then_with(|| left.cmp(right)));
    let found = found.into_iter().take(limit);
    let found = found.map(|(rank, path)| (path.to_owned(), !rank.shown_by_default));
    (found.collect(), all)
}

fn with_letters<'a>(chunks: &'a [impl AsRef<Chunk> + Sync], query: &str, limit: usize) -> Vec<(Rank, &'a str)> {
    let total: usize = chunks.iter().map(|chunk| chunk.as_ref().len()).sum();
    if total > MANY {
        in_passes(chunks, query, limit, Instant::now() + PATIENCE)
    } else {
        best_of(chunks, query, limit, Pass::Paths, None)
    }
}

fn with_words<'a>(chunks: &'a [impl AsRef<Chunk>], query: &str, limit: usize) -> (Vec<(Rank, &'a str)>, usize) {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let letters = needle_letters(query);
    let mut heap: BinaryHeap<Reverse<(Rank, Reverse<&'a str>)>> = BinaryHeap::with_capacity(limit + 1);
    let mut all = 0;
    let mut lower = String::new();
    for chunk in chunks.iter().map(AsRef::as_ref) {
        let may_match = |candidate: &&Candidate| candidate.letters & letters == letters;
        for candidate in chunk.candidates.iter().filter(may_match) {
            let path = chunk.path(candidate);
            lower.clear();
            lower.extend(path.chars().flat_map(char::to_lowercase));
            let Some(score) = score(lower.trim_end_matches('/'), &words) else {
                continue;
            };
            all += 1;
            let rank = Rank {
                shown_by_default: !chunk.ignored,
                score,
                short: Reverse(candidate.len),
            };
            heap.push(Reverse((rank, Reverse(path))));
            if heap.len() > limit {
                heap.pop();
            }
        }
    }
    let found = heap.into_iter().map(|Reverse((rank, Reverse(path)))| (rank, path));
    (found.collect(), all)
}

/// Scores a path. Returns `None` if a word is missing or no word is in the name.
fn score(path: &str, words: &[String]) -> Option<u32> {
    let name_at = path.rfind('/').map_or(0, |at| at + 1);
    let name = path.get(name_at..).unwrap_or_default();
    let mut sum = 0;
    for word in words {
        let at = path.rfind(word.as_str())?;
        sum += match name.find(word.as_str()) {
            Some(0) if name.len() == word.len() => 4,
            Some(0) => 3,
            Some(_) => 2,
            // The word contains the last slash of the path, like `ui/pan`.
            None if at + word.len() > name_at => 3,
            None => 0,
        };
    }
    (sum > 0).then_some(sum)
}
