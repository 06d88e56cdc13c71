//! Validates the answer to a summary request.

use crate::tokens::estimate;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::message::Reply;

/// Minimum bytes of a repeated text. An answer that repeats so much text of the request is rejected.
const REPEATED: usize = 600;

/// Returns the size in bytes of an answer that certainly exceeds `most` tokens.
pub fn most_bytes(most: u64) -> usize {
    usize::try_from(most.saturating_mul(12)).unwrap_or(usize::MAX)
}

pub fn judged(reply: &Reply, asked: &str, most: u64) -> Result<String, NoSummary> {
    if !reply.calls.is_empty() {
        return Err(NoSummary::Called);
    }
    let text = reply.text.trim();
    if text.chars().filter(|c| c.is_alphanumeric()).count() < 10 {
        return Err(NoSummary::Empty);
    }
    if estimate(text) > most * 2 {
        return Err(NoSummary::TooLong);
    }
    if repeats(text, asked) {
        return Err(NoSummary::Repeated);
    }
    Ok(text.to_owned())
}

fn repeats(text: &str, asked: &str) -> bool {
    let pieces = (0..text.len()).step_by(REPEATED / 2).filter_map(|start| {
        let start = text.ceil_char_boundary(start);
        let end = text.floor_char_boundary(start + REPEATED);
        text.get(start..end).filter(|piece| piece.len() + 4 > REPEATED)
    });
    pieces.into_iter().any(|piece| asked.contains(piece))
}

#[cfg(test)]
mod tests;
