use super::*;

fn without(before: &str, after: &str, dropped: &[Line]) -> String {
    let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
    let rows = sides.side_by_side(3);
    String::from_utf8(sides.without(&rows, |_, line| dropped.contains(&line))).unwrap()
}

#[test]
fn what_is_dropped_is_as_it_was_and_the_rest_as_proposed() {
    let before = "a\nb\nc\nd\ne\n";
    let after = "a\nB\nb2\nc\ne\n";
    assert_eq!(without(before, after, &[]), after);
    assert_eq!(without(before, after, &[Line::After(2)]), "a\nB\nc\ne\n");
    assert_eq!(
        without(before, after, &[Line::Before(1), Line::After(1)]),
        "a\nb\nb2\nc\ne\n"
    );
    assert_eq!(without(before, after, &[Line::Before(3)]), "a\nB\nb2\nc\nd\ne\n");
}

#[test]
fn a_last_line_without_an_end_gets_one_where_more_follows() {
    assert_eq!(without("a", "b\nc\n", &[Line::Before(0), Line::After(0)]), "a\nc\n");
    assert_eq!(
        without("a\r\nb", "a\r\nB\r\nc\r\n", &[Line::Before(1), Line::After(1)]),
        "a\r\nb\r\nc\r\n"
    );
    assert_eq!(without("a\r\nb", "a\r\nc", &[Line::Before(1)]), "a\r\nb\r\nc");
    assert_eq!(without("a\n", "a\nb", &[Line::After(1)]), "a\n");
}

#[test]
fn all_dropped_is_the_text_before() {
    let before: String = (0..40).map(|n| format!("line {n}\n")).collect();
    let after = before.replace("line 7\n", "seven\nand more\n").replace("line 30\n", "");
    let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
    let rows = sides.side_by_side(3);
    assert_eq!(sides.without(&rows, |_, _| true), before.as_bytes());
    assert_eq!(sides.without(&rows, |_, _| false), after.as_bytes());
    assert_eq!(
        sides.without(&rows, |hunk, _| hunk == 0),
        before.replace("line 30\n", "").as_bytes()
    );
}

#[test]
fn rows_have_as_many_lines_of_the_text_as_it_has() {
    let before: String = (0..40).map(|n| format!("line {n}\n")).collect();
    let after = before.replace("line 7\n", "seven\nand more\n").replace("line 30\n", "");
    let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
    let rows = sides.side_by_side(3);
    for dropped in [0, 1, 2] {
        let is_dropped = |hunk: usize, _: Line| hunk == dropped;
        let lines = rows.iter().flat_map(|row| row.kept(is_dropped));
        let count = lines.filter(KeptLine::is_in).count();
        let text = sides.without(&rows, is_dropped);
        assert_eq!(count, text.split_inclusive(|byte| *byte == b'\n').count(), "{dropped}");
    }
}
