//! What a merge could not take over, in words for a person; the log has it as the model reads it.

use super::{Word, say, word};
use crate::domain::review::{FileNote, Forgave, Forgiven, listed};

/// What the reader of a proposed file should know.
pub(crate) fn file_note(note: &FileNote) -> String {
    match note {
        FileNote::Words(words) => words.clone(),
        FileNote::Forgave(all) => all.iter().map(forgave).collect::<Vec<_>>().join("; "),
        FileNote::LeftOut { words, lines } => {
            let left_out = say("merge-left-out", &[("lines", &listed(lines))]);
            match words {
                Some(words) => format!("{words}; {left_out}"),
                None => left_out,
            }
        }
    }
}

fn forgave(Forgave { what, edit }: &Forgave) -> String {
    let what = word(match what {
        Forgiven::KeptMark => Word::KeptMark,
        Forgiven::KeptCrlf => Word::KeptCrlf,
        Forgiven::NotUtf8 => Word::WasNotUtf8,
        Forgiven::Binary => Word::WasBinary,
        Forgiven::LineNumbers => Word::WithoutLineNumbers,
        Forgiven::SpaceAtEnds => Word::MatchedAtEnds,
        Forgiven::Indentation => Word::MatchedIndented,
        Forgiven::Space => Word::MatchedBySpace,
    });
    let Some((at, of)) = edit else {
        return what.to_owned();
    };
    say(
        "forgave-in-edit",
        &[("at", &at.to_string()), ("of", &of.to_string()), ("what", what)],
    )
}

/// Where both sides changed something.
pub(crate) fn both_changed(place: &str) -> String {
    say("merge-both-changed", &[("place", place)])
}
