//! The visible rows of the conversation. The view follows new text at the end until the user scrolls up. Scrolling up
//! pins the view to a row.
//!
//! Only visible blocks are laid out. The heights of other blocks are estimated.

use super::block::{Block, Source};
use super::find::mark_hits;
use super::place::Place;
use super::{Conversation, lay};
use crate::line::Line;
use benchdog_base::clock::Time;
use benchdog_domain::entry::Body;
use benchdog_lang::Label;

/// Maximum width of text in columns, even in a wider window.
pub const WIDEST: u16 = 100;
/// Maximum bytes of a streamed answer that are laid out per frame.
const LAID_AT_ONCE: usize = 64 * 1024;
/// Number of laid-out rows above which rows far from the view are evicted.
const MANY_LAID: usize = 4_000;
/// Number of rows around the view that are not evicted, so that paging stays fast.
const KEPT: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRow {
    pub block: usize,
    pub row: usize,
    pub line: Line,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Pin {
    pub(super) place: Place,
    /// Number of visible characters of the block before the pinned row. Used to find the row again at another width.
    /// Counted only when the width changes for the first time.
    ink: Option<usize>,
    /// Number of blocks when the view was pinned. `seen_height` is the height that the last block had at that time.
    pub(super) seen: usize,
    seen_height: usize,
}

impl Conversation {
    /// Whether a visible row belongs to a prompt of the user. Blank rows around a prompt do not count.
    pub fn is_of_person(&self, place: usize) -> bool {
        let Some(row) = self.rows.get(place) else { return false };
        let entry = self.blocks.get(row.block).and_then(Block::entry);
        if !entry.is_some_and(|entry| matches!(entry.body, Body::User { .. })) {
            return false;
        }
        let text = row.line.spans.iter().any(|span| !span.text.trim().is_empty());
        let same = |place: Option<usize>| {
            place
                .and_then(|place| self.rows.get(place))
                .is_some_and(|other| other.block == row.block)
        };
        text || (same(place.checked_sub(1)) && same(place.checked_add(1)))
    }

    pub(crate) fn is_behind(&self) -> bool {
        self.stale
    }

    pub fn arrange(&mut self, width: u16, height: u16, now: Time) {
        let width = usize::from(width.min(WIDEST)).max(1);
        let height = usize::from(height);
        if (width, height) == (self.width, self.height) && !self.stale {
            return;
        }
        self.now = now;
        self.set_height(height);
        if width != self.width {
            self.set_width(width);
        }
        self.stale = !self.grow_live();
        let bottom = self.bottom();
        self.top = match self.pin {
            Some(pin) => {
                self.lay(pin.place.block);
                let last = self.heights.get(pin.place.block).saturating_sub(1);
                bottom.min(Place {
                    row: pin.place.row.min(last),
                    ..pin.place
                })
            }
            None => bottom,
        };
        self.fill();
        self.count_new();
        self.forget();
    }

    /// Sets the height of the view. Estimates blocks of the user's own commands again, because their folded output
    /// takes half of the height.
    fn set_height(&mut self, height: usize) {
        if self.height == height {
            return;
        }
        self.height = height;
        for index in 0..self.blocks.len() {
            if self.blocks.get(index).is_some_and(Block::is_own_command) {
                self.estimate(index);
            }
        }
    }

    fn set_width(&mut self, width: usize) {
        let pin = self.pin.map(|pin| {
            self.lay(pin.place.block);
            (pin, pin.ink.unwrap_or_else(|| self.ink_before(pin.place)))
        });
        self.width = width;
        for index in 0..self.blocks.len() {
            self.estimate(index);
        }
        for block in &mut self.blocks {
            if let Source::Live { document, text } = &mut block.source {
                *document = crate::markdown::Document::of(text, width);
            }
        }
        if let Some((pin, ink)) = pin {
            self.lay(pin.place.block);
            let row = self.row_of_ink(pin.place.block, ink);
            self.pin = Some(Pin {
                place: Place { row, ..pin.place },
                ink: Some(ink),
                ..pin
            });
        }
    }

    /// Lays out a part of the streamed text, at most `LAID_AT_ONCE` bytes. The rest follows in the next frames, so that
    /// key presses stay fast. Returns whether all of the text is laid out.
    pub(super) fn grow_live(&mut self) -> bool {
        let Some(index) = self.live else { return true };
        let gap = self.gap(index);
        let mut whole = true;
        if let Some(Source::Live { text, document }) = self.blocks.get_mut(index).map(|block| &mut block.source) {
            let upto = text.floor_char_boundary(document.grown() + LAID_AT_ONCE);
            document.grow(text.get(..upto).unwrap_or_default());
            whole = upto == text.len();
            self.heights.set(index, gap + 1 + document.rows().len());
        }
        whole
    }

    /// Drops the rows of a block and estimates their number.
    pub(super) fn estimate(&mut self, index: usize) {
        if let Some(block) = self.blocks.get_mut(index) {
            block.changed();
        }
        let height = match self.blocks.get(index) {
            Some(block) if !self.is_folded_away(index) => self.gap(index) + block.estimate(self.width),
            _ => 0,
        };
        self.heights.set(index, height);
    }

    pub(super) fn lay(&mut self, index: usize) {
        if self.is_folded_away(index) {
            self.heights.set(index, 0);
            return;
        }
        let (gap, most) = (self.gap(index), self.most_output(index));
        let Some(block) = self.blocks.get_mut(index) else {
            return;
        };
        if let Source::Live { document, .. } = &block.source {
            // The rows are up to date, so replace the estimate by their number.
            return self.heights.set(index, gap + 1 + document.rows().len());
        }
        if block.laid.is_some() {
            return;
        }
        let laid = lay::block(
            block,
            (&self.open_key, &self.pastes),
            (self.width, most),
            (self.asks, &self.zone),
            self.now,
        );
        let rows = laid.rows.len();
        block.laid = Some(laid);
        block.measured = true;
        self.laid += rows;
        self.heights.set(index, if rows == 0 { 0 } else { gap + rows });
    }

    /// Returns the number of output rows of a folded block. A command of the user gets half of the pane. A running call
    /// gets the free rows of the pane, so that no row above moves.
    fn most_output(&self, index: usize) -> usize {
        let Some(block) = self.blocks.get(index) else { return 0 };
        if block.is_own_command() {
            return self.height / 2;
        }
        if !block.is_running() {
            return 0;
        }
        let others = self.heights.total() - self.heights.get(index);
        let free = self.height.saturating_sub(others + self.gap(index) + 1);
        free.min(lay::RUNNING_ROWS)
    }

    pub(super) fn gap(&self, index: usize) -> usize {
        let Some(block) = self.blocks.get(index) else { return 0 };
        if block.is_gone() {
            return 0;
        }
        let before = index.checked_sub(1).and_then(|before| self.blocks.get(before));
        let beside = |before: &Block| (block.is_tool() && before.is_tool()) || block.goes_on_with(before);
        usize::from(!before.is_some_and(beside))
    }

    pub(super) fn line(&self, place: Place) -> Option<Line> {
        let block = self.blocks.get(place.block)?;
        let Some(row) = place.row.checked_sub(self.gap(place.block)) else {
            return Some(Line::default());
        };
        match &block.source {
            Source::Live { document, .. } => match row.checked_sub(1) {
                None => Some(lay::label(Label::Writing)),
                Some(row) => document.rows().get(row).cloned(),
            },
            _ => block.laid.as_ref()?.rows.get(row).cloned(),
        }
    }

    /// Returns the scroll position at which the last row is at the bottom of the pane.
    pub(super) fn bottom(&mut self) -> Place {
        let mut room = self.height.max(1);
        for block in (0..self.blocks.len()).rev() {
            self.lay(block);
            let height = self.heights.get(block);
            if height >= room {
                return Place {
                    block,
                    row: height - room,
                };
            }
            room -= height;
        }
        Place::default()
    }

    fn fill(&mut self) {
        self.rows.clear();
        let mut place = self.top;
        while self.rows.len() < self.height && place.block < self.blocks.len() {
            self.lay(place.block);
            let height = self.heights.get(place.block);
            while place.row < height && self.rows.len() < self.height {
                if let Some(mut line) = self.line(place) {
                    if let Some(find) = self.find.as_ref().filter(|find| !find.query.is_empty()) {
                        mark_hits(&mut line, &find.query);
                    }
                    self.rows.push(ConversationRow {
                        block: place.block,
                        row: place.row,
                        line,
                    });
                }
                place.row += 1;
            }
            place = Place {
                block: place.block + 1,
                row: 0,
            };
        }
    }

    /// Scrolls by rows. Scrolling up pins the view. After scrolling down to the end, the view follows new text again.
    pub(crate) fn scroll(&mut self, rows: isize) {
        if rows < 0 {
            let top = self.up(self.top, rows.unsigned_abs());
            if top != self.top || self.pin.is_some() {
                self.hold(top);
            }
        } else if self.pin.is_some() {
            let bottom = self.bottom();
            let top = self.down(self.top, rows.unsigned_abs());
            if top >= bottom {
                self.follow();
            } else {
                self.hold(top);
            }
        }
        self.stale = true;
    }

    pub fn page(&mut self, pages: isize) {
        let rows = isize::try_from(self.height.saturating_sub(2).max(1)).unwrap_or(1);
        self.scroll(pages * rows);
    }

    pub(crate) fn follow(&mut self) {
        self.pin = None;
        self.new_lines = None;
        self.let_hit_go();
        self.stale = true;
    }

    pub(crate) fn jump_top(&mut self) {
        if self.top != Place::default() {
            self.hold(Place::default());
        }
        self.stale = true;
    }

    pub fn follows(&self) -> bool {
        self.pin.is_none()
    }

    pub(super) fn hold(&mut self, place: Place) {
        let (seen, seen_height) = match self.pin {
            Some(pin) => (pin.seen, pin.seen_height),
            None => (self.blocks.len(), self.heights.get(self.blocks.len().saturating_sub(1))),
        };
        self.top = place;
        self.pin = Some(Pin {
            place,
            ink: None,
            seen,
            seen_height,
        });
        self.stale = true;
    }

    /// Keeps the visible rows in place while rows are added below. If the end is visible, follows new text instead.
    pub(super) fn stay(&mut self) {
        let bottom = self.bottom();
        if self.top < bottom {
            self.hold(self.top);
        } else {
            self.follow();
        }
    }

    pub(super) fn up(&mut self, mut place: Place, mut rows: usize) -> Place {
        while rows > 0 {
            if place.row >= rows {
                place.row -= rows;
                return place;
            }
            rows -= place.row;
            place.row = 0;
            if place.block == 0 {
                return place;
            }
            place.block -= 1;
            self.lay(place.block);
            place.row = self.heights.get(place.block);
        }
        place
    }

    pub(super) fn down(&mut self, mut place: Place, mut rows: usize) -> Place {
        while place.block < self.blocks.len() {
            self.lay(place.block);
            let left = self.heights.get(place.block).saturating_sub(place.row);
            if rows < left {
                place.row += rows;
                return place;
            }
            rows -= left;
            place = Place {
                block: place.block + 1,
                row: 0,
            };
        }
        place
    }

    /// Scrolls to a block unless the block is already visible. If the block is below the view and fits, its last row
    /// becomes the last visible row. Otherwise its first row becomes the first visible row.
    pub(super) fn show_block(&mut self, block: usize) {
        self.lay(block);
        let visible = self.rows.iter().filter(|row| row.block == block).count();
        let height = self.heights.get(block);
        if visible >= height.min(self.height) {
            return;
        }
        let is_below = self.rows.first().is_some_and(|first| block > first.block);
        let top = if is_below && height < self.height {
            self.up(Place { block, row: height }, self.height)
        } else {
            Place { block, row: 0 }
        };
        if top < self.bottom() {
            self.hold(top);
        } else {
            self.follow();
        }
    }

    /// Scrolls so that the first row of a block is at the top, if enough rows follow.
    pub(super) fn show_at_top(&mut self, block: usize) {
        self.lay(block);
        let top = Place { block, row: 0 };
        if top < self.bottom() {
            self.hold(top);
        } else {
            self.follow();
        }
    }

    fn ink_before(&self, place: Place) -> usize {
        (0..place.row)
            .filter_map(|row| self.line(Place { row, ..place }))
            .map(|line| ink(&line))
            .sum()
    }

    fn row_of_ink(&self, block: usize, wanted: usize) -> usize {
        let height = self.heights.get(block);
        let mut sum = 0;
        for row in 0..height {
            let next = sum + self.line(Place { block, row }).map_or(0, |line| ink(&line));
            if next > wanted {
                return row;
            }
            sum = next;
        }
        0
    }

    fn count_new(&mut self) {
        let Some(pin) = self.pin else { return };
        for block in pin.seen.saturating_sub(1)..self.blocks.len() {
            if self.blocks.get(block).is_some_and(|block| !block.measured) {
                self.lay(block);
            }
        }
        let grown = self
            .heights
            .get(pin.seen.saturating_sub(1))
            .saturating_sub(pin.seen_height);
        let added = self.heights.total() - self.heights.before(pin.seen);
        let (first, seen, all) = self.scroll_bar();
        // Do not count new rows that are already visible.
        self.new_lines = Some((grown + added).min(all.saturating_sub(first + seen)));
    }

    /// Returns values for a scroll bar: the number of rows above the view, of visible rows, and of all rows. The
    /// numbers are estimates while some blocks are not laid out.
    pub fn scroll_bar(&self) -> (usize, usize, usize) {
        (
            self.heights.before(self.top.block) + self.top.row,
            self.rows.len(),
            self.heights.total(),
        )
    }

    fn forget(&mut self) {
        if self.laid - self.let_go < MANY_LAID {
            return;
        }
        self.let_go = self.laid;
        let mut first = self.top.block;
        let mut last = self.rows.last().map_or(first, |row| row.block);
        let near = |view: usize, block: usize| self.heights.before(view).abs_diff(self.heights.before(block)) <= KEPT;
        let (begin, end) = (first, last + 1);
        while first > 0 && near(begin, first - 1) {
            first -= 1;
        }
        while last + 1 < self.blocks.len() && near(end, last + 2) {
            last += 1;
        }
        for (index, block) in self.blocks.iter_mut().enumerate() {
            if !(first..=last).contains(&index) {
                block.laid = None;
            }
        }
    }

    pub(super) fn reset_laid(&mut self, index: usize) {
        self.estimate(index);
        self.lay(index);
        self.stale = true;
    }
}

fn ink(line: &Line) -> usize {
    line.spans
        .iter()
        .flat_map(|span| span.text.chars())
        .filter(|c| !c.is_whitespace())
        .count()
}
