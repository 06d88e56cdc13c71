//! One file of a diff: both sides, rows in both layouts, and the decisions about its hunks.

mod head;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

use super::DiffLayout;
use super::folds::Fold;
use super::laid::Long;
use benchdog_base::text::{last_part, reveal};
use benchdog_diff::{DiffRow, Encoding, Line, Sides, new_lines};
use benchdog_domain::permission::PartKept;
use benchdog_domain::review::FileChange;
use benchdog_lang::{self as lang, Word, word};

pub struct DiffFile {
    pub path: String,
    pub added: u32,
    pub removed: u32,
    pub notes: Vec<String>,
    /// Whether each hunk is accepted. In a file without hunks, the only entry is for the whole file.
    pub kept: Vec<bool>,
    pub(super) dropped: BTreeSet<Line>,
    pub edited: Option<String>,
    pub(super) sides: Sides,
    is_text: bool,
    /// The rows of each layout. Computed on first use, because most diffs are shown in one layout only.
    pub(super) side_by_side: OnceLock<Vec<DiffRow>>,
    pub(super) unified: OnceLock<Vec<DiffRow>>,
    pub(super) long: RefCell<Long>,
    pub(super) unfolded: Vec<Fold>,
    has_name_row: bool,
    is_named_above: bool,
    pub(super) change: FileChange,
    pub(super) stands: Option<Word>,
    /// Number of hunks in the original proposal. The decision must have one entry for each of these hunks.
    proposed: usize,
    context: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Kept,
    Some,
    Dropped,
}

impl DiffFile {
    pub(super) fn new(change: &FileChange, context: usize) -> Self {
        let sides = Sides::of(change.before.clone(), change.after.clone());
        let mut file = Self {
            path: reveal(&change.path).into_owned(),
            added: 0,
            removed: 0,
            notes: Vec::new(),
            kept: Vec::new(),
            dropped: BTreeSet::new(),
            edited: None,
            is_text: true,
            side_by_side: OnceLock::new(),
            unified: OnceLock::new(),
            long: RefCell::default(),
            unfolded: Vec::new(),
            sides,
            has_name_row: true,
            is_named_above: false,
            change: change.clone(),
            stands: None,
            proposed: 1,
            context,
        };
        file.compute();
        file.proposed = file.kept.len();
        file
    }

    fn compute(&mut self) {
        self.is_text = is_text(&self.change);
        self.notes = self.first_notes();
        // If only the permissions change, the row with the name shows the new mode, so no note is needed.
        if let Some(mode) = self.change.mode_after.filter(|_| self.mode_alone().is_none()) {
            self.notes.push(lang::message::change_mode(&format!("{mode:o}")));
        }
        self.kept = vec![true];
        self.unfolded.clear();
        self.side_by_side = OnceLock::new();
        self.unified = OnceLock::new();
        self.long = RefCell::default();
        if self.is_text {
            (self.added, self.removed) = self.sides.counts();
            self.kept = vec![true; self.sides.hunks.len().max(1)];
        } else {
            let bytes = |side: &Option<std::sync::Arc<[u8]>>| side.as_ref().map_or(0, |bytes| bytes.len());
            let (before, after) = (bytes(&self.change.before), bytes(&self.change.after));
            self.notes.push(lang::not_text(before, after));
        }
        if self.is_text && self.sides.hunks.is_empty() {
            let is_empty = self.sides.before.len() + self.sides.after.len() == 0;
            match (is_empty, &self.change.note) {
                // The note in `change` already explains why no lines are shown.
                (true, Some(_)) => {}
                (false, _) if self.mode_alone().is_some() => {}
                (true, None) => self.notes.push(word(Word::EmptyFile).to_owned()),
                (false, _) => self.notes.push(word(Word::LinesStay).to_owned()),
            }
        }
    }

    pub(crate) fn removes(&self) -> bool {
        self.change.after.is_none() && self.mark() == Mark::Kept
    }

    pub(super) fn has_two_sides(&self) -> bool {
        self.change.before.is_some() && self.change.after.is_some()
    }

    pub(super) fn is_text(&self) -> bool {
        self.is_text
    }

    pub(crate) fn proposal(&self) -> Option<String> {
        let dropped = |hunk: usize, line| self.is_dropped(hunk, line);
        String::from_utf8(self.sides.without(self.rows(DiffLayout::SideBySide), dropped))
            .ok()
            .filter(|_| self.is_text())
    }

