//! Merge output. Conflicts are shown in the person's language.

use std::borrow::Cow;

use benchdog_base::text::width;
use benchdog_diff::patch::{ConflictLine, read_conflict};
use benchdog_lang::{self as lang, Word, word};

/// Translates the conflict lines of a merge output. Other lines stay unchanged.
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
mod tests {
    use super::*;
    use benchdog_diff::patch::Conflict;

    #[test]
    fn a_conflict_is_read_as_it_was_written_and_other_lines_stay() {
        let conflict = Conflict {
            path: "a.txt".to_owned(),
            line: 5,
            before: vec!["one | two".to_owned()],
            here: Vec::new(),
            there: (0..20).map(|n| n.to_string()).collect(),
        };
        let told = format!("Updated b.txt.\n  here   | of a file\n{conflict}{conflict}The end.\n");
        // The English text equals the text in the log.
        assert_eq!(merged(&told), told);
        assert!(matches!(merged("  here   | of a file\n"), Cow::Borrowed(_)));
        let lines = conflict.to_string();
        let read: Vec<_> = lines.lines().map(read_conflict).collect();
        assert_eq!(read[0], Some(ConflictLine::At("a.txt:5")));
        assert_eq!(read[1], Some(ConflictLine::Of(0, "one | two")));
        assert_eq!(read[2], Some(ConflictLine::NoLines(1)));
        assert_eq!(read[15], Some(ConflictLine::Of(2, "… 8 more lines")));
    }
}
