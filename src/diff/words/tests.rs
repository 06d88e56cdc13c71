use proptest::prelude::*;

use super::*;

/// Returns both lines with brackets around their changes.
fn marked(before: &str, after: &str) -> (String, String) {
    let (left, right) = word_changes(before, after);
    let mark = |line: &str, ranges: &[Range<usize>]| {
        let mut out = String::new();
        let mut at = 0;
        for range in ranges {
            out.push_str(line.get(at..range.start).unwrap());
            out.push_str(&format!("[{}]", line.get(range.clone()).unwrap()));
            at = range.end;
        }
        out + line.get(at..).unwrap()
    };
    (mark(before, &left), mark(after, &right))
}

#[test]
fn what_changed_inside_a_line_is_found_by_words() {
    for (before, after, left, right) in [
        (
            "let total = 1;",
            "let total = 2;",
            "let total = [1];",
            "let total = [2];",
        ),
        (
            "self.count + 1",
            "self.total + 1",
            "self.[count] + 1",
            "self.[total] + 1",
        ),
        ("foo(a, b)", "foo(a, b, c)", "foo(a, b)", "foo(a, b[, c])"),
        (
            "return old_name",
            "return new_name",
            "return [old_name]",
            "return [new_name]",
        ),
        ("a one two b", "a uno due b", "a [one two] b", "a [uno due] b"),
        (
            "価格を計算する",
            "価格を検算する",
            "価格を[計]算する",
            "価格を[検]算する",
        ),
        ("  x = 1\r\n", "    x = 1\r\n", "[  ]x = 1\r\n", "[    ]x = 1\r\n"),
        ("same", "same", "same", "same"),
        ("", "new", "", "[new]"),
        // Too little text is equal.
        ("fn main() {", "use std::fmt;", "fn main() {", "use std::fmt;"),
    ] {
        assert_eq!(
            marked(before, after),
            (left.to_owned(), right.to_owned()),
            "{before} → {after}"
        );
    }
}

#[test]
fn a_family_of_emoji_is_never_cut() {
    let (left, right) = marked("size 👨‍👩‍👧 ok then", "size 👨‍👩‍👦 ok then");
    assert_eq!(
        (left.as_str(), right.as_str()),
        ("size [👨‍👩‍👧] ok then", "size [👨‍👩‍👦] ok then")
    );
}

#[test]
fn a_line_of_a_megabyte_is_marked_at_its_ends_only() {
    let before = format!("start {} end", "a,b;".repeat(100_000));
    let after = format!("start {} end", "c,d;".repeat(100_000));
    let (left, _) = word_changes(&before, &after);
    assert!(left.len() <= 1, "{}", left.len());
}

proptest! {
    #[test]
    fn what_is_not_marked_is_the_same_on_both_sides(
        before in "[ab漢é👍🏽 \u{301}.,(]{0,24}",
        after in "[ab漢é👍🏽 \u{301}.,(]{0,24}",
    ) {
        let (left, right) = word_changes(&before, &after);
        let rest = |line: &str, ranges: &[Range<usize>]| -> String {
            let mut at = 0;
            let mut out = String::new();
            for range in ranges {
                prop_assert_graphemes(line, range);
                out.push_str(line.get(at..range.start).unwrap());
                at = range.end;
            }
            out + line.get(at..).unwrap()
        };
        let (a, b) = (rest(&before, &left), rest(&after, &right));
        // Ignore white space, because white space between two changes is marked as changed.
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        if !(left.is_empty() && right.is_empty()) {
            prop_assert_eq!(plain(&a), plain(&b));
        }
    }
}

fn prop_assert_graphemes(line: &str, range: &Range<usize>) {
    let mut starts: Vec<usize> = line.grapheme_indices(true).map(|(at, _)| at).collect();
    starts.push(line.len());
    assert!(
        starts.contains(&range.start) && starts.contains(&range.end),
        "{line:?} {range:?}"
    );
}
