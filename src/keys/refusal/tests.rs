use super::*;
use crate::{Keymap, Scope};

fn told(id: &str, key: &str) -> Vec<String> {
    let (map, conflicts) = Keymap::with(&[(id.to_owned(), vec![key.to_owned()])]);
    if map.keys_of(Action::by_id(id).unwrap()).is_empty() {
        conflicts.iter().map(ToString::to_string).collect()
    } else {
        Vec::new()
    }
}

#[test]
fn what_is_typed_is_text_wherever_text_is_typed() {
    for id in [
        "palette.open",
        "prompt.up",
        "text.left",
        "completion.next",
        "picker.down",
        "find.go",
        "reason.send",
    ] {
        for key in ["x", "?", "space", "漢", "a b"] {
            let told = told(id, key);
            assert!(
                told.len() == 1 && told[0].contains("as text; choose a key with Ctrl or Alt"),
                "{id} {key}: {told:?}"
            );
        }
    }
    for id in ["list.down", "files.preview", "approval.once", "dialog.close"] {
        assert_eq!(told(id, "x"), Vec::<String>::new(), "{id}");
    }
}

#[test]
fn what_decides_is_one_key_that_no_terminal_sends_for_two() {
    for id in ["approval.once", "approval.always", "approval.deny", "approval.keep"] {
        for key in ["alt-y", "ctrl-x y"] {
            let told = told(id, key);
            assert!(
                told.len() == 1 && told[0].contains("choose one key without Alt"),
                "{id} {key}: {told:?}"
            );
        }
        assert_eq!(told(id, "ctrl-y"), Vec::<String>::new(), "{id}");
    }
}

#[test]
fn a_first_stroke_that_means_something_wherever_both_are_valid_is_refused() {
    let (_, conflicts) = Keymap::with(&[("pane.copy".to_owned(), vec!["pageup y".to_owned()])]);
    assert!(
        matches!(&conflicts[..], [Conflict::Half { shorter, longer, .. }] if shorter == "PgUp" && longer == "PgUp y"),
        "{conflicts:?}"
    );
}

#[test]
fn what_is_allowed_at_once_takes_a_key_that_nobody_types() {
    for key in ["tab", "esc", "backspace", "shift-enter", "left"] {
        let told = told("approval.once_now", key);
        assert!(told.len() == 1, "{key}: {told:?}");
    }
    for key in ["f9", "ctrl-y", "alt-o"] {
        assert_eq!(told("approval.once_now", key), Vec::<String>::new(), "{key}");
    }
}

#[test]
fn a_key_that_a_terminal_sends_as_another_is_refused() {
    for key in ["ctrl-i", "ctrl-m", "ctrl-["] {
        assert!(told("palette.open", key)[0].contains("never arrives"), "{key}");
    }
}

#[test]
fn nothing_hides_what_decides_and_nobody_is_locked_in() {
    for (id, key) in [("approval.edit", "n"), ("approval.keep", "y"), ("approval.keep", "a")] {
        let (_, conflicts) = Keymap::with(&[(id.to_owned(), vec![key.to_owned()])]);
        assert!(
            matches!(conflicts[..], [Conflict::Twice { .. }]),
            "{id} {key}: {conflicts:?}"
        );
    }
    for id in ["prompt.clear", "approval.deny"] {
        let (map, conflicts) = Keymap::with(&[(id.to_owned(), Vec::new())]);
        assert!(
            matches!(conflicts[..], [Conflict::Needed { .. }]),
            "{id}: {conflicts:?}"
        );
        assert!(!map.keys_of(Action::by_id(id).unwrap()).is_empty());
    }
}

#[test]
fn enter_stays_with_what_sends_and_never_decides() {
    for id in [
        "palette.open",
        "text.left",
        "completion.accept",
        "picker.down",
        "approval.once",
        "list.down",
    ] {
        let told = told(id, "enter");
        assert!(
            told.len() == 1 && told[0].contains("away from what sends or answers"),
            "{id}: {told:?}"
        );
    }
    for id in ["prompt.send", "find.go", "reason.send", "files.preview"] {
        assert_eq!(told(id, "enter"), Vec::<String>::new(), "{id}");
    }
    // Swapping the keys for send and line break is common.
    let swapped = [
        ("prompt.send".to_owned(), vec!["alt-enter".to_owned()]),
        ("prompt.newline".to_owned(), vec!["enter".to_owned()]),
    ];
    assert_eq!(Keymap::with(&swapped).1, []);
}

#[test]
fn a_first_stroke_of_two_has_no_meaning_of_its_own() {
    let (_, conflicts) = Keymap::with(&[("text.undo".to_owned(), vec!["ctrl-x".to_owned()])]);
    let told: Vec<String> = conflicts.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`Ctrl+X` is the first stroke of `Ctrl+X 1`, so `text.undo` and `pane.files` cannot have both; choose \
             another key for one of them"
        ]
    );
}

#[test]
fn the_defaults_pass_every_rule() {
    for row in rows() {
        for key in row.keys {
            assert_eq!(
                refused(row.action, Chord::parse(key).unwrap()),
                None,
                "{} {key}",
                row.id
            );
        }
    }
    assert!(!Scope::List.takes_text() && Scope::Global.takes_text());
}
