//! Search in the conversation. Searches the original text, and starts with the newest match.

use super::Conversation;
use super::place::Place;
use crate::find::MOST_SOUGHT;
use crate::layout::Pane;
use crate::line::{Line, Role, Span};
use benchdog_base::clock::Time;
use benchdog_base::text::find_folded;

/// Number of blocks at the end whose text may still change, so that their matches are counted again.
const MAY_GROW: usize = 64;

/// Maximum number of blocks that are searched per key press. `MOST_SOUGHT` limits the bytes.
pub const MOST_BLOCKS: usize = 2_000;

/// Minimum time in ms between two counts while text arrives, because a count may take as long as a key press.
pub const BETWEEN_COUNTS: i64 = 250;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find {
    pub query: String,
    pub typing: bool,
    pub hits: usize,
    pub at: usize,
    place: Option<Place>,
    /// Whether the match must stay visible when text arrives. Becomes `false` when the user scrolls to the end.
    stays: bool,
    counted: Vec<usize>,
    pub sought: Option<Sought>,
    outdated: bool,
    renewed: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sought {
    All(usize),
    /// Number of matches in the newest text. Older text was not searched, so the number may be too low.
    Newest(usize),
}

impl Find {
    pub fn has_gone(&self) -> bool {
        self.place.is_some() || !self.typing
    }

    pub(super) fn move_places(&mut self, moved: impl Fn(usize) -> Option<usize>) {
        let Self {
            place,
            counted,
            outdated,
            query: _,
            typing: _,
            hits: _,
            at: _,
            stays: _,
            sought: _,
            renewed: _,
        } = self;
        *place = place.and_then(|place| place.moved(moved));
        counted.clear();
        *outdated = true;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindFrom {
    Pane(Pane),
    Review,
}

impl Conversation {
    pub(crate) fn find_open(&mut self) {
        let query = self.find.take().map(|find| find.query).unwrap_or_default();
        self.find = Some(Find {
            query,
            typing: true,
            hits: 0,
            at: 0,
            place: None,
            stays: false,
            counted: Vec::new(),
            sought: None,
            outdated: false,
            renewed: Time::default(),
        });
        self.count_sought();
        self.stale = true;
    }

    pub(crate) fn find_close(&mut self) {
        self.find = None;
        // A view at the end is no longer pinned, so that the view follows new text again.
        let bottom = self.bottom();
        if self.pin.is_some() && self.top >= bottom {
            self.follow();
        }
        self.stale = true;
    }

    pub(crate) fn find_edit(&mut self, change: impl FnOnce(&mut String)) {
        if let Some(find) = self.find.as_mut() {
            change(&mut find.query);
            find.place = None;
            find.counted.clear();
        }
        self.count_sought();
        self.stale = true;
    }

    fn count_sought(&mut self) {
        let query = self.find.as_ref().map(|find| find.query.as_str());
        let sought = query.filter(|query| !query.is_empty()).map(|query| self.sought(query));
        if let Some(find) = self.find.as_mut() {
            find.sought = sought;
        }
    }

    fn sought(&self, query: &str) -> Sought {
        let (mut hits, mut bytes) = (0, 0);
        for (newer, block) in self.blocks.iter().rev().enumerate() {
            bytes += block.size();
            if newer == MOST_BLOCKS || bytes > MOST_SOUGHT {
                return Sought::Newest(hits);
            }
            hits += block.hits(query);
        }
        // Turns that are not in memory may contain more matches. They are loaded when the search moves to them.
        if self.gone.turns > 0 {
            Sought::Newest(hits)
        } else {
            Sought::All(hits)
        }
    }

    /// Marks the counts as stale, and keeps the current match visible.
    pub(super) fn outdate_find(&mut self) {
        let Some(find) = self.find.as_mut() else { return };
        find.outdated = true;
        if find.stays && self.pin.is_none() {
            self.hold(self.top);
        }
    }

    pub(super) fn let_hit_go(&mut self) {
        if let Some(find) = self.find.as_mut() {
            find.stays = false;
        }
    }

    pub(crate) fn find_wakes_at(&self) -> Option<Time> {
        let find = self.find.as_ref()?;
        let counts = find.outdated && !find.query.is_empty();
        counts.then_some(Time(find.renewed.0.saturating_add(BETWEEN_COUNTS)))
    }

    pub(crate) fn renew_find(&mut self, now: Time) -> bool {
        if self.find_wakes_at().is_none_or(|at| at > now) {
            return false;
        }
        let Some(find) = self.find.as_mut() else { return false };
        (find.outdated, find.renewed) = (false, now);
        let (before, query) = ((find.sought, find.hits, find.at), find.query.clone());
        if find.has_gone() {
            self.count_hits(&query);
        } else {
            self.count_sought();
        }
        let find = self.find.as_ref();
        find.is_some_and(|find| (find.sought, find.hits, find.at) != before)
    }

    /// Ends typing the query. Moves to the newest visible match, or else to the newest match.
    pub(crate) fn find_go(&mut self) {
        let Some(find) = self.find.as_mut() else { return };
        find.typing = false;
        find.place = None;
        find.counted.clear();
        let query = find.query.clone();
        self.selected = None;
        self.search_waits = self.gone.turns > 0;
        self.grow_whole();
        let Some((at, seen)) = self.hit_in_view(&query) else {
            return self.find_step(-1);
        };
        self.wants_gone = true;
        let place = self.keep_in_view(at, seen, &query);
        self.stand_at(Some(place), &query);
    }

    pub(crate) fn find_step(&mut self, by: isize) {
        let Some(query) = self.find.as_ref().map(|find| find.query.clone()) else {
            return;
        };
        self.wants_gone = true;
        self.grow_whole();
        let place = match self.beside_hit(&query, by) {
            Some(place) => Some(place),
            None => self
                .next_block(&query, by)
                .map(|block| self.opened_at(block, &query, by)),
        };
        if let Some(place) = place {
            self.show_row(place);
        }
        self.stand_at(place, &query);
    }

    fn stand_at(&mut self, place: Option<Place>, query: &str) {
        if let Some(place) = place {
            self.selected = Some(place.block);
        }
        if let Some(find) = self.find.as_mut() {
            find.place = place;
            find.stays = place.is_some();
        }
        self.count_hits(query);
        self.stale = true;
    }

    fn grow_whole(&mut self) {
        while !self.grow_live() {}
    }

    fn hit_in_view(&mut self, query: &str) -> Option<(usize, Place)> {
        let holds = |line: &Line| find_folded(&line.text(), query).is_some();
        let rows = self.rows.iter().enumerate().rev();
        let seen: Vec<_> = rows
            .filter(|(_, row)| holds(&row.line))
            .map(|(at, row)| {
                let (block, row) = (row.block, row.row);
                (at, Place { block, row })
            })
            .collect();
        // The match may have moved, because text has arrived since the last frame.
        seen.into_iter().find(|(_, place)| {
            self.lay(place.block);
            let has_text = self.blocks.get(place.block).is_some_and(|block| block.holds(query));
            has_text && self.line(*place).is_some_and(|line| holds(&line))
        })
    }

    /// Keeps a row at its position on screen, even if the block of the row is opened to show further matches.
    fn keep_in_view(&mut self, at: usize, seen: Place, query: &str) -> Place {
        let block = self.blocks.get(seen.block);
        let is_folded = block.is_some_and(|block| block.folds() && !block.open);
        if !is_folded {
            let bottom = self.bottom();
            if self.pin.is_none() && self.top < bottom {
                self.hold(self.top);
            }
            return seen;
        }
        let text = self.line(seen).map(|line| line.text());
        let newest = self.opened_at(seen.block, query, -1);
        let of_row = |row: usize| self.line(Place { row, ..seen }).map(|line| line.text());
        let rows = self.rows_with(seen.block, query);
        let same = rows.into_iter().rev().find(|row| of_row(*row) == text);
        let place = Place {
            row: same.unwrap_or(newest.row),
            ..seen
        };
        let top = self.up(place, at);
        self.show_from(top);
        place
    }

    fn beside_hit(&mut self, query: &str, by: isize) -> Option<Place> {
        let here = self
            .find
            .as_ref()?
            .place
            .filter(|here| Some(here.block) == self.selected)?;
        self.lay(here.block);
        let rows = self.rows_with(here.block, query);
        let row = if by < 0 {
            rows.into_iter().rev().find(|row| *row < here.row)
        } else {
            rows.into_iter().find(|row| *row > here.row)
        };
        row.map(|row| Place { row, ..here })
    }

    fn next_block(&self, query: &str, by: isize) -> Option<usize> {
        let holds = |block: &usize| self.blocks.get(*block).is_some_and(|block| block.holds(query));
        let (here, all) = (self.selected.unwrap_or(self.blocks.len()), 0..self.blocks.len());
        if by < 0 {
            let older = all.clone().rev().filter(|block| *block < here).find(holds);
            older.or_else(|| all.rev().find(holds))
        } else {
            let newer = all.clone().filter(|block| *block > here).find(holds);
            newer.or_else(|| all.clone().find(holds))
        }
    }

    /// Opens a block. Returns the first match in the block if `by` is 1, or the last match if `by` is -1.
    fn opened_at(&mut self, block: usize, query: &str, by: isize) -> Place {
        if self.is_folded_away(block) {
            self.open_earlier(true);
            // The visible rows have moved.
            self.rows.clear();
        }
        if let Some(block) = self.blocks.get_mut(block).filter(|block| block.folds()) {
            block.open = true;
        }
        self.reset_laid(block);
        let rows = self.rows_with(block, query);
        let row = if by < 0 { rows.last() } else { rows.first() };
        // A match that is split by a line wrap is in no single row. In that case, show the start of the block.
        Place {
            block,
            row: row.copied().unwrap_or_else(|| self.gap(block)),
        }
    }

    fn show_row(&mut self, place: Place) {
        let bottom = self.bottom();
        let top = if self.pin.is_some() {
            self.top.min(bottom)
        } else {
            bottom
        };
        if place >= top && place < self.down(top, self.height) {
            self.top = top;
            return;
        }
        let top = self.up(place, self.height / 2);
        self.show_from(top);
    }

    fn show_from(&mut self, top: Place) {
        let bottom = self.bottom();
        if top < bottom {
            self.hold(top);
        } else {
            self.follow();
            self.top = bottom;
        }
    }

    fn rows_with(&self, block: usize, query: &str) -> Vec<usize> {
        let holds = |row: &usize| {
            let line = self.line(Place { block, row: *row });
            line.is_some_and(|line| find_folded(&line.text(), query).is_some())
        };
        (0..self.heights.get(block)).filter(holds).collect()
    }

    pub(super) fn find_again(&mut self) {
        let find = self.find.as_ref().filter(|find| !find.typing);
        let Some(query) = find.map(|find| find.query.clone()) else {
            return;
        };
        let waits = std::mem::take(&mut self.search_waits);
        if waits && self.find.as_ref().is_some_and(|find| find.place.is_none()) {
            return self.find_step(-1);
        }
        self.count_hits(&query);
    }

    /// Counts matches in new blocks, and in blocks at the end that may have grown.
    fn count_hits(&mut self, query: &str) {
        let mut counted = self
            .find
            .as_mut()
            .map(|find| std::mem::take(&mut find.counted))
            .unwrap_or_default();
        counted.truncate(self.blocks.len().saturating_sub(MAY_GROW));
        let new = self.blocks.iter().skip(counted.len()).map(|block| block.hits(query));
        counted.extend(new);
        let place = self.find.as_ref().and_then(|find| find.place);
        let place = place.filter(|place| Some(place.block) == self.selected);
        if let Some(place) = place {
            // Lay out the block first, because its rows may be evicted or stale.
            self.lay(place.block);
        }
        let (mut hits, mut at) = (0, 0);
        for (index, here) in counted.iter().copied().enumerate() {
            if let Some(place) = place.filter(|place| place.block == index) {
                let rows = self.rows_with(index, query);
                let above = rows.iter().filter(|row| **row <= place.row).count();
                // Several rows may contain matches of one long line, so limit the number to the matches of the block.
                at = hits + above.clamp(1, here.max(1));
            }
            hits += here;
        }
        if let Some(find) = self.find.as_mut() {
            find.hits = hits;
            find.at = at;
            find.counted = counted;
        }
    }
}

pub(super) fn mark_hits(line: &mut Line, query: &str) {
    let spans = std::mem::take(&mut line.spans);
    for span in spans {
        let mut rest = span.text.as_str();
        while let Some(at) = find_folded(rest, query) {
            let (before, hit) = rest.split_at_checked(at).unwrap_or((rest, ""));
            let (hit, after) = hit.split_at_checked(query.len()).unwrap_or((hit, ""));
            let part = |text: &str, role| Span {
                text: text.to_owned(),
                role,
                link: span.link.clone(),
            };
            line.spans.extend([part(before, span.role), part(hit, Role::Hit)]);
            rest = after;
            if hit.is_empty() {
                break;
            }
        }
        if !rest.is_empty() {
            line.spans.push(Span {
                text: rest.to_owned(),
                role: span.role,
                link: span.link.clone(),
            });
        }
    }
    line.spans.retain(|span| !span.text.is_empty());
    if line.spans.iter().any(|span| span.role == Role::Hit) {
        // Without the code position, `ui` does not highlight the code, which would replace these spans.
        line.code = None;
    }
}
