//! Tests that every row of the key table has an effect in every place that lists it, with default and configured keys.

mod contrast;
mod places;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use benchdog_app::msg::Msg;
use benchdog_app::op::Op;
use benchdog_app::state::State;
use benchdog_base::clock::Time;
use benchdog_base::id::CallId;
use benchdog_domain::entry::Body;
use benchdog_domain::permission::{CommandClass, DecidedBy};
use benchdog_domain::review::{CommandReview, FileChange, FileOperation, Review};
use benchdog_keys::Keymap;
use benchdog_protocol::{Answer, ApprovalRequest, Live, TurnState};

use benchdog_app::bench::{Bench, questions, request};
use benchdog_app::dialogs::help::Help;
use benchdog_app::focus::scope;
use benchdog_keys::action::{ActionRow, rows};
use benchdog_keys::keymap::Chord;
use benchdog_keys::{Action, Scope as Place};
use benchdog_theme::{Depth, Theme};
use places::{PLACES, already_there, bench_in, prepare};

/// Parsed once, because the tests render many frames.
static THEME: LazyLock<Theme> = LazyLock::new(|| Theme::shipped("dark", Depth::Full));

type Seen = (String, Buffer);

fn seen(bench: &Bench, from: usize) -> Seen {
    let state = &bench.state;
    let mut picture = crate::Frame::empty(Rect::new(0, 0, state.width, state.height));
    let caret = crate::draw(state, &THEME, &mut crate::Cache::default(), &mut picture);
    let follows = state.screen.conversation.follows();
    let asked: Vec<&Op> = bench
        .ops
        .iter()
        .skip(from)
        .filter(|op| !matches!(op, Op::WakeAt(_)))
        .collect();
    (format!("{asked:?} {caret:?} {follows}"), picture.cells)
}

/// Returns a workbench in which the row has an effect, and whether `prepare` changed its state.
fn ready(place: Place, row: &ActionRow, keymap: &Keymap) -> (Bench, bool) {
    let mut bench = bench_in(place);
    let is_prepared = prepare(&mut bench, place, row.action);
    assert_eq!(scope(&bench.state), place, "{} is prepared elsewhere", row.id);
    // After this delay, keys that decide are enabled.
    bench.wait(600);
    bench.state.keymap = keymap.clone();
    (bench, is_prepared)
}

/// Presses these keys. Returns the result, and whether `prepare` changed the state before.
fn pressed(place: Place, row: &ActionRow, keymap: &Keymap, chord: &Chord) -> (Seen, bool) {
    let (mut bench, is_prepared) = ready(place, row, keymap);
    let from = bench.ops.len();
    for key in [Some(chord.first), chord.second].into_iter().flatten() {
        bench.key(key);
    }
    (seen(&bench, from), is_prepared)
}

/// Whether these keys do more than an unbound key. `quiet` caches the result of an unbound key in this place and
/// keymap. That result is the same for all rows unless `prepare` changes the state.
fn does_something(place: Place, row: &ActionRow, keymap: &Keymap, chord: &Chord, quiet: &mut Option<Seen>) -> bool {
    let idle = || pressed(place, row, keymap, &Chord::parse("f24").unwrap()).0;
    let (acted, is_prepared) = pressed(place, row, keymap, chord);
    if is_prepared {
        return acted != idle();
    }
    acted != *quiet.get_or_insert_with(idle)
}

/// Returns the rows listed in a place, with their keys. Omits keys that a nearer scope overrides.
fn listed(place: Place, keymap: &Keymap) -> Vec<(&'static ActionRow, Vec<Chord>)> {
    let mut taken = Vec::new();
    let mut found = Vec::new();
    for scope in place.chain() {
        let of_scope: Vec<_> = rows().filter(|row| row.scope == scope).collect();
        let before = taken.clone();
        for row in of_scope {
            let mut keys = keymap.keys_of(row.action).to_vec();
            keys.retain(|key| !before.contains(key));
            taken.extend(keys.clone());
            found.push((row, keys));
        }
    }
    found
}

#[test]
fn every_place_is_one_of_the_places_or_shared_by_them() {
    for scope in Place::ALL {
        let shared = PLACES.iter().any(|place| place.parents().contains(&scope));
        assert!(PLACES.contains(&scope) || shared, "{scope:?} is listed nowhere");
    }
}

