//! The command palette: a filterable list of all slash commands, and of the actions in the scope from which it was
//! opened. An action that would decide a request only moves the focus to the request.

use crate::commands::{Slash, SlashRow, TABLE, alike};
use crate::cursor::Cursor;
use crate::word_match;
use benchdog_keys::action::rows;
use benchdog_keys::keymap::Chord;
use benchdog_keys::{Action, Keymap, Scope};
use benchdog_lang as lang;

pub struct Palette {
    pub filter: String,
    pub rows: Vec<PaletteRow>,
    pub cursor: Cursor,
    scope: Scope,
    first: Vec<Choice>,
    /// Actions that are unavailable now, each with the reason. They are listed last.
    idle: Vec<Idle>,
}

pub(crate) type Idle = (Action, &'static str);

/// Maximum number of recently used choices at the top.
pub(crate) const LATELY: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Action(Action),
    Command(&'static SlashRow),
}

pub struct PaletteRow {
    pub choice: Choice,
    pub title: &'static str,
    /// The key binding, or else the name of the command, such as `/undo`. For an unavailable action, the reason why.
    pub keys: String,
    pub is_idle: bool,
    pub hits: Vec<usize>,
}

struct Entry {
    choice: Choice,
    title: &'static str,
    english: &'static str,
    /// The names of the slash command without the slash. The first name is displayed.
    names: Vec<&'static str>,
    also: &'static str,
    idle: Option<&'static str>,
}

impl Choice {
    pub(crate) fn is_at_hand(self) -> bool {
        matches!(self, Self::Action(action) if action.is_at_hand())
    }

    /// Whether the choice grants permissions. One or two typed characters must not suffice to reach such a choice.
    pub(crate) fn gives_leave(self) -> bool {
        matches!(self, Self::Command(row) if matches!(row.command, Slash::Yes | Slash::Execute))
    }

    pub(crate) fn does(self, row: &SlashRow) -> bool {
        match self {
            Self::Action(action) => row.command.action() == Some(action),
            Self::Command(own) => row.command == own.command,
        }
    }

    fn entry(self, idle: Option<&'static str>) -> Entry {
        let (title, english) = match self {
            Self::Action(action) => {
                let row = action.row();
                (lang::title(row.id, row.title), row.title)
            }
            Self::Command(row) => (row.title(), row.title),
        };
        let names = TABLE.iter().filter(|row| self.does(row)).map(|row| row.name);
        let (with_word, also) = match self {
            Self::Action(action) => (alike::with_word(action), alike::also(action)),
            Self::Command(row) => (None, alike::also_command(row.command)),
        };
        Entry {
            choice: self,
            title,
            english,
            names: names.chain(with_word).collect(),
            also,
            idle,
        }
    }

    fn place(self) -> u8 {
        match self {
            Self::Action(Action::Global(_)) => 0,
            Self::Action(_) => 1,
            Self::Command(_) => 2,
        }
    }
}

impl Palette {
    pub(crate) fn new(keymap: &Keymap, scope: Scope, first: Vec<Choice>, idle: Vec<Idle>) -> Self {
        let mut palette = Self {
            filter: String::new(),
            rows: Vec::new(),
            cursor: Cursor::default(),
            scope,
            first,
            idle,
        };
        palette.refresh(keymap);
        palette
    }

    pub(crate) fn edit(&mut self, keymap: &Keymap, change: impl FnOnce(&mut String)) {
        change(&mut self.filter);
        self.refresh(keymap);
    }

    fn refresh(&mut self, keymap: &Keymap) {
        let entries = self.entries();
        self.rows = found(&entries, &self.filter)
            .into_iter()
            .filter_map(|(index, hits)| {
                let entry = entries.get(index)?;
                Some(PaletteRow {
                    choice: entry.choice,
                    title: entry.title,
                    keys: self.keys(keymap, entry),
                    is_idle: entry.idle.is_some(),
                    hits,
                })
            })
            .collect();
        self.cursor = Cursor::default();
    }

    fn entries(&self) -> Vec<Entry> {
        // Actions of the prompt are available everywhere.
        let acts = |scope: Scope| scope == Scope::Prompt || self.scope.chain().any(|near| near == scope);
        let actions = rows().filter(|row| row.action.is_named() && acts(row.scope));
        let commands = TABLE
            .iter()
            .filter(|row| row.command.action().is_none() && !row.is_second_name());
        let mut all: Vec<Choice> = actions.map(|row| Choice::Action(row.action)).collect();
        all.extend(commands.map(Choice::Command));
        let rank = |choice| {
            self.first
                .iter()
                .position(|first| *first == choice)
                .unwrap_or(usize::MAX)
        };
        let ranked = |choice: &Choice| {
            let is_idle = self.idle(*choice).is_some();
            (choice.is_at_hand(), is_idle, rank(*choice), choice.place())
        };
        all.sort_by_key(ranked);
        all.into_iter().map(|choice| choice.entry(self.idle(choice))).collect()
    }

    fn idle(&self, choice: Choice) -> Option<&'static str> {
        let is_it = |(action, _): &&Idle| Choice::Action(*action) == choice;
        self.idle.iter().find(is_it).map(|(_, why)| *why)
    }

    fn keys(&self, keymap: &Keymap, entry: &Entry) -> String {
        if let Some(why) = entry.idle {
            return why.to_owned();
        }
        let keys: Vec<String> = match entry.choice {
            Choice::Action(action) => {
                let means = |chord: &&Chord| keymap.means(self.scope, chord, action);
                let keys = keymap.keys_of(action).iter().filter(means).take(2);
                keys.map(Chord::shown).collect()
            }
            Choice::Command(_) => Vec::new(),
        };
        match entry.names.first() {
            Some(name) if keys.is_empty() => format!("/{name}"),
            _ => keys.join("  "),
        }
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.cursor.step(by, self.rows.len());
    }

    pub fn arrange(&mut self, height: u16) {
        self.cursor.arrange(self.rows.len(), height);
    }

    pub(crate) fn chosen(&self) -> Option<Choice> {
        self.rows.get(self.cursor.at).map(|row| row.choice)
    }
}

