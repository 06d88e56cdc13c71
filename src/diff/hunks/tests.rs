use proptest::prelude::*;

use super::*;
use crate::work;

/// Texts with many repeated lines, all kinds of line ends, and invalid UTF-8.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(vec![
        &b"a"[..],
        b"b",
        b"c",
        b"",
        b"}",
        b"\xff\xfe",
        b"caf\xe9",
        b"x\ry",
        "漢".as_bytes(),
    ]);
    let end = prop::sample::select(vec![&b"\n"[..], b"\n", b"\r\n", b"\r"]);
    (prop::collection::vec((line, end), 0..24), any::<bool>()).prop_map(|(lines, ended)| {
        let mut bytes: Vec<u8> = lines.iter().flat_map(|(line, end)| [*line, *end].concat()).collect();
        if !ended {
            bytes.pop();
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn keeping_all_gives_after_and_keeping_none_gives_before(before in text(), after in text()) {
        let count = hunks(&before, &after).len();
        prop_assert_eq!(&keep_bytes(&before, &after, &vec![true; count]), &after);
        prop_assert_eq!(&keep_bytes(&before, &after, &vec![false; count]), &before);
        prop_assert_eq!(&keep_bytes(&before, &after, &[]), &before);
    }

    #[test]
    fn keeping_some_is_before_with_just_those_hunks(before in text(), after in text(), choice in any::<u32>()) {
        let hunks = hunks(&before, &after);
        let kept: Vec<bool> = (0..hunks.len()).map(|n| choice >> (n % 32) & 1 == 1).collect();
        let (old, new) = (split(&before), split(&after));
        let mut lines: Vec<&[u8]> = old.clone();
        for (hunk, _) in hunks.iter().zip(&kept).rev().filter(|(_, kept)| **kept) {
            lines.splice(hunk.before.clone(), new[hunk.after.clone()].iter().copied());
        }
        prop_assert_eq!(keep_bytes(&before, &after, &kept), lines.concat());
    }

    #[test]
    fn hunks_are_in_order_and_equal_lines_lie_between(before in text(), after in text()) {
        let (old, new) = (split(&before), split(&after));
        let mut at = (0, 0);
        for (index, hunk) in hunks(&before, &after).iter().enumerate() {
            prop_assert!(!hunk.before.is_empty() || !hunk.after.is_empty());
            prop_assert_eq!(&old[at.0..hunk.before.start], &new[at.1..hunk.after.start]);
            prop_assert!(index == 0 || at.0 < hunk.before.start);
            at = (hunk.before.end, hunk.after.end);
        }
        prop_assert_eq!(&old[at.0..], &new[at.1..]);
    }

    #[test]
    fn a_text_has_no_hunks_against_itself(text in text()) {
        prop_assert_eq!(hunks(&text, &text), vec![]);
        prop_assert_eq!(split(&text).concat(), text);
    }
}

#[test]
fn one_of_two_hunks_is_kept_as_exact_text() {
    let before = "a\nb\nc\nd\ne\n";
    let after = "a\nB\nc\nd\nE\n";
    assert_eq!(
        keep_bytes(before.as_bytes(), after.as_bytes(), &[true, false]),
        b"a\nB\nc\nd\ne\n"
    );
    assert_eq!(
        keep_bytes(before.as_bytes(), after.as_bytes(), &[false, true]),
        b"a\nb\nc\nd\nE\n"
    );
    assert_eq!(counts(before.as_bytes(), after.as_bytes()), (2, 2));
}

#[test]
fn a_missing_final_newline_is_a_change_of_the_last_line() {
    assert_eq!(
        hunks("a\nb", "a\nb\n"),
        vec![Hunk {
            before: 1..2,
            after: 1..2
        }]
    );
    assert_eq!(keep_bytes(b"a\nb", b"a\nb\n", &[false]), b"a\nb");
}

#[test]
fn a_created_and_an_emptied_file_are_one_hunk() {
    assert_eq!(
        hunks("", "a\nb\n"),
        vec![Hunk {
            before: 0..0,
            after: 0..2
        }]
    );
    assert_eq!(
        hunks("a\nb\n", ""),
        vec![Hunk {
            before: 0..2,
            after: 0..0
        }]
    );
    assert_eq!(counts(b"", b"a\nb"), (2, 0));
}

#[test]
fn a_new_function_is_one_block_that_begins_at_its_first_line() {
    let before = "fn a() {\n    x();\n}\n\nfn c() {\n    x();\n}\n";
    let after = "fn a() {\n    x();\n}\n\nfn b() {\n    x();\n}\n\nfn c() {\n    x();\n}\n";
    assert_eq!(
        hunks(before, after),
        vec![Hunk {
            before: 4..4,
            after: 4..8
        }]
    );
    assert_eq!(
        hunks(after, before),
        vec![Hunk {
            before: 4..8,
            after: 4..4
        }]
    );
}

#[test]
fn bytes_that_decode_alike_are_still_different() {
    assert_eq!(hunks(b"caf\xe9\n", b"caf\xe8\n").len(), 1);
}

/// Changes at both ends and in the middle, so that no common prefix or suffix can be skipped.
#[test]
fn a_huge_file_with_few_changes_is_compared_in_one_pass() {
    let lines: Vec<String> = (0..300_000)
        .map(|n| format!("    let value_{n} = compute({});\n", n % 977))
        .collect();
    let mut changed = lines.clone();
    for at in [0, 150_000, 299_999] {
        changed[at] = "changed\n".to_owned();
    }
    changed.remove(200_000);
    let (before, after) = (lines.concat(), changed.concat());
    let (hunks, compared) = work::of(|| hunks(&before, &after));
    assert_eq!(hunks.len(), 4);
    assert!(compared < 400_000, "{compared}");
}

/// The search must stop early instead of taking quadratic time.
#[test]
fn huge_files_with_nothing_but_braces_in_common_end_soon() {
    let make = |tag: &str| -> String {
        (0..40_000)
            .map(|n| {
                if n % 3 == 0 {
                    "}\n".to_owned()
                } else {
                    format!("{tag} {n}\n")
                }
            })
            .collect()
    };
    let (hunks, compared) = work::of(|| hunks(make("a"), make("b")));
    assert!(!hunks.is_empty());
    assert!(compared < 10 * 80_000, "{compared}");
}

/// No line is unique, so only positions show which lines correspond.
#[test]
fn every_tenth_line_of_a_huge_file_is_a_change_of_its_own() {
    for kinds in [usize::MAX, 977] {
        let lines: Vec<String> = (0..300_000).map(|n| format!("    compute({});\n", n % kinds)).collect();
        let mut changed = lines.clone();
        for line in changed.iter_mut().skip(5).step_by(10) {
            *line = "changed\n".to_owned();
        }
        assert_eq!(hunks(lines.concat(), changed.concat()).len(), 30_000, "{kinds} kinds");
    }
}
