//! Limits and formats the sizes of results.

use benchdog_base::disk::bytes_text;
use benchdog_base::text::grouped;
use benchdog_domain::tool::Outcome;

/// Maximum bytes that the configuration can set for results of tools without a limit in their code.
pub(super) const MOST_SET: u64 = 64 * 1024;

/// Truncates the output of a call to `limit` bytes, including the marker that reports the truncation.
pub(super) fn cut(mut outcome: Outcome, limit: usize, more: &str) -> Outcome {
    if outcome.output.len() <= limit {
        return outcome;
    }
    let whole = outcome.output.len();
    let marker = format!(
        "\n[cut: {} of this result are not shown. {more}]",
        bytes_text(whole.saturating_sub(limit))
    );
    let room = limit.saturating_sub(marker.len());
    let kept = head(&outcome.output, room);
    outcome.output = format!("{kept}{marker}");
    outcome.truncated = true;
    outcome
}

/// Returns at most the first `room` bytes. Ends at a line end if there is one in the last quarter.
fn head(text: &str, room: usize) -> &str {
    let end = floor(text, room);
    let kept = text.get(..end).unwrap_or("");
    match kept.rfind('\n') {
        Some(line) if line >= room - room / 4 => kept.get(..line).unwrap_or(kept),
        _ => kept,
    }
}

pub(super) fn floor(text: &str, index: usize) -> usize {
    let mut end = index.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

pub(super) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => {
            let rest = text.get(end..).map_or(0, |rest| rest.chars().count());
            format!(
                "{}… [{} more characters]",
                text.get(..end).unwrap_or(""),
                grouped(rest as u64)
            )
        }
    }
}

pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number as u64), if number == 1 { one } else { many })
}

pub(super) fn visible(name: &str) -> std::borrow::Cow<'_, str> {
    if !name.contains(char::is_control) {
        return name.into();
    }
    name.chars()
        .map(|c| {
            if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.to_string()
            }
        })
        .collect::<String>()
        .into()
}

#[cfg(test)]
mod tests;