/// Returns the matching entries with the matched characters. Commands whose names match come first, then entries whose
/// titles contain all words of the filter. Unavailable actions come last.
fn found(entries: &[Entry], filter: &str) -> Vec<(usize, Vec<usize>)> {
    if filter.trim().is_empty() {
        return (0..entries.len()).map(|index| (index, Vec::new())).collect();
    }
    let words = word_match::words(filter);
    let mut found = named(entries, filter);
    let fit = |entry: &Entry| word_match::fit(&[entry.title, entry.english, entry.also], &words);
    let fitting = entries.iter().enumerate().filter(|(index, _)| !found.contains(index));
    let mut fitting: Vec<_> = fitting
        .filter_map(|(index, entry)| Some((entry.idle.is_some(), fit(entry)?, index)))
        .collect();
    fitting.sort_unstable();
    found.extend(fitting.into_iter().map(|(_, _, index)| index));
    let hits = |index: usize| entries.get(index).map(|entry| word_match::hits(entry.title, &words));
    let with_hits = found.into_iter().map(|index| (index, hits(index).unwrap_or_default()));
    with_hits.collect()
}

/// Returns the commands whose names start with the filter. A command that grants permissions must be typed in full.
fn named(entries: &[Entry], filter: &str) -> Vec<usize> {
    let written = filter.trim().to_lowercase();
    if written.is_empty() {
        return Vec::new();
    }
    let name = written.strip_prefix('/').unwrap_or(&written);
    let goes_on = |entry: &Entry| {
        let begins = |own: &&&str| own.starts_with(name) && (**own == name || !entry.choice.gives_leave());
        entry.names.iter().filter(begins).map(|own| *own != name).min()
    };
    let ranked = entries.iter().enumerate();
    let mut ranked: Vec<(bool, usize)> = ranked
        .filter_map(|(index, entry)| Some((goes_on(entry)?, index)))
        .collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, index)| index).collect()
}
