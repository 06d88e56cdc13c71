//! Messages about merge conflicts, for a person. The log contains the text for the model.

use super::{Word, message, word};
use benchdog_domain::review::{CellChange, FileNote, Forgave, Forgiven, Piece, listed};

/// Formats a note about a proposed file. `changed` is the message about a file that another program saved.
pub fn file_note(note: &FileNote, changed: Word) -> String {
    let forgave = |it| forgave(it, changed);
    match note {
        FileNote::Words(words) => words.clone(),
        FileNote::Forgave(all) => all.iter().map(forgave).collect::<Vec<_>>().join("; "),
        FileNote::LeftOut { forgave: all, lines } => {
            let left_out = message::merge_left_out(&listed(lines));
            all.iter().map(forgave).chain([left_out]).collect::<Vec<_>>().join("; ")
        }
        FileNote::ChangedSince { lines } => message::undo_left_out(&listed(lines)),
        FileNote::Overlaps { lines } => message::undo_overlaps(&listed(lines)),
        FileNote::Cell { change, .. } => word(match change {
            CellChange::Inserted => Word::CellInserted,
            CellChange::Replaced => Word::CellReplaced,
            CellChange::OutputsCleared => Word::CellOutputsCleared,
            CellChange::Deleted => Word::CellDeleted,
        })
        .to_owned(),
        FileNote::ModeNotKept => word(Word::UndoModeNotKept).to_owned(),
    }
}

fn forgave(Forgave { what, part }: &Forgave, changed: Word) -> String {
    let what = match what {
        Forgiven::ChangedOnDisk => word(changed).to_owned(),
        Forgiven::KeptMark => word(Word::KeptMark).to_owned(),
        Forgiven::KeptCrlf => word(Word::KeptCrlf).to_owned(),
        Forgiven::KeptEncoding(name) => message::forgave_encoding_kept(name),
        Forgiven::NotUtf8 => word(Word::WasNotUtf8).to_owned(),
        Forgiven::Binary => word(Word::WasBinary).to_owned(),
        Forgiven::NormalForm => word(Word::MatchedNormalForm).to_owned(),
        Forgiven::LineNumbers => word(Word::WithoutLineNumbers).to_owned(),
        Forgiven::SpaceAtEnds => word(Word::MatchedAtEnds).to_owned(),
        Forgiven::Indentation => word(Word::MatchedIndented).to_owned(),
        Forgiven::Space => word(Word::MatchedBySpace).to_owned(),
        Forgiven::Further(lines) if *lines < 0 => message::forgave_further_up(lines.unsigned_abs()),
        Forgiven::Further(lines) => message::forgave_further_down(lines.unsigned_abs()),
        Forgiven::Fuzz(lines) => message::forgave_fuzz(*lines),
    };
    let of_part =
        |said: fn(&str, &str, &str) -> String, at: usize, of: usize| said(&at.to_string(), &of.to_string(), &what);
    match *part {
        None => what,
        Some(Piece::Edit(at, of)) => of_part(message::forgave_in_edit, at, of),
        Some(Piece::Hunk(at, of)) => of_part(message::forgave_in_hunk, at, of),
    }
}