fn rebound(row: &ActionRow) -> (Keymap, Chord) {
    let (keymap, conflicts) = Keymap::with(&[(row.id.to_owned(), vec!["f12".to_owned()])]);
    assert_eq!(conflicts, [], "{}", row.id);
    (keymap, Chord::parse("f12").unwrap())
}

#[test]
fn every_row_does_something_wherever_it_is_listed() {
    let defaults = Keymap::default();
    let mut idle = Vec::new();
    for place in PLACES {
        let mut quiet = None;
        for (row, keys) in listed(place, &defaults) {
            // A row without an effective default key must work with a configured one.
            let mut with_this = None;
            let ((keymap, key), quiet) = match keys.first() {
                Some(key) => ((defaults.clone(), *key), &mut quiet),
                None => (rebound(row), &mut with_this),
            };
            if !already_there(place, row.action) && !does_something(place, row, &keymap, &key, quiet) {
                idle.push(format!("{place:?}: {} ({})", row.id, key.shown()));
            }
            let means = |key| keymap.means(place, key, row.action);
            assert!(keys.iter().all(means), "{place:?}: {}", row.id);
        }
    }
    assert!(idle.is_empty(), "these do nothing:\n{}", idle.join("\n"));
}

#[test]
fn a_row_that_is_bound_to_another_key_does_the_same_by_that_key_and_help_shows_it() {
    let mut done = Vec::new();
    // Caches the keymap of each row, because a row is listed in many places.
    let mut keymaps = BTreeMap::new();
    for place in PLACES {
        for (row, before) in listed(place, &Keymap::default()) {
            let (keymap, other) = &*keymaps.entry(row.id).or_insert_with(|| rebound(row));
            let help = Help::new(keymap, place, &[]);
            let told = help.sections.iter().flat_map(|section| &section.rows);
            let told: Vec<&str> = told
                .filter(|entry| entry.keys == "F12")
                .map(|entry| entry.title.as_str())
                .collect();
            assert_eq!(told, [row.title], "{place:?}: {}", row.id);
            for key in before.iter().filter(|key| key.second.is_none()) {
                assert_ne!(
                    keymap.action(place, key.first),
                    Some(row.action),
                    "{place:?}: {}",
                    row.id
                );
            }
            if already_there(place, row.action) || done.contains(&row.id) {
                continue;
            }
            done.push(row.id);
            assert!(
                does_something(place, row, keymap, other, &mut None),
                "{place:?}: {}",
                row.id
            );
        }
    }
    assert_eq!(done.len(), rows().count());
}

const HINTS: [(Place, &[&str]); 10] = [
    (Place::Prompt, &["palette.open", "help.open"]),
    (Place::Conversation, &["pane.leave", "help.open", "conversation.toggle"]),
    (Place::Change, &["change.close"]),
    (Place::Find, &["find.go", "find.close"]),
    (
        Place::Proposal,
        &[
            "approval.once",
            "approval.deny",
            "approval.keep",
            "approval.why",
            "approval.leave",
        ],
    ),
    (
        Place::Confirm,
        &["confirm.more", "confirm.lasts", "confirm.grant", "confirm.back"],
    ),
    (Place::Reason, &["reason.send", "reason.back"]),
    (Place::Options, &["question.send", "question.toggle", "question.leave"]),
    (Place::Picker, &["picker.close"]),
    (Place::Dialog, &["dialog.close"]),
];

#[test]
fn a_key_on_the_screen_is_the_key_that_is_bound() {
    for (place, ids) in HINTS {
        for id in ids {
            let mut bench = bench_in(place);
            let (keymap, _) = Keymap::with(&[((*id).to_owned(), vec!["f12".to_owned()])]);
            bench.state.keymap = keymap;
            bench.send(Msg::Resize { width: 160, height: 24 });
            let (_, picture) = seen(&bench, 0);
            let shown: String = picture.content.iter().map(|cell| cell.symbol()).collect();
            assert!(shown.contains("F12"), "{place:?}: the key of {id} is not shown");
            let before = Keymap::default().hint(Action::by_id(id).unwrap());
            // Help and palette also show this key for other rows, and a single letter occurs in any word.
            let told = !matches!(place, Place::Dialog | Place::Picker) && before.len() > 1;
            let stale = told && shown.replace("F12", "").contains(&before);
            assert!(!stale, "{place:?}: {before} is still shown for {id}");
        }
    }
}
