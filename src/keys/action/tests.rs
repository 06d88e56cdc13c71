//! The table of actions: its order, its ids, its default keys.

use std::collections::BTreeSet;

use super::*;
use crate::keys::keymap::Chord;

#[test]
fn the_table_is_in_the_order_of_the_enum_and_its_ids_differ() {
    let ids: BTreeSet<_> = TABLE.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), TABLE.len());
    for row in TABLE {
        assert_eq!(row.action.row().id, row.id);
        assert_eq!(Action::by_id(row.id), Some(row.action));
    }
}

#[test]
fn every_chord_some_terminal_cannot_send_has_a_second_way() {
    for row in TABLE {
        let chords: Vec<Chord> = row
            .keys
            .iter()
            .map(|key| Chord::parse(key).unwrap_or_else(|| panic!("{key}")))
            .collect();
        if chords.iter().any(Chord::is_fragile) {
            assert!(!row.second.is_empty(), "{} has no second way", row.id);
            let sturdy = chords.iter().any(|chord| !chord.is_fragile());
            let told = ["/", "palette", "Ctrl"].iter().any(|way| row.second.contains(way));
            assert!(sturdy || told, "{}: {}", row.id, row.second);
        }
    }
}

#[test]
fn the_keys_of_the_design_are_there() {
    let keymap = crate::keys::Keymap::default();
    for (scope, key, action) in [
        (Scope::Prompt, "enter", Action::Send),
        (Scope::Prompt, "alt-s", Action::Steer),
        (Scope::Prompt, "ctrl-j", Action::Newline),
        (Scope::Prompt, "esc", Action::CloseOrInterrupt),
        (Scope::Prompt, "ctrl-p", Action::Palette),
        (Scope::Prompt, "f1", Action::Help),
        (Scope::Prompt, "tab", Action::NextPane),
        (Scope::Completion, "tab", Action::CompletionAccept),
        (Scope::Files, "alt-3", Action::PanePrompt),
        (Scope::Prompt, "ctrl-n", Action::ToggleFiles),
        (Scope::Prompt, "ctrl-t", Action::ToggleSide),
        (Scope::Prompt, "ctrl-g", Action::EditPrompt),
        (Scope::Prompt, "ctrl-r", Action::SearchPrompts),
        (Scope::Prompt, "ctrl-o", Action::Sessions),
        (Scope::Todo, "ctrl-f", Action::Find),
        (Scope::Prompt, "ctrl-c", Action::ClearOrLeave),
        (Scope::Prompt, "ctrl-d", Action::DeleteOrLeave),
        (Scope::Prompt, "alt-_", Action::Redo),
        (Scope::Prompt, "alt-a", Action::Review),
        (Scope::Prompt, "f2", Action::Review),
        (Scope::Conversation, "G", Action::ListEnd),
        (Scope::Approval, "y", Action::Once),
        (Scope::Approval, "]", Action::HunkNext),
        (Scope::Approval, "?", Action::Why),
        (Scope::Approval, "k", Action::RowUp),
    ] {
        assert_eq!(
            keymap.action(scope, key.parse().unwrap()),
            Some(action),
            "{key} in {scope:?}"
        );
    }
}