    pub(super) fn proposed_lines(&self, layout: DiffLayout, row: usize) -> usize {
        let rows = self.rows(layout).iter().take(row);
        rows.map(|row| self.proposed_in(row)).sum()
    }

    fn proposed_in(&self, row: &DiffRow) -> usize {
        row.kept(|hunk, line| self.is_dropped(hunk, line))
            .filter(|line| line.is_in())
            .count()
    }

    /// Returns the accepted part for the decision. `None` if the file is accepted completely and unchanged.
    pub(crate) fn part(&self) -> Option<PartKept> {
        match self.mark() {
            Mark::Dropped => Some(PartKept::Hunks(vec![false; self.proposed])),
            Mark::Kept if self.edited.is_none() => None,
            Mark::Some if self.edited.is_none() && self.dropped.is_empty() => Some(PartKept::Hunks(self.kept.clone())),
            // If the accepted text cannot be computed, discard everything.
            Mark::Kept | Mark::Some => Some(match self.proposal() {
                Some(text) => PartKept::Text(text),
                None => PartKept::Hunks(vec![false; self.proposed]),
            }),
        }
    }

    pub fn mark(&self) -> Mark {
        if self.kept.iter().all(|kept| !kept) {
            Mark::Dropped
        } else if self.dropped.is_empty() && self.kept.iter().all(|kept| *kept) {
            Mark::Kept
        } else {
            Mark::Some
        }
    }

    pub fn mark_of_hunk(&self, hunk: usize) -> Mark {
        if self.kept.get(hunk) == Some(&false) {
            Mark::Dropped
        } else if self.dropped_of(hunk).next().is_some() {
            Mark::Some
        } else {
            Mark::Kept
        }
    }

    pub fn is_dropped(&self, hunk: usize, line: Line) -> bool {
        self.kept.get(hunk) == Some(&false) || self.dropped.contains(&line)
    }

    pub fn counts(&self) -> (u32, u32) {
        if self.kept.iter().all(|kept| *kept) && self.dropped.is_empty() {
            return (self.added, self.removed);
        }
        let (mut added, mut removed) = (0, 0);
        for (place, hunk) in self.sides.hunks.iter().enumerate() {
            if self.kept.get(place) == Some(&true) {
                let dropped = |of: fn(&Line) -> bool| self.dropped_of(place).filter(of).count();
                added += hunk.after.len() - dropped(|line| matches!(line, Line::After(_)));
                removed += hunk.before.len() - dropped(|line| matches!(line, Line::Before(_)));
            }
        }
        let count = |lines: usize| u32::try_from(lines).unwrap_or(u32::MAX);
        (count(added), count(removed))
    }

    pub(super) fn dropped_of(&self, hunk: usize) -> impl Iterator<Item = Line> {
        let hunk = self.sides.hunks.get(hunk).cloned();
        hunk.into_iter().flat_map(|hunk| {
            let before = Line::Before(hunk.before.start)..Line::Before(hunk.before.end);
            let after = Line::After(hunk.after.start)..Line::After(hunk.after.end);
            self.dropped.range(before).chain(self.dropped.range(after)).copied()
        })
    }

    pub(super) fn toggle_hunk(&mut self, hunk: usize) -> bool {
        if self.edited.is_some() && self.kept.len() > 1 && !self.can_be_taken_apart() {
            return false;
        }
        self.set_hunk(hunk, self.mark_of_hunk(hunk) != Mark::Kept);
        true
    }

    /// Whether the text stays valid UTF-8 if any of its lines are removed.
    fn can_be_taken_apart(&self) -> bool {
        let sides = [&self.sides.before, &self.sides.after];
        sides.into_iter().all(|side| std::str::from_utf8(side.bytes()).is_ok())
    }

    fn set_hunk(&mut self, hunk: usize, keep: bool) {
        let lines: Vec<Line> = self.dropped_of(hunk).collect();
        for line in lines {
            self.dropped.remove(&line);
        }
        if let Some(kept) = self.kept.get_mut(hunk) {
            *kept = keep;
        }
    }

    pub(super) fn toggle(&mut self) {
        let keep = self.mark() != Mark::Kept;
        self.dropped.clear();
        self.kept.fill(keep);
    }

