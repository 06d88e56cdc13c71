use super::{carried, carried_over};

#[test]
fn an_edit_goes_along_to_where_its_lines_lie_now() {
    let (base, mine) = (b"a\nb\nc\nd\n", b"a\nb\nc\nD\nnew\n");
    assert_eq!(
        carried(base, mine, b"top\na\nc\nd\n").as_deref(),
        Some(&b"top\na\nc\nD\nnew\n"[..])
    );
    assert_eq!(carried(base, mine, base).as_deref(), Some(&mine[..]));
    assert_eq!(carried(base, base, b"x\n").as_deref(), Some(&b"x\n"[..]));
}

#[test]
fn where_both_changed_the_same_lines_or_neighbours_nothing_is_guessed() {
    let (base, mine) = (b"a\nb\nc\nd\n", b"a\nB\nc\nd\n");
    for later in [
        &b"a\nx\nc\nd\n"[..],
        b"a\nb\nx\nd\n",
        b"a\nnew\nb\nc\nd\n",
        b"a\nc\nd\n",
    ] {
        assert_eq!(carried(base, mine, later), None, "{later:?}");
    }
}

#[test]
fn of_the_same_lines_the_own_ones_stand_and_neighbours_are_as_others_left_them() {
    let base = b"a\nb\nc\nd\n";
    let over = |mine: &str, later: &str| {
        let over = carried_over(base, mine.as_bytes(), later.as_bytes());
        over.map(|(text, replaces)| (String::from_utf8(text).unwrap(), replaces))
    };
    for (mine, later, now, replaces) in [
        ("a\nB\nc\nd\n", "a\nb\nx\nd\n", "a\nB\nx\nd\n", false),
        ("a\nB\nc\nd\n", "a\nnew\nb\nc\nd\n", "a\nnew\nB\nc\nd\n", false),
        ("a\nB\nc\nd\n", "a\nb\nd\n", "a\nB\nd\n", false),
        ("a\nb\nB\nc\nd\n", "a\nb\nnew\nc\nd\n", "a\nb\nnew\nB\nc\nd\n", false),
        ("a\nB\nc\nd\n", "a\nx\nc\nd\n", "a\nB\nc\nd\n", true),
        ("a\nB\nc\nd\n", "a\nx\ny\nd\n", "a\nB\ny\nd\n", true),
        ("a\nB\nc\nd\n", "a\nc\nd\n", "a\nB\nc\nd\n", true),
        ("a\nd\n", "a\nb\nnew\nc\nd\nz\n", "a\nd\nz\n", true),
    ] {
        assert_eq!(
            over(mine, later),
            Some((now.to_owned(), replaces)),
            "{mine:?} {later:?}"
        );
    }
    // Three lines became two, so nobody knows which ones correspond.
    assert_eq!(over("a\nB\nc\nd\n", "a\nx\ny\nz\nd\n"), None);
    assert_eq!(over("a\nb\nc\nD", "a\nb\nc\nd\ne\n"), None);
}
