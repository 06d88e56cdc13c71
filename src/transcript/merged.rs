//! Translates the lines about conflicts in the output of a merge. Other lines stay unchanged.

use std::borrow::Cow;

use benchdog_base::text::width;
use benchdog_diff::patch::{ConflictLine, read_conflict};
use benchdog_lang::{self as lang, Word, word};

pub(super) fn merged(output: &str) -> Cow<'_, str> {
    if !output
        .lines()
        .any(|line| matches!(read_conflict(line), Some(ConflictLine::At(_))))
    {
        return output.into();
    }
    let sides = [Word::MergeBefore, Word::MergeHere, Word::MergeThere].map(word);
    let widest = sides.into_iter().map(width).max().unwrap_or_default();
    let line_of = |side: usize, text: &str| {
        let side = sides.get(side).copied().unwrap_or_default();
        let gap = " ".repeat(widest - width(side));
        format!("  {side}{gap} | {text}\n")
    };
    let mut in_conflict = false;
    let lines = output.lines().map(|line| {
        let read = read_conflict(line);
        in_conflict = matches!(read, Some(ConflictLine::At(_))) || in_conflict && read.is_some();
        match read.filter(|_| in_conflict) {
            Some(ConflictLine::At(place)) => lang::message::merge_both_changed(place) + "\n",
            Some(ConflictLine::Of(side, text)) => line_of(side, text),
            Some(ConflictLine::NoLines(side)) => line_of(side, word(Word::MergeNoLines)),
            None => format!("{line}\n"),
        }
    });
    lines.collect::<String>().into()
}

#[cfg(test)]
mod tests;
