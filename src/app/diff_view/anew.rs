//! A proposal that was made anew, because its files were saved elsewhere: what the person made of it goes along to where the same lines are.

use super::cells::LogicalRow;
use super::comments::{Comment, moved};
use super::{DiffFile, DiffView};
use crate::diff::{Hunk, Line, Sides, carried, hunks};
use crate::domain::marked::{EditedText, MarkedFile};
use crate::domain::review::FileChange;

/// Where the lines of a file lie now; `file`: its place among those of the new proposal.
struct Move {
    file: usize,
    before: Vec<Hunk>,
    after: Vec<Hunk>,
}

/// Where the lines of a proposal lie in the one that took its place.
pub(crate) struct Moves(Vec<Option<Move>>);

impl Moves {
    /// Of a file that is not in the new one the first line of what is.
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
    /// Takes over all that was made of the proposal before, which was `proposed`. Also answers with texts of the person that do not fit
    /// their file any more.
    pub(crate) fn take_over(&mut self, before: DiffView, proposed: &[FileChange]) -> (Moves, Vec<MarkedFile>) {
        self.width = before.width;
        self.height = before.height;
        self.wrap = before.wrap;
        self.left = before.left;
        self.layout = before.layout;
        self.chosen = before.chosen;
        self.preferred = before.preferred;
        let cursor = before.lines_at_cursor();
        let cursor = cursor.and_then(|(file, lines)| Some((file, *lines.first()?)));
        let far = before.cursor.saturating_sub(before.top.row);
        self.sought = before.sought;
        let (mut moves, mut lost) = (Vec::new(), Vec::new());
        for (old, proposed) in before.files.into_iter().zip(proposed) {
            let place = self.files.iter().position(|new| new.target() == old.target());
            let Some((file, new)) = place.and_then(|place| Some((place, self.files.get_mut(place)?))) else {
                lost.extend(old.marked().filter(|marked| marked.edited.is_some()));
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
        (moves, lost)
    }

    /// What was said of them goes with the decision on them.
    pub(crate) fn forget_comments(&mut self) {
        self.comments.clear();
    }

    /// Two comments on one line are one.
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
    /// A file that is proposed as before stays as it is. Of another one the hunks that are the same keep their marks, and the text of the
    /// person its changes, where nobody else changed those lines; else it is answered with.
    fn take_over(&mut self, old: DiffFile, proposed: &FileChange) -> Option<MarkedFile> {
        if *proposed == self.change {
            *self = old;
            return None;
        }
        if let Some(text) = &old.edited {
            let bytes = |side: &Option<std::sync::Arc<[u8]>>| side.clone().unwrap_or_default();
            let (base, later) = (bytes(&proposed.after), bytes(&self.change.after));
            let mine = carried(&base, text.as_bytes(), &later).and_then(|mine| String::from_utf8(mine).ok());
            return match mine {
                Some(mine) => {
                    self.replace(mine);
                    None
                }
                None => Some(MarkedFile {
                    edited: Some(EditedText {
                        text: text.clone(),
                        with_dropped: text.clone(),
                    }),
                    ..old.unmarked()
                }),
            };
        }
        let moves = hunks(old.sides.before.bytes(), self.sides.before.bytes());
        for (place, hunk) in old.sides.hunks.iter().enumerate() {
            let is_marked = old.kept.get(place) == Some(&false) || old.dropped_of(place).next().is_some();
            let there = is_marked
                .then(|| same_hunk(&old.sides, hunk, &self.sides, &moves))
                .flatten();
            let Some((there, new)) = there.and_then(|there| Some((there, self.sides.hunks.get(there)?.clone()))) else {
                continue;
            };
            let dropped = old.dropped_of(place).map(|line| match line {
                Line::Before(line) => Line::Before(new.before.start + line - hunk.before.start),
                Line::After(line) => Line::After(new.after.start + line - hunk.after.start),
            });
            self.dropped.extend(dropped);
            if let (Some(kept), Some(was)) = (self.kept.get_mut(there), old.kept.get(place)) {
                *kept = *was;
            }
        }
        // What is no text, and what has no hunks, is kept or dropped as a whole.
        if self.sides.hunks.is_empty() && old.sides.hunks.is_empty() {
            self.kept.clone_from(&old.kept);
        }
        None
    }
}

/// The hunk that changes the same lines in the same way: where those lie now, or the only one that does.
fn same_hunk(old: &Sides, hunk: &Hunk, new: &Sides, moves: &[Hunk]) -> Option<usize> {
    let there = moved(hunk.before.start, moves);
    let is_same = |other: &Hunk| {
        let mut before = hunk.before.clone().zip(other.before.clone());
        let mut after = hunk.after.clone().zip(other.after.clone());
        (hunk.before.len(), hunk.after.len()) == (other.before.len(), other.after.len())
            && before.all(|(a, b)| old.before.line(a) == new.before.line(b))
            && after.all(|(a, b)| old.after.line(a) == new.after.line(b))
    };
    let same = || new.hunks.iter().enumerate().filter(|(_, other)| is_same(other));
    let near = same().find(|(_, other)| other.before.start == there);
    let only = || same().next().filter(|_| same().count() == 1);
    near.or_else(only).map(|(place, _)| place)
}
