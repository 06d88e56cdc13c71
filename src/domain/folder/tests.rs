use super::*;

fn head(branch: &str, commit: &str) -> Head {
    Head {
        branch: Some(branch.to_owned()),
        commit: commit.to_owned(),
    }
}

#[test]
fn the_head_at_an_entry_is_the_last_one_noted_before_it() {
    let mut states = FolderStates::new(SessionId("s".to_owned()), "/w".to_owned());
    states.note_head(EntryId(1), head("main", "a"));
    states.note_head(EntryId(4), head("main", "a"));
    states.note_head(EntryId(6), head("feature", "b"));
    assert_eq!(states.heads.len(), 2);
    assert_eq!(states.head_at(EntryId(0)), None);
    assert_eq!(states.head_at(EntryId(5)), Some(&head("main", "a")));
    assert_eq!(states.head_at(EntryId(6)), Some(&head("feature", "b")));
}

#[test]
fn the_oldest_heads_are_dropped() {
    let mut states = FolderStates::new(SessionId("s".to_owned()), "/w".to_owned());
    for number in 1..=300 {
        states.note_head(EntryId(number), head("main", &number.to_string()));
    }
    assert_eq!(states.heads.len(), MOST_HEADS);
    assert_eq!(states.last_head(), Some(&head("main", "300")));
}
