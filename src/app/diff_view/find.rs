//! Search in a diff, including folded lines of both sides.

use std::ops::Range;

use regex::Regex;

use super::DiffView;
use crate::find::{MOST_SOUGHT, pattern};
use benchdog_base::text::shown_line;
use benchdog_diff::{Line, Sides};

/// Maximum number of lines that are searched per key press. `MOST_SOUGHT` limits the bytes.
pub const MOST_COUNTED: usize = 20_000;

/// The sort key of a line: the file, the position on the new side, whether the line is added, and the index. Removed
/// lines come before added lines.
type Place = (usize, usize, bool, usize);

impl DiffView {
    pub(crate) fn find_open(&mut self) {
        self.find.get_or_insert_default();
    }

    pub(crate) fn find_close(&mut self) {
        self.find = None;
        self.sought = None;
    }

    pub(crate) fn find_edit(&mut self, change: impl FnOnce(&mut String)) {
        if let Some(find) = self.find.as_mut() {
            change(&mut find.query);
            find.hits = None;
        }
        self.count();
    }

    /// Counts the matches of the query. In a long diff, searches only the first part, so that key presses stay fast.
    pub(super) fn count(&mut self) {
        let Some(find) = self.find.as_ref() else { return };
        self.sought = pattern(&find.query);
        let counted = self.sought.as_ref().map(|sought| self.first_with(sought));
        if let Some(find) = self.find.as_mut() {
            find.hits = counted.map(|(hits, _)| (0, hits));
            find.goes_on = counted.is_some_and(|(_, goes_on)| goes_on);
        }
    }

    fn first_with(&self, sought: &Regex) -> (usize, bool) {
        let (mut hits, mut lines, mut bytes) = (0, 0, 0);
        for diff in self.files.iter().filter(|diff| diff.is_text()) {
            let sides = diff.sides();
            for line in lines_of(sides) {
                lines += 1;
                bytes += size_of(sides, line);
                if lines > MOST_COUNTED || bytes > MOST_SOUGHT {
                    return (hits, true);
                }
                hits += usize::from(holds(sides, line, sought));
            }
        }
        (hits, false)
    }

    pub(crate) fn find_step(&mut self, by: isize) {
        let Some(query) = self.find.as_ref().map(|find| find.query.clone()) else {
            return;
        };
        self.sought = pattern(&query);
        let hits = self
            .sought
            .as_ref()
            .map_or_else(Vec::new, |sought| self.lines_with(sought));
        let here = self.place_of_cursor();
        let next = if by < 0 {
            hits.iter()
                .rposition(|(place, _)| *place < here)
                .or(hits.len().checked_sub(1))
        } else {
            hits.iter()
                .position(|(place, _)| *place > here)
                .or((!hits.is_empty()).then_some(0))
        };
        if let Some(find) = self.find.as_mut() {
            find.hits = Some((next.map_or(0, |next| next + 1), hits.len()));
            find.goes_on = false;
        }
        if let Some((place, line)) = next.and_then(|next| hits.get(next)) {
            let row = self.uncover(place.0, *line);
            self.go_to_row(row);
        }
    }

    pub(super) fn found(&self, shown: &str) -> Vec<Range<usize>> {
        let found = |sought: &Regex| sought.find_iter(shown).map(|hit| hit.range()).collect();
        self.sought.as_ref().map_or_else(Vec::new, found)
    }

    fn lines_with(&self, sought: &Regex) -> Vec<(Place, Line)> {
        let mut hits: Vec<(Place, Line)> = Vec::new();
        for (file, diff) in self.files.iter().enumerate().filter(|(_, diff)| diff.is_text()) {
            let sides = diff.sides();
            let found = lines_of(sides).filter(|line| holds(sides, *line, sought));
            hits.extend(found.map(|line| (place(sides, file, line), line)));
        }
        hits.sort_unstable_by_key(|(place, _)| *place);
        hits
    }

    fn place_of_cursor(&self) -> Place {
        let Some((file, left, right)) = self.line_from(self.cursor) else {
            return (usize::MAX, 0, false, 0);
        };
        let line = right.map(Line::After).or(left.map(Line::Before));
        let place = self
            .files
            .get(file)
            .zip(line)
            .map(|(diff, line)| place(diff.sides(), file, line));
        match place {
            Some(place) if self.lines_at_cursor().is_some() => place,
            // The cursor is above the first line of the file.
            Some((file, at, _, _)) => (file, at, false, 0),
            None => (file, 0, false, 0),
        }
    }
}

fn lines_of(sides: &Sides) -> impl Iterator<Item = Line> {
    let removed = sides.hunks.iter().flat_map(|hunk| hunk.before.clone());
    (0..sides.after.len()).map(Line::After).chain(removed.map(Line::Before))
}

fn size_of(sides: &Sides, line: Line) -> usize {
    let (side, at) = sides.side(line);
    side.line(at).len()
}

fn holds(sides: &Sides, line: Line, sought: &Regex) -> bool {
    let (side, at) = sides.side(line);
    sought.is_match(&shown_line(&side.shown(at)))
}

fn place(sides: &Sides, file: usize, line: Line) -> Place {
    match line {
        Line::After(line) => (file, line, true, line),
        Line::Before(line) => {
            let at = sides.hunks.partition_point(|hunk| hunk.before.end <= line);
            let hunk = sides.hunks.get(at).filter(|hunk| hunk.before.contains(&line));
            (file, hunk.map_or(line, |hunk| hunk.after.start), false, line)
        }
    }
}
