use proptest::prelude::*;

use super::*;

fn drawn(before: &str, after: &str, context: usize) -> Vec<String> {
    let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
    sides
        .side_by_side(context)
        .iter()
        .map(|row| match row {
            DiffRow::Same { before, after } => {
                assert_eq!(sides.left(*before), sides.right(*after));
                format!("  {}", sides.left(*before))
            }
            DiffRow::Pair { before, after, .. } => format!("~ {} | {}", sides.left(*before), sides.right(*after)),
            DiffRow::Removed { before, .. } => format!("- {}", sides.left(*before)),
            DiffRow::Added { after, .. } => format!("+ {}", sides.right(*after)),
            DiffRow::Folded { lines, .. } => format!("… {lines}"),
        })
        .collect()
}

#[test]
fn context_is_shown_around_hunks_and_the_rest_is_folded() {
    let before: String = (1..=20).map(|n| format!("{n}\n")).collect();
    let after = before.replace("10\n", "ten\n");
    assert_eq!(
        drawn(&before, &after, 2),
        ["… 7", "  8", "  9", "~ 10 | ten", "  11", "  12", "… 8"]
    );
}

#[test]
fn a_fold_never_hides_a_single_line() {
    let before = "1\n2\n3\n4\n5\n";
    let after = "one\n2\n3\n4\nfive\n";
    assert_eq!(
        drawn(before, after, 1),
        ["~ 1 | one", "  2", "  3", "  4", "~ 5 | five"]
    );
}

#[test]
fn equal_texts_are_one_fold() {
    assert_eq!(drawn("1\n2\n3\n", "1\n2\n3\n", 3), ["… 3"]);
    assert_eq!(drawn("1\n2\n3\n", "1\n2\n3\n", usize::MAX), ["  1", "  2", "  3"]);
    assert_eq!(drawn("", "", 3), Vec::<String>::new());
}

#[test]
fn a_changed_line_stands_beside_its_old_form_though_lines_were_added_before_it() {
    let before = "let total = price * count;\n";
    let after = "// round once, at the end\nlet rate = 2;\nlet total = round(price * count);\n";
    assert_eq!(
        drawn(before, after, 3),
        [
            "+ // round once, at the end",
            "+ let rate = 2;",
            "~ let total = price * count; | let total = round(price * count);",
        ]
    );
}

#[test]
fn bytes_that_are_no_text_are_shown_with_marks_and_come_back_exactly() {
    let bytes: Arc<[u8]> = (*b"caf\xe9\r\nx").into();
    let text = Text::of(bytes.clone());
    assert_eq!(text.shown(0), "caf\u{fffd}");
    assert_eq!(text.lines().concat(), *bytes);
    assert_eq!(text.len(), 2);
    assert_eq!(Text::of((*b"").into()).len(), 0);
    assert_eq!(Text::of((*b"a\n").into()).len(), 1);
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a b c", "a b d", "x", "", "}"]), 0..16)
        .prop_map(|lines| lines.iter().map(|line| format!("{line}\n")).collect())
}

proptest! {
    #[test]
    fn a_text_has_the_lines_it_is_split_into(bytes in prop::collection::vec(prop::sample::select(b"\n\x8a\x0bab\r".to_vec()), 0..40)) {
        let text = Text::of(bytes.as_slice().into());
        prop_assert_eq!(text.lines(), crate::split(&bytes));
    }

    #[test]
    fn every_line_of_both_sides_is_shown_once_and_in_order(before in text(), after in text(), context in 0_usize..5) {
        let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
        for context in [context, usize::MAX] {
            let (mut left, mut right) = (0, 0);
            for row in sides.side_by_side(context) {
                match row {
                    DiffRow::Same { before, after } | DiffRow::Pair { before, after, .. } => {
                        prop_assert_eq!((before, after), (left, right));
                        left += 1;
                        right += 1;
                    }
                    DiffRow::Removed { before, .. } => { prop_assert_eq!(before, left); left += 1; }
                    DiffRow::Added { after, .. } => { prop_assert_eq!(after, right); right += 1; }
                    DiffRow::Folded { before, after, lines } => {
                        prop_assert_eq!((before, after), (left, right));
                        left += lines;
                        right += lines;
                    }
                }
            }
            prop_assert_eq!((left, right), (sides.before.len(), sides.after.len()));
        }
    }

    #[test]
    fn one_column_shows_every_line_once_and_in_order(before in text(), after in text(), context in 0_usize..5) {
        let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
        let (mut left, mut right) = (0, 0);
        for row in sides.unified(context) {
            match row {
                DiffRow::Same { before, after } => {
                    prop_assert_eq!((before, after), (left, right));
                    left += 1;
                    right += 1;
                }
                DiffRow::Removed { before, .. } => { prop_assert_eq!(before, left); left += 1; }
                DiffRow::Added { after, .. } => { prop_assert_eq!(after, right); right += 1; }
                DiffRow::Folded { lines, .. } => { left += lines; right += lines; }
                DiffRow::Pair { .. } => prop_assert!(false, "two lines in one row of one column"),
            }
        }
        prop_assert_eq!((left, right), (sides.before.len(), sides.after.len()));
    }
}

#[test]
fn in_a_huge_diff_only_so_many_hunks_are_matched_line_by_line() {
    let text = |hunks: usize, head: &str, tail: &str| {
        let hunk = |hunk: usize| {
            let lines: String = (0..30).map(|n| format!("one line of many {n}{tail}\n")).collect();
            format!("{head}{lines}kept {hunk}\n")
        };
        (0..hunks).map(hunk).collect::<String>()
    };
    let matched = |hunks: usize| {
        let (before, after) = (text(hunks, "", ""), text(hunks, "quite new\n", " changed"));
        let sides = Sides::of(Some(before.as_bytes().into()), Some(after.as_bytes().into()));
        assert_eq!(sides.hunks.len(), hunks);
        let rows = sides.side_by_side(1);
        // If lines are paired by similarity, the new line comes first. If they are paired from the top, it comes last.
        let begins = rows
            .iter()
            .filter(|row| matches!(row, DiffRow::Added { after, hunk } if *after == hunk * 32));
        begins.count()
    };
    assert_eq!(matched(500), 500);
    let many = matched(2_000);
    assert!((500..600).contains(&many), "{many}");
}
