//! Ranks chunks by BM25. Rare words have more weight, each repetition of a word adds less, and long chunks have less
//! weight.

use std::collections::{HashMap, HashSet};
use std::io;

use super::index::Index;
use super::segment::{Indexed, Stamp};
use super::terms::{each_part, stem};

/// The usual constants of BM25: `K1` limits the effect of repetition, and `B` scales the effect of the length.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Weight of the file's score, which is added to the score of each of its chunks.
const FILE: f32 = 0.5;

/// Weight of a word in the path, compared with a word in the text.
const PATH: u32 = 2;

/// Factors for prose and tests. These contain more words of a question than the code that answers it. Measured on
/// commits of this repository.
const PROSE: f32 = 0.7;
const TEST: f32 = 0.8;
const TEST_NAMES: &[&str] = &["test", "testdata", "testing", "tests"];
const PROSE_ENDINGS: &[&str] = &["adoc", "csv", "ftl", "html", "lock", "md", "rst", "svg", "tsv", "txt"];

/// The maximum number of distinct terms of a question. Each term has a bit in a `u64`.
const MOST_TERMS: usize = 64;

/// Words that are ignored in questions, because they occur in any text.
const IDLE: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "how", "in", "is", "it", "its", "no",
    "not", "of", "on", "one", "or", "that", "the", "this", "to", "what", "when", "where", "which", "with",
];

/// The terms of a question, with their weights in an index.
pub(super) struct Question {
    pub(super) terms: Vec<String>,
    weights: Vec<f32>,
    average: f32,
}

impl Question {
    pub(super) fn of(text: &str) -> Self {
        let mut terms: Vec<String> = Vec::new();
        each_part(text, |term| {
            let is_idle = IDLE.iter().any(|idle| stem(idle) == term);
            if !is_idle && terms.len() < MOST_TERMS && !terms.iter().any(|known| known == term) {
                terms.push(term.to_owned());
            }
        });
        Self {
            weights: vec![0.0; terms.len()],
            terms,
            average: 1.0,
        }
    }

    /// Returns the score of a chunk. `counts` and `file` have the count of each of the question's terms in the chunk
    /// and in the whole file.
    pub(super) fn score(&self, path: &str, counts: &[u32], length: u32, file: &[u32]) -> f32 {
        let norm = self.norm(length);
        let of_chunk = self.weights.iter().zip(counts).map(|(weight, count)| {
            let count = to_float(*count);
            weight * count * (K1 + 1.0) / (count + norm)
        });
        let of_file = self.weights.iter().zip(file).filter(|(_, count)| **count > 0);
        prior(path) * (of_chunk.sum::<f32>() + FILE * of_file.map(|(weight, _)| weight).sum::<f32>())
    }

    pub(super) fn weight(&self, counts: &[u32]) -> f32 {
        let weights = self.weights.iter().zip(counts).filter(|(_, count)| **count > 0);
        weights.map(|(weight, _)| weight).sum()
    }

    /// Counts the question's terms in a text. Also returns the number of all terms.
    pub(super) fn counts(&self, text: &str) -> (Vec<u32>, u32) {
        let places: HashMap<&str, usize> = self
            .terms
            .iter()
            .enumerate()
            .map(|(at, term)| (term.as_str(), at))
            .collect();
        let (mut counts, mut length) = (vec![0; self.terms.len()], 0);
        each_part(text, |term| {
            length += 1;
            if let Some(count) = places.get(term).and_then(|at| counts.get_mut(*at)) {
                *count += 1;
            }
        });
        (counts, length)
    }

    /// Returns the weighted counts of the question's terms in a path, and the number of all terms.
    pub(super) fn path_counts(&self, path: &str) -> (Vec<u32>, u32) {
        let (counts, length) = self.counts(path);
        (counts.into_iter().map(|count| count * PATH).collect(), length)
    }

    fn norm(&self, length: u32) -> f32 {
        K1 * (1.0 - B + B * to_float(length) / self.average)
    }

