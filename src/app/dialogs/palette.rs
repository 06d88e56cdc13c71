//! Every action by name, filtered as one types. An action that decides a request is listed, and only moves the keyboard
//! to it: nothing is decided from here.

use crate::app::fuzzy;
use crate::app::panes::scrolled;
use crate::keys::action::TABLE;
use crate::keys::keymap::Chord;
use crate::keys::{Action, Keymap, Scope};

pub(crate) struct Palette {
    pub(crate) filter: String,
    pub(crate) rows: Vec<PaletteRow>,
    pub(crate) selected: usize,
    pub(crate) top: usize,
    /// Where the keyboard was: actions of these scopes come first.
    scope: Scope,
}

pub(crate) struct PaletteRow {
    pub(crate) action: Action,
    pub(crate) title: &'static str,
    /// As shown: `Ctrl+P`; empty when it has none.
    pub(crate) keys: String,
    /// Characters of the title that the filter matched, by index.
    pub(crate) hits: Vec<usize>,
}

impl Palette {
    pub(crate) fn new(keymap: &Keymap, scope: Scope) -> Self {
        let mut palette = Self {
            filter: String::new(),
            rows: Vec::new(),
            selected: 0,
            top: 0,
            scope,
        };
        palette.refresh(keymap);
        palette
    }

    pub(crate) fn edit(&mut self, keymap: &Keymap, change: impl FnOnce(&mut String)) {
        change(&mut self.filter);
        self.refresh(keymap);
    }

    fn refresh(&mut self, keymap: &Keymap) {
        let near =
            |scope: Scope| self.scope == scope || self.scope.parents().contains(&scope) || scope == Scope::Global;
        // What works where the keyboard is now, then the rest; keys that only type or move in this list are no actions.
        let mut rows: Vec<_> = TABLE
            .iter()
            .filter(|row| !matches!(row.scope, Scope::Picker | Scope::Dialog))
            .collect();
        rows.sort_by_key(|row| (!near(row.scope), row.scope != Scope::Global));
        self.rows = fuzzy::filter(rows.iter().map(|row| row.title), &self.filter)
            .into_iter()
            .filter_map(|(index, hits)| {
                let row = rows.get(index)?;
                let keys: Vec<String> = keymap.keys_of(row.action).iter().take(2).map(Chord::shown).collect();
                Some(PaletteRow {
                    action: row.action,
                    title: row.title,
                    keys: keys.join("  "),
                    hits,
                })
            })
            .collect();
        self.selected = 0;
        self.top = 0;
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.selected = self
            .selected
            .saturating_add_signed(by)
            .min(self.rows.len().saturating_sub(1));
    }

    pub(crate) fn arrange(&mut self, height: u16) {
        self.top = scrolled(self.top, self.selected, self.rows.len(), usize::from(height));
    }

    pub(crate) fn chosen(&self) -> Option<Action> {
        self.rows.get(self.selected).map(|row| row.action)
    }
}
