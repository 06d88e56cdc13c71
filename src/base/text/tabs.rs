//! Expands tabs for display, and maps displayed ranges to original ranges.

use std::borrow::Cow;
use std::ops::Range;

use super::{reveal, width};

pub const TAB: usize = 4;

/// Expands tabs to the next tab stop. Columns count from the start of `line`.
pub fn expand_tabs(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + 8);
    let mut column = 0;
    for (n, part) in line.split('\t').enumerate() {
        if n > 0 {
            let gap = TAB - column % TAB;
            out.extend(std::iter::repeat_n(' ', gap));
            column += gap;
        }
        out.push_str(part);
        column += width(part);
    }
    Cow::Owned(out)
}

/// Returns a line of a file as shown in reviews and code. Positions of colours and marks refer to this text.
pub fn shown_line(line: &str) -> Cow<'_, str> {
    match reveal(line) {
        Cow::Borrowed(line) => expand_tabs(line),
        Cow::Owned(line) => Cow::Owned(expand_tabs(&line).into_owned()),
    }
}

/// Returns the part of `line` for the range `shown` of `expand_tabs(line)`. Includes tabs that are partly in the range.
pub fn unexpanded(line: &str, shown: &Range<usize>) -> Range<usize> {
    let (mut written, mut at, mut column) = (0, 0, 0);
    let (mut start, mut end) = (line.len(), 0);
    for (n, part) in line.split('\t').enumerate() {
        if n > 0 {
            let gap = TAB - column % TAB;
            if shown.start < at + gap && at < shown.end {
                start = start.min(written);
                end = written + 1;
            }
            (written, at, column) = (written + 1, at + gap, column + gap);
        }
        let (from, upto) = (shown.start.max(at), shown.end.min(at + part.len()));
        if from < upto {
            start = start.min(written + from - at);
            end = written + upto - at;
        }
        (written, at, column) = (written + part.len(), at + part.len(), column + width(part));
    }
    start.min(end)..end
}
