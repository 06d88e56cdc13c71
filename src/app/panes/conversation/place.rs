//! Positions in the conversation. They contain block indices, which change when blocks are inserted or removed.

use super::Conversation;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Place {
    pub(super) block: usize,
    pub(super) row: usize,
}

impl Place {
    pub(super) fn moved(self, moved: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let block = moved(self.block)?;
        Some(Self { block, ..self })
    }
}

impl Conversation {
    /// Updates all positions. `moved` maps a block index to the new index, and returns `None` for a removed block. The
    /// struct pattern lists all fields, so that a new field with positions is not forgotten.
    pub(super) fn move_places(&mut self, moved: impl Fn(usize) -> Option<usize>) {
        let Self {
            find,
            find_from: _,
            selected,
            folded,
            calls,
            running,
            undoable,
            live,
            live_thought,
            retrying,
            sent_at,
            rows,
            copied_code,
            opened_spot,
            top,
            pin,
            blocks: _,
            new_lines: _,
            tools: _,
            has_top: _,
            gone: _,
            wants_gone: _,
            search_waits: _,
            heights: _,
            shows_code: _,
            looked: _,
            decided: _,
            open_key: _,
            asks: _,
            pastes: _,
            width: _,
            height: _,
            now: _,
            zone: _,
            stale: _,
            laid: _,
            let_go: _,
        } = self;
        for place in [selected, undoable, live, live_thought, retrying, sent_at] {
            *place = place.and_then(&moved);
        }
        for place in [copied_code, opened_spot] {
            *place = place.and_then(|(block, nth)| Some((moved(block)?, nth)));
        }
        calls.retain(|_, place| moved(*place).inspect(|to| *place = *to).is_some());
        *running = running.iter().copied().filter_map(&moved).collect();
        for folded in folded {
            folded.until = moved(folded.until).unwrap_or(1);
        }
        if let Some(find) = find {
            find.move_places(&moved);
        }
        *top = top.moved(&moved).unwrap_or_default();
        if let Some(pin) = pin {
            pin.place = pin.place.moved(&moved).unwrap_or_default();
            pin.seen = moved(pin.seen).unwrap_or(1);
        }
        // The visible rows contain stale block indices.
        rows.clear();
    }
}
