//! Every command that does something where the keyboard was, by name, filtered as one types. What decides a request only
//! moves the keyboard to it: nothing is decided from here.

use crate::app::cursor::Cursor;
use crate::app::fuzzy;
use crate::keys::action::rows;
use crate::keys::keymap::Chord;
use crate::keys::{Action, Keymap, Scope};
use crate::lang;

pub(crate) struct Palette {
    pub(crate) filter: String,
    pub(crate) rows: Vec<PaletteRow>,
    pub(crate) cursor: Cursor,
    /// Where the keyboard was: what is valid there is listed.
    scope: Scope,
    /// What stands before all others: what matters now, and what was chosen here lately.
    first: Vec<Action>,
}

/// So many that were chosen lately stand before the others.
pub(crate) const LATELY: usize = 5;

pub(crate) struct PaletteRow {
    pub(crate) action: Action,
    pub(crate) title: &'static str,
    /// As shown: `Ctrl+P`; empty when no key means it where the keyboard was.
    pub(crate) keys: String,
    /// Characters of the title that the filter matched, by index.
    pub(crate) hits: Vec<usize>,
}

impl Palette {
    pub(crate) fn new(keymap: &Keymap, scope: Scope, first: Vec<Action>) -> Self {
        let mut palette = Self {
            filter: String::new(),
            rows: Vec::new(),
            cursor: Cursor::default(),
            scope,
            first,
        };
        palette.refresh(keymap);
        palette
    }

    pub(crate) fn edit(&mut self, keymap: &Keymap, change: impl FnOnce(&mut String)) {
        change(&mut self.filter);
        self.refresh(keymap);
    }

    fn refresh(&mut self, keymap: &Keymap) {
        // What belongs to the prompt can be done from everywhere.
        let acts = |scope: Scope| scope == Scope::Prompt || self.scope.chain().any(|near| near == scope);
        let mut rows: Vec<_> = rows().filter(|row| row.action.is_named() && acts(row.scope)).collect();
        let rank = |action| {
            self.first
                .iter()
                .position(|first| *first == action)
                .unwrap_or(usize::MAX)
        };
        rows.sort_by_key(|row| (row.action.is_at_hand(), rank(row.action), row.scope != Scope::Global));
        let titles: Vec<&'static str> = rows.iter().map(|row| lang::title(row.id, row.title)).collect();
        let mut found = fuzzy::filter(titles.iter().copied(), &self.filter);
        // Whoever does not write in the spoken language now finds a row by its English name.
        let in_english = fuzzy::filter(rows.iter().map(|row| row.title), &self.filter);
        for (index, _) in in_english {
            if found.iter().all(|(other, _)| *other != index) {
                found.push((index, Vec::new()));
            }
        }
        self.rows = found
            .into_iter()
            .filter_map(|(index, hits)| {
                let row = rows.get(index)?;
                let means = |chord: &&Chord| keymap.means(self.scope, chord, row.action);
                let keys = keymap.keys_of(row.action).iter().filter(means).take(2);
                let keys: Vec<String> = keys.map(Chord::shown).collect();
                Some(PaletteRow {
                    action: row.action,
                    title: titles.get(index)?,
                    keys: keys.join("  "),
                    hits,
                })
            })
            .collect();
        self.cursor = Cursor::default();
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.cursor.step(by, self.rows.len());
    }

    pub(crate) fn arrange(&mut self, height: u16) {
        self.cursor.arrange(self.rows.len(), height);
    }

    pub(crate) fn chosen(&self) -> Option<Action> {
        self.rows.get(self.cursor.at).map(|row| row.action)
    }
}
