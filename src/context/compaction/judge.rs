//! Validates the answer to a summary request.

use crate::tokens::estimate;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::message::Reply;

/// Minimum bytes of a verbatim repetition for which an answer is rejected.
const REPEATED: usize = 600;

/// Returns the bytes from which an answer is certainly too long.
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
mod tests {
    use super::{judged, most_bytes};
    use benchdog_base::id::CallId;
    use benchdog_domain::compaction::NoSummary;
    use benchdog_domain::message::{Arguments, Reply, ToolCall};

    fn said(text: &str) -> Reply {
        Reply {
            text: text.to_owned(),
            ..Reply::default()
        }
    }

    #[test]
    fn only_a_short_text_of_its_own_is_a_summary() {
        let long = "line after line of what was said, 説明と一緒に. ".repeat(60);
        let kept = judged(&said(" The task is to mend rounding. "), &long, 100);
        assert_eq!(kept.as_deref(), Ok("The task is to mend rounding."));
        assert_eq!(judged(&said(" \n… "), &long, 100), Err(NoSummary::Empty));
        assert_eq!(judged(&said(&"word ".repeat(1_000)), "", 100), Err(NoSummary::TooLong));
        assert_eq!(judged(&said(&long), &long, 10_000), Err(NoSummary::Repeated));
        let called = Reply {
            calls: vec![ToolCall {
                id: CallId("a".to_owned()),
                name: "read".to_owned(),
                arguments: Arguments::Raw(String::new()),
            }],
            ..said("The task is to mend rounding.")
        };
        assert_eq!(judged(&called, &long, 100), Err(NoSummary::Called));
        assert!(
            most_bytes(100) > 2 * 100 * 4,
            "what may still be a summary is read to its end"
        );
    }
}
