use super::*;

fn fed(pieces: &[&str], head: usize, tail: usize) -> Kept {
    let mut ends = Ends::new(head, tail);
    for piece in pieces {
        ends.push(piece);
    }
    ends.kept()
}

#[test]
fn nothing_is_lost_while_it_fits() {
    let kept = fed(&["abc", "def", "ghi"], 4, 5);
    assert_eq!((kept.head + &kept.tail).as_str(), "abcdefghi");
    assert_eq!(kept.lost_bytes, 0);
}

#[test]
fn the_middle_is_lost_and_counted() {
    let kept = fed(&["a\nb\nc\nd\ne\nf\ng\nh\n"], 4, 4);
    assert_eq!(
        kept,
        Kept {
            head: "a\nb\n".to_owned(),
            tail: "h\n".to_owned(),
            lost_bytes: 10,
            lost_lines: 5
        }
    );
}

#[test]
fn one_line_longer_than_both_ends_keeps_its_ends() {
    let kept = fed(&[&"x".repeat(50), &"y".repeat(50)], 8, 8);
    assert_eq!(
        (kept.head.as_str(), kept.tail.as_str(), kept.lost_bytes),
        ("xxxxxxxx", "yyyyyyyy", 84)
    );
}

#[test]
fn characters_are_never_cut_in_two() {
    for room in 1..12 {
        let kept = fed(&["漢字", "かな", "한글", "漢字"], room, room);
        assert!(
            !kept.head.contains('\u{fffd}') && !kept.tail.contains('\u{fffd}'),
            "{room}: {kept:?}"
        );
        assert!("漢字かな한글漢字".starts_with(&kept.head) && "漢字かな한글漢字".ends_with(&kept.tail));
    }
}

#[test]
fn text_after_a_character_that_did_not_fit_does_not_slip_into_the_head() {
    let kept = fed(&["ab漢", "c"], 4, 100);
    assert_eq!((kept.head + &kept.tail).as_str(), "ab漢c");
}

#[test]
fn memory_is_bounded() {
    let mut ends = Ends::new(1_000, 1_000);
    for _ in 0..10_000 {
        ends.push("a line of output\n");
    }
    assert_eq!((ends.bytes(), ends.lines()), (170_000, 10_000));
    assert!(ends.head.capacity() <= 2_048 && ends.tail.capacity() <= 4_096);
}

#[test]
fn text_that_was_passed_over_is_counted_and_what_stood_before_it_is_no_end() {
    let mut ends = Ends::new(3, 4);
    ends.push("a漢b");
    ends.pass_over(b"1\n2\n");
    ends.push("yz");
    let kept = ends.kept();
    assert_eq!((kept.head.as_str(), kept.tail.as_str()), ("a", "yz"));
    assert_eq!((kept.lost_bytes, kept.lost_lines), (8, 2));
}
