use super::*;

#[test]
fn every_unseen_character_is_looked_at() {
    let mut buffer = [0; 4];
    for char in ('\0'..=char::MAX).filter(|char| is_unseen(*char)) {
        let text = char.encode_utf8(&mut buffer);
        assert!(has_unseen(text), "{char:?}");
    }
    assert!(!has_unseen("all of it\tcan be seen: é\r\n\u{fffd}"));
}

#[test]
fn what_is_seen_is_left_and_found_again_in_the_line() {
    let line = "a\u{1b}[1;31mb\u{200b}c\u{1b}]8;;http://x\u{7}dé\u{ad}\u{1b}(Be";
    let bare = Bare::of(line).unwrap();
    assert_eq!(bare.text, "abcdée");
    let at = bare.text.find("bcdé").unwrap();
    let place = bare.place(&(at..at + "bcdé".len()));
    assert_eq!(
        line.get(place),
        line.get(line.find('b').unwrap()..line.find('\u{ad}').unwrap())
    );
    assert!(Bare::of("all of it\tcan be seen: é\n").is_none());
}
