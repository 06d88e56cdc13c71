use super::*;

/// Discards whole hunks, and edits the accepted text with `write`. Returns the text with the discarded changes
/// restored, and the discarded lines.
fn regained(before: &str, after: &str, hunks: &[usize], write: impl Fn(String) -> String) -> (String, Vec<Line>) {
    let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
    let rows = sides.side_by_side(usize::MAX);
    let dropped = |hunk: usize, _: Line| hunks.contains(&hunk);
    let text = write(String::from_utf8(sides.without(&rows, dropped)).unwrap());
    let regained = sides.regained(&rows, dropped, text.as_bytes());
    let lines = regained.dropped.into_iter().collect();
    (String::from_utf8(regained.after).unwrap(), lines)
}

#[test]
fn what_was_dropped_is_beside_what_was_written() {
    let (text, lines) = regained("a\nb\nc\nd\n", "a\nB\nc\nD\n", &[0], |text| {
        assert_eq!(text, "a\nb\nc\nD\n");
        text.replace("D", "mine\nD")
    });
    assert_eq!(text, "a\nB\nc\nmine\nD\n");
    assert_eq!(lines, [Line::Before(1), Line::After(1)]);
}

#[test]
fn an_added_block_and_a_removed_one_keep_their_places_below_what_was_put_in() {
    let (text, lines) = regained("a\nb\nc\nd\ne\n", "a\nnew\nb\nc\ne\n", &[0, 1], |text| {
        format!("first\n{text}")
    });
    assert_eq!(text, "first\na\nnew\nb\nc\ne\n");
    assert_eq!(lines, [Line::Before(3), Line::After(2)]);
}

#[test]
fn a_line_that_was_written_over_is_the_persons_own() {
    let (text, lines) = regained("a\nb\nc\n", "a\nc\n", &[0], |text| text.replace('b', "mine"));
    assert_eq!((text.as_str(), lines.len()), ("a\nmine\nc\n", 0));
}
