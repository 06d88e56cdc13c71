//! The keymap: default bindings with the person's overrides.

use std::collections::BTreeMap;

use super::action::{Action, rows};
use super::key::Key;
#[cfg(test)]
use super::key::KeyCode;
pub use super::refusal::Conflict;
use super::refusal::{is_needed, nearest_id, refused};
use super::scope::Scope;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chord {
    pub first: Key,
    pub second: Option<Key>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Action(Action),
    Prefix,
    Nothing,
}

#[derive(Debug, Clone)]
pub struct Keymap {
    /// All bindings, sorted by chord, so that two-key bindings with the same first key are adjacent.
    chords: BTreeMap<(Chord, Scope), Action>,
    keys: BTreeMap<Action, Vec<Chord>>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::with(&[]).0
    }
}

impl Chord {
    /// Parses a key such as `ctrl-p`, or two keys with a space between: `ctrl-x 1`, `Ctrl+X 1`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split_whitespace();
        let first = parts.next()?.parse().ok()?;
        let second = match parts.next() {
            Some(part) => Some(part.parse().ok()?),
            None => None,
        };
        parts.next().is_none().then_some(Self { first, second })
    }

    pub fn shown(&self) -> String {
        match self.second {
            None => self.first.shown(),
            Some(second) => format!("{} {}", self.first.shown(), second.shown()),
        }
    }

    /// Whether some terminals cannot send the keys: Alt, F keys, and Shift with a key that types no character.
    #[cfg(test)]
    pub(crate) fn is_fragile(&self) -> bool {
        let fragile = |key: Key| key.alt || key.shift || matches!(key.code, KeyCode::F(_));
        fragile(self.first) || self.second.is_some_and(fragile)
    }
}