    /// Discards lines of a hunk, or accepts them if all are discarded. Returns `false` if lines cannot be separated.
    pub(super) fn toggle_lines(&mut self, hunk: usize, lines: &[Line]) -> bool {
        let Some(all) = self.sides.hunks.get(hunk).cloned() else {
            return false;
        };
        if !self.can_be_taken_apart() {
            return false;
        }
        if let Some(kept) = self.kept.get_mut(hunk).filter(|kept| !**kept) {
            *kept = true;
            self.dropped.extend(all.before.clone().map(Line::Before));
            self.dropped.extend(all.after.clone().map(Line::After));
        }
        let keep = lines.iter().all(|line| self.dropped.contains(line));
        for line in lines {
            if keep {
                self.dropped.remove(line);
            } else {
                self.dropped.insert(*line);
            }
        }
        if self.dropped_of(hunk).count() == all.before.len() + all.after.len() {
            self.set_hunk(hunk, false);
        }
        true
    }

    /// Replaces the accepted text by the user's text, and computes the diff again. Discarded lines stay discarded.
    pub(crate) fn replace(&mut self, text: String) {
        if self.mark() == Mark::Kept || !self.regain(&text) {
            self.propose(text.as_bytes());
        }
        self.drop_whole_hunks();
        self.edited = Some(text);
        self.notes.push(word(Word::EditedByYou).to_owned());
    }

    /// Inserts the discarded lines into the user's text, so that they can still be accepted. Returns `false` if the
    /// result without these lines is not the user's text.
    fn regain(&mut self, text: &str) -> bool {
        let is_dropped = |hunk: usize, line| self.is_dropped(hunk, line);
        let rows = self.rows(DiffLayout::SideBySide);
        let regained = self.sides.regained(rows, is_dropped, text.as_bytes());
        self.propose(&regained.after);
        self.dropped = regained.dropped;
        self.proposal().as_deref() == Some(text) && self.can_be_taken_apart()
    }

    pub(super) fn propose(&mut self, after: &[u8]) {
        self.sides = Sides::of(self.change.before.clone(), Some(after.into()));
        self.change.after = Some(after.into());
        self.dropped.clear();
        self.compute();
    }

    fn drop_whole_hunks(&mut self) {
        for hunk in 0..self.sides.hunks.len() {
            if self.dropped.is_empty() {
                return;
            }
            let lines = self.sides.hunks.get(hunk).map(|all| all.before.len() + all.after.len());
            if lines == Some(self.dropped_of(hunk).count()) {
                self.set_hunk(hunk, false);
            }
        }
    }

    pub(super) fn own_text(&self) -> Option<String> {
        let before = self.change.before.as_deref().unwrap_or_default();
        let edited = self.edited.as_ref()?;
        Some(new_lines(&String::from_utf8_lossy(before), edited))
    }

    pub(super) fn row_of_proposed(&self, layout: DiffLayout, line: usize) -> usize {
        let mut above = 0;
        let rows = self.rows(layout).iter();
        let mut rows = rows.map(|row| {
            above += self.proposed_in(row);
            above
        });
        rows.position(|above| above > line).unwrap_or(0)
    }

    pub(crate) fn name(&self) -> &str {
        last_part(&self.change.path)
    }

    pub(crate) fn target(&self) -> &str {
        &self.change.path
    }

    pub(super) fn rows(&self, layout: DiffLayout) -> &[DiffRow] {
        let rows = match layout {
            DiffLayout::SideBySide => &self.side_by_side,
            DiffLayout::Unified => &self.unified,
        };
        rows.get_or_init(|| self.made_rows(layout))
    }

    fn made_rows(&self, layout: DiffLayout) -> Vec<DiffRow> {
        let mut rows = match layout {
            _ if !self.is_text => Vec::new(),
            DiffLayout::SideBySide => self.sides.side_by_side(self.context),
            DiffLayout::Unified => self.sides.unified(self.context),
        };
        for fold in &self.unfolded {
            fold.show(&mut rows);
        }
        rows
    }

    pub(super) fn first_hunk(&self) -> Option<(usize, Option<usize>, Option<usize>)> {
        let hunk = self.sides.hunks.first().filter(|_| self.is_text)?;
        let first = |lines: &Range<usize>| (!lines.is_empty()).then_some(lines.start);
        let before = first(&hunk.before);
        let after = first(&hunk.after).filter(|_| before.is_none());
        Some((self.sides.rows_above_first(self.context), before, after))
    }

    pub fn sides(&self) -> &Sides {
        &self.sides
    }
}

fn is_text(change: &FileChange) -> bool {
    let sides = [&change.before, &change.after];
    sides
        .into_iter()
        .flatten()
        .all(|bytes| !matches!(Encoding::of(bytes), Encoding::Binary | Encoding::Utf16))
}
