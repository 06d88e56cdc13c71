use super::*;

#[test]
fn a_name_with_brackets_and_blanks_does_not_shift_the_fields() {
    let running = Stat {
        zombie: false,
        parent: 5,
        group: 77,
        session: 66,
        foreground: None,
        started: 98765,
    };
    assert_eq!(
        parse("77 (a) R 1 (b c) S 5 77 66 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000"),
        Some(running)
    );
    let dead = Stat {
        zombie: true,
        foreground: Some(77),
        ..running
    };
    assert_eq!(
        parse("78 (x) Z 5 77 66 34816 77 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000"),
        Some(dead)
    );
    assert_eq!(parse("79 (x"), None);
}

#[test]
fn a_group_from_outside_the_container_is_zero() {
    let inside = parse("1 (sh) S 0 0 0 34816 0 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000").unwrap();
    assert_eq!((inside.group, inside.session, inside.foreground), (0, 0, Some(0)));
}

#[test]
fn our_own_entry_is_the_one_of_our_number() {
    let own = own_stat().unwrap();
    assert_eq!(stat(std::process::id()).map(|stat| stat.parent), Some(own.parent));
    assert!(!own.zombie);
}
