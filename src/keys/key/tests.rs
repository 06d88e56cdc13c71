use super::*;

#[test]
fn what_is_printed_is_what_is_read() {
    for text in [
        "ctrl-p",
        "alt-1",
        "f1",
        "esc",
        "enter",
        "a",
        "shift-tab",
        "ctrl-alt-x",
        "space",
        "-",
        "ctrl-_",
        "G",
        "pageup",
        "ctrl-home",
        "ctrl-shift-p",
        "alt-shift-left",
    ] {
        let key: Key = text.parse().unwrap();
        assert_eq!(key.to_string(), text);
    }
    assert!("ctrl-".parse::<Key>().is_err());
    assert!("f99".parse::<Key>().is_err());
    assert!("bogus".parse::<Key>().is_err());
}

#[test]
fn shift_is_in_the_letter() {
    let reported = Key {
        shift: true,
        ..Key::char('g')
    };
    assert_eq!(reported.normal(), Key::char('G'));
    let both = Key {
        shift: true,
        ..Key::char('G')
    };
    assert_eq!(both.normal(), Key::char('G'));
}

#[test]
fn people_read_capitals() {
    for (text, shown) in [
        ("ctrl-p", "Ctrl+P"),
        ("shift-tab", "Shift+Tab"),
        ("alt-a", "Alt+A"),
        ("f2", "F2"),
        ("pageup", "PgUp"),
        ("space", "Space"),
        ("G", "G"),
    ] {
        assert_eq!(text.parse::<Key>().unwrap().shown(), shown);
    }
}

#[test]
fn what_the_screen_shows_is_read_as_that_key() {
    for (shown, written) in [
        ("Ctrl+P", "ctrl-p"),
        ("Ctrl-P", "ctrl-p"),
        ("ctrl+p", "ctrl-p"),
        ("Alt+A", "alt-a"),
        ("Alt-A", "alt-a"),
        ("Ctrl+Shift+P", "ctrl-shift-p"),
        ("Alt+Shift+Left", "alt-shift-left"),
        ("Shift+Tab", "shift-tab"),
        ("Ctrl++", "ctrl-+"),
        ("PgUp", "pageup"),
        ("PgDn", "pagedown"),
        ("Space", "space"),
        ("G", "G"),
        ("shift-g", "G"),
    ] {
        let key: Key = shown.parse().unwrap();
        assert_eq!(written.parse::<Key>(), Ok(key), "{shown}");
        assert_eq!(key.shown().parse::<Key>(), Ok(key), "{shown}");
    }
    assert_ne!("ctrl-p".parse::<Key>(), "ctrl-shift-p".parse::<Key>());
    for text in ["Ctrl+", "Ctrl", "c-p", "Ctrlp"] {
        assert!(text.parse::<Key>().is_err(), "{text}");
    }
}