    /// Returns the sources with the best chunks, and sets the weights of the question's terms.
    ///
    /// Repetitions of a term in a chunk do not count, because the index does not store counts.
    pub(super) fn best(&mut self, index: &Index, now: &HashMap<&str, Stamp>, most: usize) -> io::Result<Vec<String>> {
        let mut parts = Vec::new();
        let (mut documents, mut letters) = (0_u64, 0_u64);
        let mut frequencies = vec![0_usize; self.terms.len()];
        for segment in &index.segments {
            let lengths = segment.docs()?;
            let is_valid = |source: &Indexed| source.is_current && now.get(source.id.as_str()) == Some(&source.stamp);
            let sources = segment.sources.iter().enumerate();
            let valid: Vec<usize> = sources
                .filter(|(_, source)| is_valid(source))
                .map(|(place, _)| place)
                .collect();
            // Documents of changed and deleted files stay `None` and are ignored.
            let mut bits: Vec<Option<u64>> = vec![None; lengths.len()];
            for doc in valid.iter().flat_map(|place| segment.docs_of(*place)) {
                documents += 1;
                letters += lengths.get(doc).map_or(0, |length| u64::from(*length));
                if let Some(bits) = bits.get_mut(doc) {
                    *bits = Some(0);
                }
            }
            for (term, docs) in segment.docs_with(&self.terms)?.into_iter().enumerate() {
                for doc in docs {
                    let doc = usize::try_from(doc).ok().and_then(|doc| bits.get_mut(doc)?.as_mut());
                    if let (Some(bits), Some(frequency)) = (doc, frequencies.get_mut(term)) {
                        *bits |= 1 << term;
                        *frequency += 1;
                    }
                }
            }
            let bits: Vec<u64> = bits.into_iter().map(Option::unwrap_or_default).collect();
            parts.push((segment, lengths, bits, valid));
        }
        let all = to_float(u32::try_from(documents.max(1)).unwrap_or(u32::MAX));
        self.average = (to_float(u32::try_from(letters).unwrap_or(u32::MAX)) / all).max(1.0);
        for (weight, frequency) in self.weights.iter_mut().zip(&frequencies) {
            let frequency = to_float(u32::try_from(*frequency).unwrap_or(u32::MAX)).min(all);
            *weight = ((all - frequency + 0.5) / (frequency + 0.5)).ln_1p();
        }
        let mut ranked: Vec<(f32, &str)> = Vec::new();
        for (segment, lengths, bits, valid) in &parts {
            for place in valid {
                let docs = segment.docs_of(*place);
                let of_file = docs
                    .clone()
                    .filter_map(|doc| bits.get(doc))
                    .fold(0, |all, bits| all | bits);
                if of_file == 0 {
                    continue;
                }
                let file = self.counts_of(of_file);
                let Some(source) = segment.sources.get(*place) else {
                    continue;
                };
                let scores = docs.filter_map(|doc| {
                    let counts = self.counts_of(*bits.get(doc)?);
                    Some(self.score(&source.id, &counts, *lengths.get(doc)?, &file))
                });
                ranked.push((scores.fold(0.0, f32::max), &source.id));
            }
        }
        ranked.sort_by(|(one, left), (other, right)| other.total_cmp(one).then_with(|| left.cmp(right)));
        ranked.truncate(most);
        Ok(ranked.into_iter().map(|(_, id)| id.to_owned()).collect())
    }

    fn counts_of(&self, bits: u64) -> Vec<u32> {
        (0..self.terms.len())
            .map(|term| u32::from(bits >> term & 1 == 1))
            .collect()
    }
}

fn prior(path: &str) -> f32 {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    let is_prose = ending.is_some_and(|ending| PROSE_ENDINGS.contains(&ending));
    let mut parts = path.split(|letter: char| !letter.is_alphanumeric());
    let is_test = parts.any(|part| TEST_NAMES.contains(&part)) || path.starts_with("spec/") || path.contains("/spec/");
    (if is_prose { PROSE } else { 1.0 }) * (if is_test { TEST } else { 1.0 })
}

/// Returns the distinct terms of a chunk, and the number of all terms.
pub(super) fn terms_of(path: &str, text: &str) -> (HashSet<String>, u32) {
    let (mut terms, mut length) = (HashSet::new(), 0);
    for text in [path, text] {
        each_part(text, |term| {
            length += 1;
            if !terms.contains(term) {
                terms.insert(term.to_owned());
            }
        });
    }
    (terms, length)
}

/// The conversion is exact up to 16 million, and no count is larger.
fn to_float(count: u32) -> f32 {
    count as f32
}

#[cfg(test)]
mod tests;
