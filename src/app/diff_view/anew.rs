//! Transfers decisions, comments and edits to a proposal that was rebuilt after its files changed on disk.

use std::ops::Range;

use super::cells::LogicalRow;
use super::comments::{Comment, moved};
use super::{DiffFile, DiffView, Mark};
use benchdog_diff::{Hunk, Line, Sides, carried, hunks};
use benchdog_domain::review::{FileChange, FileNote};
use benchdog_lang::{self as lang, Word, word};

struct Move {
    file: usize,
    before: Vec<Hunk>,
    after: Vec<Hunk>,
}

/// Maps files and lines of the old proposal to files and lines of the new proposal.
pub(crate) struct Moves(Vec<Option<Move>>);

impl Moves {
    pub(crate) fn file(&self, file: usize) -> Option<usize> {
        self.0.get(file)?.as_ref().map(|to| to.file)
    }

    /// Returns the new position of a line. Without the file, returns the first line of the new proposal.
    pub(crate) fn of(&self, (file, line): (usize, Line)) -> (usize, Line) {
        let Some(to) = self.0.get(file).and_then(Option::as_ref) else {
            return (0, Line::After(0));
        };
        let line = match line {
            Line::Before(line) => Line::Before(moved(line, &to.before)),
            Line::After(line) => Line::After(moved(line, &to.after)),
        };
        (to.file, line)
    }
}

impl DiffView {
    /// Transfers decisions, comments and edits from the old view. `proposed` are the files of the old proposal. Also
    /// returns the edits that conflict with the new proposal.
    pub(crate) fn take_over(&mut self, before: DiffView, proposed: &[FileChange]) -> (Moves, Vec<String>) {
        self.width = before.width;
        self.height = before.height;
        self.looked_at = before.looked_at;
        self.wrap = before.wrap;
        self.left = before.left;
        self.layout = before.layout;
        self.chosen = before.chosen;
        self.preferred = before.preferred;
        let cursor = before.lines_at_cursor();
        let cursor = cursor.and_then(|(file, lines)| Some((file, *lines.first()?)));
        let far = before.cursor.saturating_sub(before.top.row);
        self.sought = before.sought;
        self.find = before.find;
        let (mut moves, mut lost) = (Vec::new(), Vec::new());
        for (old, proposed) in before.files.into_iter().zip(proposed) {
            let place = self.files.iter().position(|new| new.target() == old.target());
            let Some((file, new)) = place.and_then(|place| Some((place, self.files.get_mut(place)?))) else {
                lost.extend(old.own_text());
                moves.push(None);
                continue;
            };
            let sides = old.sides.clone();
            lost.extend(new.take_over(old, proposed));
            moves.push(Some(Move {
                file,
                before: hunks(sides.before.bytes(), new.sides.before.bytes()),
                after: hunks(sides.after.bytes(), new.sides.after.bytes()),
            }));
        }
        let moves = Moves(moves);
        for (at, comment) in before.comments {
            self.join_comment(moves.of(at), comment);
        }
        self.go_to_first();
        if let Some((file, line)) = cursor.map(|at| moves.of(at)) {
            let row = match line {
                Line::Before(line) => self.row_of_line((file, Some(line), None)),
                Line::After(line) => self.row_of_line((file, None, Some(line))),
            };
            if matches!(self.row(row), Some(LogicalRow::Lines { .. })) {
                self.top.row = row.saturating_sub(far);
                self.go_to_row(row);
            }
        }
        self.count();
        (moves, lost)
    }

    /// Sets the note about changes on disk, at the changed files. If they are unknown, at the first file.
    pub fn stand(&mut self, stands: Option<Word>) {
        let any = self.files.iter().any(DiffFile::has_changed_on_disk);
        let mut more = 0;
        for (place, file) in self.files.iter_mut().enumerate() {
            let says = if any { file.has_changed_on_disk() } else { place == 0 };
            more += file.stand(stands.filter(|_| says));
        }
        self.move_along(more);
    }

    pub(crate) fn forget_comments(&mut self) {
        self.comments.clear();
    }

    pub(super) fn join_comment(&mut self, at: (usize, Line), comment: Comment) {
        let there = self.comments.entry(at).or_insert_with(|| Comment {
            code: comment.code,
            text: String::new(),
        });
        if !there.text.is_empty() {
            there.text.push('\n');
        }
        there.text.push_str(&comment.text);
    }
}

impl DiffFile {
    pub(super) fn first_notes(&self) -> Vec<String> {
        let changed = self.stands.filter(|_| self.has_changed_on_disk());
        let alone = self.stands.filter(|_| changed.is_none());
        let alone = alone.map(|said| word(said).to_owned());
        let of_change = self.change.note.iter();
        let of_change = of_change.map(|note| lang::file_note(note, changed.unwrap_or(Word::ChangedOnDisk)));
        alone.into_iter().chain(of_change).collect()
    }

    fn has_changed_on_disk(&self) -> bool {
        self.change.note.as_ref().is_some_and(FileNote::has_changed_on_disk)
    }

    /// Sets the note of this file. Returns the number of added rows.
    fn stand(&mut self, stands: Option<Word>) -> isize {
        let before = self.first_notes().len();
        self.stands = stands;
        let now = self.first_notes();
        let more = now.len().cast_signed() - before.cast_signed();
        self.notes.splice(..before.min(self.notes.len()), now);
        more
    }

