//! Which key does what, where: the table's defaults with a person's overrides on top.

use std::collections::BTreeMap;

use super::action::{Action, rows};
use super::key::Key;
#[cfg(test)]
use super::key::KeyCode;
pub(crate) use super::refusal::Conflict;
use super::refusal::{is_needed, nearest_id, refused};
use super::scope::Scope;

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

#[derive(Debug, Clone)]
pub(crate) struct Keymap {
    /// By the chord first: what begins with the same stroke stands together.
    chords: BTreeMap<(Chord, Scope), Action>,
    keys: BTreeMap<Action, Vec<Chord>>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::with(&[]).0
    }
}

impl Chord {
    /// `ctrl-p`, or two strokes with a space between: `ctrl-x 1`; as the screen shows them (`Ctrl+X 1`), too.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split_whitespace();
        let first = parts.next()?.parse().ok()?;
        let second = match parts.next() {
            Some(part) => Some(part.parse().ok()?),
            None => None,
        };
        parts.next().is_none().then_some(Self { first, second })
    }

    /// `Ctrl+X 1`.
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
                match accepted(action, text) {
                    Ok(chord) => chords.push(chord),
                    Err(conflict) => conflicts.push(conflict),
                }
            }
            if keys.is_empty() && is_needed(action) {
                // The defaults stay.
                conflicts.push(Conflict::Needed { id: action.row().id });
                continue;
            }
            wanted.insert(action, chords);
        }
        let mut map = Self {
            chords: BTreeMap::new(),
            keys: BTreeMap::new(),
        };
        // What the person wrote comes first, so that a default gives way and not the other way round.
        for row in rows() {
            for chord in wanted.get(&row.action).into_iter().flatten() {
                map.bind(row.action, *chord, &wanted, &mut conflicts);
            }
        }
        for row in rows().filter(|row| !wanted.contains_key(&row.action)) {
            for chord in row.keys.iter().filter_map(|text| Chord::parse(text)) {
                if wanted.is_empty() {
                    // The defaults fit one another, which a test holds; to compare them costs every start.
                    map.hold(row.action, chord);
                } else {
                    map.bind(row.action, chord, &wanted, &mut conflicts);
                }
            }
        }
        (map, conflicts)
    }

    /// `wanted`: what the person wrote.
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
            // Told once, however many keys begin with it.
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

    /// Another action with this chord that cannot have it beside this one. In a scope around this one or inside it, where one
    /// of the two decides a request: the nearer would hide the other, and the screen would promise both. Or where the person
    /// gave it to one that the other always hides.
    fn covered(&self, action: Action, chord: Chord, wanted: &BTreeMap<Action, Vec<Chord>>) -> Option<Action> {
        let scope = action.row().scope;
        let mut others = self.begun_by(chord.first).filter(|(held, other, holder)| {
            let nested = || scope.chain().any(|s| s == *other) || other.chain().any(|s| s == scope);
            let hides_a_decision = || nested() && (action.alters_request() || holder.alters_request());
            *held == chord && (hides_a_decision() || is_dead(action, *holder, chord, wanted))
        });
        others.next().map(|(_, _, holder)| holder)
    }

    /// A chord that is valid together with this one, where one of the two is the first stroke of the other: the longer,
    /// the shorter, and whose it is.
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

    /// What has this first stroke.
    fn begun_by(&self, first: Key) -> impl Iterator<Item = (Chord, Scope, Action)> {
        // One stroke comes before two, and `Global` before every other scope.
        let from = (Chord { first, second: None }, Scope::Global);
        let begun = self
            .chords
            .range(from..)
            .map(|((chord, scope), action)| (*chord, *scope, *action));
        begun.take_while(move |(chord, ..)| chord.first == first)
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

    /// What may follow a first stroke in a scope, in the order of the table.
    pub(crate) fn after(&self, scope: Scope, first: Key) -> Vec<(Key, Action)> {
        let second = |chord: &Chord| chord.second.filter(|_| chord.first == first);
        let mut found: Vec<(Key, Action)> = Vec::new();
        for row in rows() {
            let here = self.keys_of(row.action).iter();
            let here = here.filter(|chord| self.means(scope, chord, row.action));
            found.extend(here.filter_map(second).map(|key| (key, row.action)));
        }
        found
    }

    /// Whether a chord of an action means it here, and no nearer row has it.
    pub(crate) fn means(&self, scope: Scope, chord: &Chord, action: Action) -> bool {
        let holder = scope.chain().find_map(|scope| self.chords.get(&(*chord, scope)));
        holder == Some(&action)
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

/// Whether one of two actions always hides the other, to which the person gave the chord as its only key. What both have by default goes
/// on in the nearer one as in the other, and who wrote both, or has another key for the hidden one, has chosen.
fn is_dead(one: Action, other: Action, chord: Chord, wanted: &BTreeMap<Action, Vec<Chord>>) -> bool {
    let is_under = |low: Action, high: Action| low.row().scope.is_always_under(high.row().scope);
    let is_default = |action: Action| action.row().keys.iter().any(|key| Chord::parse(key) == Some(chord));
    let dead = |low: Action, high: Action| {
        let only = wanted.get(&low).is_some_and(|keys| keys.len() == 1);
        is_under(low, high) && only && !wanted.contains_key(&high) && !(is_default(low) && is_default(high))
    };
    dead(one, other) || dead(other, one)
}

/// What was written for an action, where it is a key the action may have.
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