impl Keymap {
    /// Creates the keymap. An override replaces all default keys of its action.
    pub fn with(overrides: &[(String, Vec<String>)]) -> (Self, Vec<Conflict>) {
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
                match accepted(action, text) {
                    Ok(chord) => chords.push(chord),
                    Err(conflict) => conflicts.push(conflict),
                }
            }
            if keys.is_empty() && is_needed(action) {
                // An action that must have a key keeps its default keys.
                conflicts.push(Conflict::Needed { id: action.row().id });
                continue;
            }
            wanted.insert(action, chords);
        }
        let mut map = Self {
            chords: BTreeMap::new(),
            keys: BTreeMap::new(),
        };
        // The person's bindings are added first, so they win over defaults.
        for row in rows() {
            for chord in wanted.get(&row.action).into_iter().flatten() {
                map.bind(row.action, *chord, &wanted, &mut conflicts);
            }
        }
        for row in rows().filter(|row| !wanted.contains_key(&row.action)) {
            for chord in row.keys.iter().filter_map(|text| Chord::parse(text)) {
                if wanted.is_empty() {
                    // Do not compare default keys, because this would slow down every start. A test checks them.
                    map.hold(row.action, chord);
                } else {
                    map.bind(row.action, chord, &wanted, &mut conflicts);
                }
            }
        }
        (map, conflicts)
    }

    /// Adds the bindings of an action, and records conflicts. `wanted` contains the person's bindings.
    fn bind(
        &mut self,
        action: Action,
        chord: Chord,
        wanted: &BTreeMap<Action, Vec<Chord>>,
        conflicts: &mut Vec<Conflict>,
    ) {
        let row = action.row();
        if let Some(holder) = self.chords.get(&(chord, row.scope)).filter(|holder| **holder != action) {
            conflicts.push(Conflict::Twice {
                key: chord.shown(),
                kept: holder.row().id,
                dropped: row.id,
            });
            return;
        }
        if let Some(holder) = self.covered(action, chord, wanted) {
            conflicts.push(Conflict::Twice {
                key: chord.shown(),
                kept: holder.row().id,
                dropped: row.id,
            });
            return;
        }
        if let Some((longer, shorter, holder)) = self.half(row.scope, chord) {
            let shorter = shorter.shown();
            // Report a key once, even if several bindings begin with it.
            let told =
                |conflict: &Conflict| matches!(conflict, Conflict::Half { shorter: before, .. } if *before == shorter);
            if !conflicts.iter().any(told) {
                conflicts.push(Conflict::Half {
                    shorter,
                    longer: longer.shown(),
                    kept: holder.row().id,
                    dropped: row.id,
                });
            }
            return;
        }
        self.hold(action, chord);
    }

    fn hold(&mut self, action: Action, chord: Chord) {
        self.chords.insert((chord, action.row().scope), action);
        self.keys.entry(action).or_default().push(chord);
    }

    /// Returns an action in another scope that conflicts with a new binding of `action` to `chord`. Two bindings
    /// conflict if one hides the other and either action changes a request. They also conflict if a binding of the
    /// person would never take effect.
    fn covered(&self, action: Action, chord: Chord, wanted: &BTreeMap<Action, Vec<Chord>>) -> Option<Action> {
        let scope = action.row().scope;
        let mut others = self.begun_by(chord.first).filter(|(held, other, holder)| {
            let nested = || scope.chain().any(|s| s == *other) || other.chain().any(|s| s == scope);
            let hides_a_decision = || nested() && (action.alters_request() || holder.alters_request());
            *held == chord && (hides_a_decision() || is_dead(action, *holder, chord, wanted))
        });
        others.next().map(|(_, _, holder)| holder)
    }

    /// Returns a conflict between a single key and a two-key binding that starts with this key, if both are valid at
    /// the same time. The result is the two-key chord, the single key, and the action of the existing binding.
    fn half(&self, scope: Scope, chord: Chord) -> Option<(Chord, Chord, Action)> {
        let holds = |place: Scope, wanted: Scope| place.chain().any(|scope| scope == wanted);
        let together = |other: Scope| {
            let mut places = Scope::ALL.into_iter();
            places.any(|place| holds(place, scope) && holds(place, other))
        };
        self.begun_by(chord.first)
            .filter(|(held, other, _)| held.second.is_some() != chord.second.is_some() && together(*other))
            .min_by_key(|(held, other, _)| (*other, *held))
            .map(|(held, _, action)| match held.second {
                Some(_) => (held, chord, action),
                None => (chord, held, action),
            })
    }

    fn begun_by(&self, first: Key) -> impl Iterator<Item = (Chord, Scope, Action)> {
        // In the map, single keys precede two-key bindings with the same start, and `Global` precedes other scopes.
        let from = (Chord { first, second: None }, Scope::Global);
        let begun = self
            .chords
            .range(from..)
            .map(|((chord, scope), action)| (*chord, *scope, *action));
        begun.take_while(move |(chord, ..)| chord.first == first)
    }

    pub fn action(&self, scope: Scope, key: Key) -> Option<Action> {
        match self.find(scope, None, key) {
            Found::Action(action) => Some(action),
            Found::Prefix | Found::Nothing => None,
        }
    }

    /// Looks up a key in a scope. `first` is the first key of a two-key binding, if it was pressed before.
    pub fn find(&self, scope: Scope, first: Option<Key>, key: Key) -> Found {
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
        for scope in scope.chain() {
            if let Some(action) = self.chords.get(&(chord, scope)) {
                return Found::Action(*action);
            }
        }
        let is_prefix = first.is_none()
            && self
                .begun_by(key)
                .any(|(held, other, _)| held.second.is_some() && scope.chain().any(|scope| scope == other));
        if is_prefix { Found::Prefix } else { Found::Nothing }
    }

    /// Returns the possible second keys after a first key, in the order of the table.
    pub fn after(&self, scope: Scope, first: Key) -> Vec<(Key, Action)> {
        let second = |chord: &Chord| chord.second.filter(|_| chord.first == first);
        let mut found: Vec<(Key, Action)> = Vec::new();
        for row in rows() {
            let here = self.keys_of(row.action).iter();
            let here = here.filter(|chord| self.means(scope, chord, row.action));
            found.extend(here.filter_map(second).map(|key| (key, row.action)));
        }
        found
    }

    pub fn means(&self, scope: Scope, chord: &Chord, action: Action) -> bool {
        let holder = scope.chain().find_map(|scope| self.chords.get(&(*chord, scope)));
        holder == Some(&action)
    }

    pub fn keys_of(&self, action: Action) -> &[Chord] {
        self.keys.get(&action).map_or(&[], Vec::as_slice)
    }

    pub fn hint(&self, action: Action) -> String {
        self.keys_of(action).first().map(Chord::shown).unwrap_or_default()
    }
}

/// Whether a binding of the person never takes effect. In this case the other action always hides the binding, and the
/// person configured no further chord for the hidden action.
///
/// `false` if the chord is a default of both actions, or if the person also configured the hiding action.
fn is_dead(one: Action, other: Action, chord: Chord, wanted: &BTreeMap<Action, Vec<Chord>>) -> bool {
    let is_under = |low: Action, high: Action| low.row().scope.is_always_under(high.row().scope);
    let is_default = |action: Action| action.row().keys.iter().any(|key| Chord::parse(key) == Some(chord));
    let dead = |low: Action, high: Action| {
        let only = wanted.get(&low).is_some_and(|keys| keys.len() == 1);
        is_under(low, high) && only && !wanted.contains_key(&high) && !(is_default(low) && is_default(high))
    };
    dead(one, other) || dead(other, one)
}

fn accepted(action: Action, text: &str) -> Result<Chord, Conflict> {
    let chord = Chord::parse(text).ok_or_else(|| Conflict::BadKey {
        id: action.row().id.to_owned(),
        text: text.to_owned(),
    })?;
    match refused(action, chord) {
        Some(conflict) => Err(conflict),
        None => Ok(chord),
    }
}

#[cfg(test)]
mod tests;
