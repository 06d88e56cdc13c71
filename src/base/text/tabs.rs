//! Tabs as a terminal shows them, and what was written of a part that is shown.

use std::borrow::Cow;
use std::ops::Range;

use super::{reveal, width};

/// Columns from one tab stop to the next.
pub(crate) const TAB: usize = 4;

/// Tabs as spaces up to the next stop. The column is counted from the start of `line`.
pub(crate) fn expand_tabs(line: &str) -> Cow<'_, str> {
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

/// A line of a file as it is shown where a person decides or reads code. Places in it, of colours and of what is marked, are those of this.
pub(crate) fn shown_line(line: &str) -> Cow<'_, str> {
    match reveal(line) {
        Cow::Borrowed(line) => expand_tabs(line),
        Cow::Owned(line) => Cow::Owned(expand_tabs(&line).into_owned()),
    }
}

/// The part of `line` of which these bytes of `expand_tabs(line)` are shown. A tab of which a part is shown is in it.
pub(crate) fn unexpanded(line: &str, shown: &Range<usize>) -> Range<usize> {
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
