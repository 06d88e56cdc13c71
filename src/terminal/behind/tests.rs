use super::*;
use benchdog_keys::{Key, KeyCode};

#[test]
fn an_enter_behind_the_key_that_opened_an_editor_sent_the_draft_that_was_edited() {
    let mut behind = Behind::default();
    let typed = [
        Key::char('d'),
        Key::plain(KeyCode::Esc),
        Key::ctrl('c'),
        Key::plain(KeyCode::Enter),
    ];
    for key in typed {
        assert_eq!(behind.keep(Input::Key(key)), None);
    }
    assert_eq!(behind.keep(Input::Paste("two words".to_owned())), None);
    assert_eq!(behind.keep(Input::Kitty), Some(Input::Kitty));
    assert_eq!(behind.end().as_deref(), Some("d\ntwo words"));
    assert_eq!(behind.end(), None);
}
