use super::super::{find, is_word};
use super::with_word;
use benchdog_keys::action::rows;

#[test]
fn a_command_with_a_word_is_one_that_takes_it() {
    let named: Vec<&str> = rows().filter_map(|row| with_word(row.action)).collect();
    assert!(named.contains(&"new beside"), "{named:?}");
    for name in named {
        let (command, word) = name.split_once(' ').unwrap();
        assert!(is_word(find(command).unwrap().command, word), "{name}");
    }
}
