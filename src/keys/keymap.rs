//! Which key does what, where: the table's defaults with a person's overrides on top.

use std::collections::BTreeMap;

use super::action::{Action, Scope, TABLE};
use super::key::Key;
#[cfg(test)]
use super::key::KeyCode;

/// One or two strokes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Chord {
    pub(crate) first: Key,
    pub(crate) second: Option<Key>,
}

/// What a stroke comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Action(Action),
    /// The first stroke of at least one two-stroke key.
    Prefix,
    Nothing,
}

/// Two actions want one key in one scope; the first named one keeps it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Conflict {
    #[error("`{key}` means `{kept}` and `{dropped}`; it stays with `{kept}`")]
    Twice {
        key: String,
        kept: &'static str,
        dropped: &'static str,
    },
    #[error("there is no action `{id}`{}", nearest.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownAction { id: String, nearest: Option<&'static str> },
    #[error("`{text}` for `{id}` is not a key")]
    BadKey { id: String, text: String },
}

#[derive(Debug, Clone)]
pub(crate) struct Keymap {
    chords: BTreeMap<(Scope, Chord), Action>,
    keys: BTreeMap<Action, Vec<Chord>>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::with(&[]).0
    }
}

impl Chord {
    /// `ctrl-p`, or two strokes with a space between: `ctrl-w 1`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split_whitespace();
        let first = parts.next()?.parse().ok()?;
        let second = match parts.next() {
            Some(part) => Some(part.parse().ok()?),
            None => None,
        };
        parts.next().is_none().then_some(Self { first, second })
    }

    /// `Ctrl+W 1`.
    pub(crate) fn shown(&self) -> String {
        match self.second {
            None => self.first.shown(),
            Some(second) => format!("{} {}", self.first.shown(), second.shown()),
        }
    }

    /// Whether some terminals cannot send it: any Alt or F chord, and Shift with a key that types nothing.
    #[cfg(test)]
    pub(crate) fn is_fragile(&self) -> bool {
        let fragile = |key: Key| key.alt || key.shift || matches!(key.code, KeyCode::F(_));
        fragile(self.first) || self.second.is_some_and(fragile)
    }
}

impl Keymap {
    /// The defaults with overrides: action id, then its keys, replacing all defaults of that action.
    pub(crate) fn with(overrides: &[(String, Vec<String>)]) -> (Self, Vec<Conflict>) {
        let mut conflicts = Vec::new();
        let mut wanted: BTreeMap<Action, Vec<Chord>> = BTreeMap::new();
        for (id, keys) in overrides {
            let Some(action) = Action::by_id(id) else {
                conflicts.push(Conflict::UnknownAction {
                    id: id.clone(),
                    nearest: nearest_id(id),
                });
                continue;
            };
            let mut chords = Vec::new();
            for text in keys {
                match Chord::parse(text) {
                    Some(chord) => chords.push(chord),
                    None => conflicts.push(Conflict::BadKey {
                        id: id.clone(),
                        text: text.clone(),
                    }),
                }
            }
            wanted.insert(action, chords);
        }
        let mut map = Self {
            chords: BTreeMap::new(),
            keys: BTreeMap::new(),
        };
        // What the person wrote comes first, so that a default gives way and not the other way round.
        for row in TABLE {
            if let Some(chords) = wanted.get(&row.action) {
                for chord in chords {
                    map.bind(row.action, *chord, Loud::Yes, &mut conflicts);
                }
            }
        }
        for row in TABLE.iter().filter(|row| !wanted.contains_key(&row.action)) {
            for chord in row.keys.iter().filter_map(|text| Chord::parse(text)) {
                map.bind(row.action, chord, Loud::Yes, &mut conflicts);
            }
        }
        (map, conflicts)
    }

    fn bind(&mut self, action: Action, chord: Chord, loud: Loud, conflicts: &mut Vec<Conflict>) {
        let row = action.row();
        match self.chords.get(&(row.scope, chord)) {
            Some(holder) if *holder != action => {
                if matches!(loud, Loud::Yes) {
                    conflicts.push(Conflict::Twice {
                        key: chord.shown(),
                        kept: holder.row().id,
                        dropped: row.id,
                    });
                }
            }
            _ => {
                self.chords.insert((row.scope, chord), action);
                self.keys.entry(action).or_default().push(chord);
            }
        }
    }

    /// What one stroke means in a scope, or in its parents.
    #[cfg(test)]
    pub(crate) fn action(&self, scope: Scope, key: Key) -> Option<Action> {
        match self.find(scope, None, key) {
            Found::Action(action) => Some(action),
            Found::Prefix | Found::Nothing => None,
        }
    }

    /// What a stroke means, given the first stroke that waits for it.
    pub(crate) fn find(&self, scope: Scope, first: Option<Key>, key: Key) -> Found {
        let chord = match first {
            Some(first) => Chord {
                first,
                second: Some(key),
            },
            None => Chord {
                first: key,
                second: None,
            },
        };
        let scopes = || std::iter::once(scope).chain(scope.parents().iter().copied());
        for scope in scopes() {
            if let Some(action) = self.chords.get(&(scope, chord)) {
                return Found::Action(*action);
            }
        }
        let is_prefix = first.is_none()
            && scopes().any(|scope| {
                self.chords
                    .keys()
                    .any(|(s, c)| *s == scope && c.first == key && c.second.is_some())
            });
        if is_prefix { Found::Prefix } else { Found::Nothing }
    }

    /// The keys of an action, in the order they are listed.
    pub(crate) fn keys_of(&self, action: Action) -> &[Chord] {
        self.keys.get(&action).map_or(&[], Vec::as_slice)
    }

    /// The first key of an action as people read it, or an empty text.
    pub(crate) fn hint(&self, action: Action) -> String {
        self.keys_of(action).first().map(Chord::shown).unwrap_or_default()
    }
}

enum Loud {
    Yes,
}

/// The id that shares the longest beginning, or the same last part.
fn nearest_id(id: &str) -> Option<&'static str> {
    let last = id.rsplit('.').next().unwrap_or(id);
    TABLE
        .iter()
        .map(|row| row.id)
        .max_by_key(|known| {
            let shared = known.chars().zip(id.chars()).take_while(|(a, b)| a == b).count();
            shared + if known.ends_with(last) { 4 } else { 0 }
        })
        .filter(|known| known.chars().next() == id.chars().next() || known.ends_with(last))
}

#[cfg(test)]
mod tests;
