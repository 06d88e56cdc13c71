use std::collections::BTreeSet;

use super::*;
use crate::keymap::Chord;

#[test]
fn what_decides_also_answers_and_so_does_every_key_of_a_request() {
    for row in rows() {
        assert!(row.action.answers() || !row.action.decides(), "{}", row.id);
        let group = row.id.split('.').next().unwrap_or_default();
        let of_a_request = [
            "approval", "confirm", "reason", "comment", "editor", "question", "folder",
        ]
        .contains(&group);
        assert_eq!(row.action.answers(), of_a_request, "{}", row.id);
    }
}

#[test]
fn the_table_is_in_the_order_of_the_enum_and_its_ids_differ() {
    let ids: BTreeSet<_> = rows().map(|row| row.id).collect();
    assert_eq!(ids.len(), rows().count());
    for row in rows() {
        assert_eq!(row.action.row().id, row.id);
        assert_eq!(Action::by_id(row.id), Some(row.action));
    }
}

#[test]
fn every_chord_some_terminal_cannot_send_has_a_second_way() {
    for row in rows() {
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
    let keymap = crate::Keymap::default();
    for (scope, key, action) in [
        (Scope::Prompt, "enter", Action::Prompt(PromptAction::Send)),
        (Scope::Prompt, "alt-s", Action::Prompt(PromptAction::Steer)),
        (Scope::Prompt, "ctrl-j", Action::Prompt(PromptAction::Newline)),
        (Scope::Prompt, "esc", Action::Global(GlobalAction::Close)),
        (Scope::Prompt, "ctrl-p", Action::Global(GlobalAction::Palette)),
        (Scope::Prompt, "f1", Action::Global(GlobalAction::Help)),
        (Scope::Prompt, "tab", Action::Global(GlobalAction::NextPane)),
        (Scope::Completion, "tab", Action::Completion(CompletionAction::Accept)),
        (Scope::Files, "alt-3", Action::Global(GlobalAction::PanePrompt)),
        (Scope::Prompt, "ctrl-n", Action::Global(GlobalAction::ToggleFiles)),
        (Scope::Prompt, "ctrl-t", Action::Global(GlobalAction::ToggleSide)),
        (Scope::Prompt, "ctrl-g", Action::Global(GlobalAction::EditPrompt)),
        (Scope::Prompt, "ctrl-r", Action::Global(GlobalAction::SearchPrompts)),
        (Scope::Prompt, "ctrl-\\", Action::Global(GlobalAction::Log)),
        (Scope::Dialog, "ctrl-\\", Action::Global(GlobalAction::Log)),
        (Scope::Prompt, "ctrl-o", Action::Global(GlobalAction::Sessions)),
        (Scope::Prompt, "ctrl-w", Action::Text(TextAction::DeleteWordLeft)),
        (Scope::Todo, "ctrl-f", Action::Global(GlobalAction::Find)),
        (Scope::Prompt, "ctrl-c", Action::Global(GlobalAction::Clear)),
        (Scope::Prompt, "ctrl-d", Action::Prompt(PromptAction::DeleteOrQuit)),
        (Scope::Prompt, "alt-_", Action::Text(TextAction::Redo)),
        (Scope::Prompt, "alt-a", Action::Global(GlobalAction::Approvals)),
        (Scope::Prompt, "f2", Action::Global(GlobalAction::Approvals)),
        (Scope::Conversation, "G", Action::List(ListAction::End)),
        (Scope::Approval, "y", Action::Approval(ApprovalAction::Once)),
        (Scope::Proposal, "]", Action::Diff(DiffAction::HunkNext)),
        (Scope::Approval, "?", Action::Approval(ApprovalAction::Why)),
        (Scope::Approval, "k", Action::List(ListAction::Up)),
    ] {
        assert_eq!(
            keymap.action(scope, key.parse().unwrap()),
            Some(action),
            "{key} in {scope:?}"
        );
    }
}