    /// Transfers the state of a file. If its proposal is unchanged, takes over the whole state. Otherwise keeps
    /// discarded hunks discarded, and merges edits. Returns the user's text if there is a conflict.
    fn take_over(&mut self, old: DiffFile, proposed: &FileChange) -> Option<String> {
        if *proposed == self.change {
            *self = old;
            return None;
        }
        let lost = self.take_over_text(&old, proposed);
        // A file that is not text cannot be accepted in part. After a partial decision, the whole file is discarded.
        let as_whole = old.mark() == Mark::Some && !self.is_text();
        if as_whole || old.mark() == Mark::Dropped {
            self.kept.fill(false);
        } else {
            self.take_over_marks(&old);
        }
        lost
    }

    fn take_over_text(&mut self, old: &DiffFile, proposed: &FileChange) -> Option<String> {
        let text = old.edited.as_ref()?;
        let bytes = |side: &Option<std::sync::Arc<[u8]>>| side.clone().unwrap_or_default();
        let (base, later) = (bytes(&proposed.after), bytes(&self.change.after));
        let gone_along = |mine: &[u8]| carried(&base, mine, &later).and_then(|mine| String::from_utf8(mine).ok());
        // Merge the text that still contains the discarded lines. They are discarded again later.
        match gone_along(old.sides.after.bytes()) {
            Some(with_dropped) => {
                self.propose(with_dropped.as_bytes());
                self.edited = Some(gone_along(text.as_bytes()).unwrap_or(with_dropped));
                self.notes.push(word(Word::EditedByYou).to_owned());
                None
            }
            None => old.own_text(),
        }
    }

    /// Transfers the decisions about hunks. Identical hunks keep their decision. If a discarded hunk has changed, the
    /// new hunks in its place are also discarded, so that no hunk is accepted by mistake.
    fn take_over_marks(&mut self, old: &DiffFile) {
        let moves = hunks(old.sides.before.bytes(), self.sides.before.bytes());
        for (place, hunk) in old.sides.hunks.iter().enumerate() {
            if old.mark_of_hunk(place) == Mark::Kept {
                continue;
            }
            let there = same_hunk(&old.sides, hunk, &self.sides, &moves);
            match there.and_then(|there| Some((there, self.sides.hunks.get(there)?.clone()))) {
                Some((there, new)) => {
                    let dropped = old.dropped_of(place).map(|line| match line {
                        Line::Before(line) => Line::Before(new.before.start + line - hunk.before.start),
                        Line::After(line) => Line::After(new.after.start + line - hunk.after.start),
                    });
                    self.dropped.extend(dropped);
                    if let (Some(kept), Some(was)) = (self.kept.get_mut(there), old.kept.get(place)) {
                        *kept &= *was;
                    }
                }
                None => self.drop_in_place_of(hunk, &old.sides, &moves),
            }
        }
    }

    /// Discards the new hunks at the place of a discarded hunk that has changed. If there are none, discards all hunks
    /// with the same content. Adds a note.
    fn drop_in_place_of(&mut self, hunk: &Hunk, old: &Sides, moves: &[Hunk]) {
        let place = place_of(&hunk.before, moves);
        let lies_there = |new: &Hunk| new.touches(&place);
        let hunks = &self.sides.hunks;
        let is_there = hunks.iter().any(lies_there);
        let is_dropped = |new: &Hunk| match is_there {
            true => lies_there(new),
            false => is_same((old, hunk), (&self.sides, new)),
        };
        let mut said = Word::DroppedIsGone;
        for (kept, new) in self.kept.iter_mut().zip(hunks) {
            if is_dropped(new) {
                *kept = false;
                said = Word::DroppedAsWhole;
            }
        }
        let said = word(said);
        if !self.notes.iter().any(|note| note == said) {
            self.notes.push(said.to_owned());
        }
    }
}

fn place_of(lines: &Range<usize>, moves: &[Hunk]) -> Range<usize> {
    let place = moved(lines.start, moves)..moved(lines.end, moves);
    moves
        .iter()
        .filter(|change| change.touches(lines))
        .fold(place, |place, change| {
            place.start.min(change.after.start)..place.end.max(change.after.end)
        })
}

fn same_hunk(old: &Sides, hunk: &Hunk, new: &Sides, moves: &[Hunk]) -> Option<usize> {
    let there = moved(hunk.before.start, moves);
    let same = || {
        let all = new.hunks.iter().enumerate();
        all.filter(move |(_, other)| is_same((old, hunk), (new, *other)))
    };
    let near = same().find(|(_, other)| other.before.start == there);
    let before = || {
        old.hunks
            .iter()
            .filter(move |other| is_same((old, hunk), (old, *other)))
    };
    let only = || same().next().filter(|_| same().count() == 1 && before().count() == 1);
    near.or_else(only).map(|(place, _)| place)
}

fn is_same((old, hunk): (&Sides, &Hunk), (new, other): (&Sides, &Hunk)) -> bool {
    let mut before = hunk.before.clone().zip(other.before.clone());
    let mut after = hunk.after.clone().zip(other.after.clone());
    (hunk.before.len(), hunk.after.len()) == (other.before.len(), other.after.len())
        && before.all(|(a, b)| old.before.line(a) == new.before.line(b))
        && after.all(|(a, b)| old.after.line(a) == new.after.line(b))
}
