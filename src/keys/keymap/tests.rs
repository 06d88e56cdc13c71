use super::*;
use crate::action::GlobalAction;

#[test]
fn the_defaults_contradict_nowhere() {
    // An override makes `Keymap::with` compare all rows, even if it repeats the default keys. Without overrides,
    // nothing is compared.
    let row = Action::by_id("help.open").unwrap().row();
    let same = (
        row.id.to_owned(),
        row.keys.iter().map(|key| (*key).to_owned()).collect(),
    );
    let (compared, conflicts) = Keymap::with(&[same]);
    assert_eq!(conflicts, []);
    let (plain, conflicts) = Keymap::with(&[]);
    assert_eq!(conflicts, []);
    assert_eq!((plain.chords, plain.keys), (compared.chords, compared.keys));
}

fn told(overrides: &[(&str, &[&str])]) -> Vec<Conflict> {
    let owned = |(id, keys): &(&str, &[&str])| {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        ((*id).to_owned(), keys)
    };
    let overrides: Vec<_> = overrides.iter().map(owned).collect();
    Keymap::with(&overrides).1
}

#[test]
fn the_defaults_contradict_nowhere_where_a_person_writes_them_all_out() {
    let all: Vec<_> = rows().map(|row| (row.id, row.keys)).collect();
    assert_eq!(told(&all), []);
}

#[test]
fn a_key_of_ones_own_that_something_nearer_always_hides_is_told() {
    for (id, key, nearer) in [
        ("palette.open", "Ctrl+K", "text.delete_line_right"),
        ("palette.open", "ctrl-u", "text.delete_line_left"),
        ("help.open", "ctrl-x a", "text.select_all"),
        ("help.open", "alt-v", "prompt.paste_image"),
        ("text.undo", "alt-v", "prompt.paste_image"),
        ("pane.copy", "j", "list.down"),
    ] {
        let found = told(&[(id, &[key])]);
        assert!(
            matches!(&found[..], [Conflict::Twice { kept, dropped, .. }] if *kept == id && *dropped == nearer),
            "{id} {key}: {found:?}"
        );
    }
    // A person who binds both, or gives the hidden action another key, accepts the conflict.
    let chosen = told(&[("palette.open", &["f5"]), ("prompt.steer", &["f5"])]);
    assert!(chosen.is_empty(), "{chosen:?}");
    let chosen = told(&[("palette.open", &["ctrl-p", "ctrl-k"])]);
    assert!(chosen.is_empty(), "{chosen:?}");
    let begun = told(&[("palette.open", &["ctrl-k p"])]);
    assert!(
        matches!(&begun[..], [Conflict::Half { shorter, longer, .. }] if shorter == "Ctrl+K" && longer == "Ctrl+K p"),
        "{begun:?}"
    );
}

#[test]
fn a_key_is_free_where_the_other_has_none_or_is_nearer_only_now_and_then() {
    assert_eq!(
        told(&[("palette.open", &["ctrl-k"]), ("text.delete_line_right", &[])]),
        []
    );
    for (id, key) in [
        ("palette.open", "f5"),
        // The text input of a review uses this key.
        ("palette.open", "ctrl-s"),
        // The completion list uses this key.
        ("help.open", "ctrl-n"),
        // The person chose that this key of the prompt hides the global key.
        ("prompt.up", "ctrl-p"),
    ] {
        assert_eq!(told(&[(id, &[key]), ("files.toggle", &[])]), [], "{id} {key}");
    }
}

#[test]
fn an_override_takes_the_key_and_the_conflict_is_told() {
    let (map, conflicts) = Keymap::with(&[("help.open".to_owned(), vec!["ctrl-p".to_owned()])]);
    assert_eq!(
        map.action(Scope::Prompt, Key::ctrl('p')),
        Some(Action::Global(GlobalAction::Help))
    );
    assert_eq!(map.action(Scope::Prompt, "f1".parse().unwrap()), None);
    assert_eq!(
        conflicts.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "`Ctrl+P` cannot be both `help.open` and `palette.open`: give one of them another key in `ui.keys`, or `[]` for none"
        ]
    );
}

#[test]
fn a_slip_in_the_configuration_is_named() {
    let (_, conflicts) = Keymap::with(&[
        ("palette.opne".to_owned(), vec!["alt-p".to_owned()]),
        ("help.open".to_owned(), vec!["nokey".to_owned()]),
    ]);
    let told: Vec<_> = conflicts.iter().map(ToString::to_string).collect();
    assert_eq!(
        told[0],
        "there is no action `palette.opne`; did you mean `palette.open`?"
    );
    assert_eq!(
        told[1],
        "`nokey` for `help.open` is not a key; keys are written like `ctrl-p`, `alt-shift-left`, `pageup`, `f1`, `space`, `ctrl-x n`"
    );
}

#[test]
fn two_strokes_need_both() {
    let map = Keymap::default();
    let first = Key::ctrl('x');
    assert_eq!(map.find(Scope::Prompt, None, first), Found::Prefix);
    assert_eq!(
        map.find(Scope::Prompt, Some(first), Key::char('2')),
        Found::Action(Action::Global(GlobalAction::PaneConversation))
    );
    assert_eq!(map.find(Scope::Prompt, Some(first), Key::char('z')), Found::Nothing);
    assert_eq!(map.find(Scope::Prompt, None, Key::char('2')), Found::Nothing);
}

#[test]
fn two_strokes_are_read_as_the_screen_shows_them() {
    let shown = Chord::parse("Ctrl+X n").unwrap();
    assert_eq!(Some(shown), Chord::parse("ctrl-x n"));
    assert_eq!(shown.shown(), "Ctrl+X n");
    let help = |key: &str| Keymap::with(&[("help.open".to_owned(), vec![key.to_owned()])]).0;
    let action = Some(Action::Global(GlobalAction::Help));
    for key in ["Ctrl-P", "ctrl-P", "Ctrl+P"] {
        assert_eq!(help(key).action(Scope::Prompt, Key::ctrl('p')), action, "{key}");
    }
    assert_eq!(help("Ctrl+Shift+P").action(Scope::Prompt, Key::ctrl('P')), action);
    assert_ne!(help("Ctrl+Shift+P").action(Scope::Prompt, Key::ctrl('p')), action);
}
