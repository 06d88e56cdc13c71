//! The place of a hunk, and the errors if no place matches.

use super::*;
use crate::work;

#[test]
fn a_place_is_found_further_on_but_never_guessed() {
    let repeated = "x\na\nx\nb\nx\nc\nx\nd\n";
    for (name, before, text, wanted) in [
        (
            "further down",
            TEN,
            "@@ -2,2 +2,2 @@\n 7\n-8\n+eight\n",
            "1\n2\n3\n4\n5\n6\n7\neight\n9\n10\n",
        ),
        (
            "further up",
            TEN,
            "@@ -90,2 +90,2 @@\n 7\n-8\n+eight\n",
            "1\n2\n3\n4\n5\n6\n7\neight\n9\n10\n",
        ),
        (
            "as stated, though it stands elsewhere",
            repeated,
            "@@ -5 +5 @@\n-x\n+y\n",
            "x\na\nx\nb\ny\nc\nx\nd\n",
        ),
        (
            "the second moves with the first",
            TEN,
            "@@ -1,1 +1,1 @@\n-2\n+two\n@@ -3 +3 @@\n-4\n+four\n",
            "1\ntwo\n3\nfour\n5\n6\n7\n8\n9\n10\n",
        ),
        (
            "later hunk first",
            TEN,
            "@@ -8 +8 @@\n-8\n+eight\n@@ -2 +2 @@\n-2\n+two\n",
            "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n10\n",
        ),
        ("insertion by number", "a\nb\n", "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n"),
        ("insertion at the start", "a\n", "@@ -1 +1,2 @@\n+x\n a\n", "x\na\n"),
        ("emptied", "a\n", "@@ -1 +0,0 @@\n-a\n", ""),
        ("filled", "", "@@ -0,0 +1 @@\n+a\n", "a\n"),
        (
            "context that shares a line",
            TEN,
            "@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n@@ -3,3 +3,3 @@\n 3\n-4\n+four\n 5\n",
            "1\ntwo\n3\nfour\n5\n6\n7\n8\n9\n10\n",
        ),
    ] {
        assert_eq!(file(before, &format!("--- a/f\n+++ b/f\n{text}")), wanted, "{name}");
    }
    for (name, before, text, code) in [
        ("several far places", repeated, "@@ -90 +90 @@\n-x\n+y\n", "ambiguous"),
        ("two equally near", repeated, "@@ -2 +2 @@\n-x\n+y\n", "ambiguous"),
        ("no number, several places", repeated, "@@\n-x\n+y\n", "ambiguous"),
        (
            "removed line differs in white space",
            TEN,
            "@@ -4,3 +4,3 @@\n 4\n- 5\n+five\n 6\n",
            "hunk_failed",
        ),
        (
            "removed line is another",
            TEN,
            "@@ -4,3 +4,3 @@\n 4\n-55\n+five\n 6\n",
            "hunk_failed",
        ),
        (
            "twice the same line",
            TEN,
            "@@ -5 +5 @@\n-5\n+five\n@@ -5 +5 @@\n-5\n+fünf\n",
            "hunk_failed",
        ),
        ("insertion without a place", TEN, "@@\n+x\n", "hunk_failed"),
        ("insertion past the end", "a\n", "@@ -9,0 +10 @@\n+x\n", "hunk_failed"),
        (
            "said to have no line end",
            "a\nb\n",
            "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n",
            "hunk_failed",
        ),
    ] {
        let said = file(before, &format!("--- a/f\n+++ b/f\n{text}"));
        assert!(said.starts_with(code), "{name}: {said}");
    }
}

#[test]
fn fuzz_is_bounded_reported_and_only_in_context() {
    let text = |hunk: &str| format!("--- a/f\n+++ b/f\n@@ -3,5 +3,5 @@\n{hunk}");
    let wanted = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n";
    for (hunk, further, spaces, fuzz) in [
        (" three\n 4\n-5\n+five\n 6\n 7\n", 0, false, 1),
        (" three\n four\n-5\n+five\n 6\n 7\n", 0, false, 2),
        (" 3\n 4\n-5\n+five\n 6\n seven\n", 0, false, 1),
        (" 3\n   4\n-5\n+five\n 6\n 7\n", 0, true, 0),
    ] {
        assert_eq!(file(TEN, &text(hunk)), wanted, "{hunk}");
        let applied = apply_text(&text(hunk), &mut shelf(&[("f", TEN)])).unwrap();
        let eased = Eased {
            hunk: (1, 1),
            further,
            spaces,
            fuzz,
        };
        assert_eq!(applied.files[0].eased, [eased], "{hunk}");
    }
    let three = "--- a/f\n+++ b/f\n@@ -2,5 +2,5 @@\n two\n three\n four\n-5\n+five\n 6\n";
    assert!(file(TEN, three).starts_with("hunk_failed"), "{}", file(TEN, three));
    // Without the outer context no line is left to compare, so any place would match.
    let loose = "--- a/f\n+++ b/f\n@@ -4,2 +4,3 @@\n four\n+x\n five\n";
    assert!(file(TEN, loose).starts_with("hunk_failed"));
    let applied = apply_text(
        "--- a/f\n+++ b/f\n@@ -2,2 +2,2 @@\n 7\n-8\n+eight\n",
        &mut shelf(&[("f", TEN)]),
    )
    .unwrap();
    let eased = Eased {
        hunk: (1, 1),
        further: 5,
        spaces: false,
        fuzz: 0,
    };
    assert_eq!(applied.files[0].eased, [eased]);
}

#[test]
fn a_refusal_shows_what_is_there() {
    let error = patched(
        &[("f", "fn a(x: u32) {\n    go(x);\n}\n")],
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n fn a(y: u32) {\n-    go(y);\n+    stop(y);\n",
    )
    .unwrap_err();
    assert!(error.text.contains("1\tfn a(x: u32) {\n2\t    go(x);\n"), "{error}");
    let error = patched(&[("f", TEN)], "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n 1\n-zwei\n+2\n").unwrap_err();
    assert!(error.text.contains("applied before"), "{error}");
}

#[test]
fn an_anchor_tells_equal_places_apart() {
    let before = "fn a() {\n    x();\n}\nfn b() {\n    x();\n}\n";
    let text = "*** Begin Patch\n*** Update File: f\n@@ fn b() {\n-    x();\n+    y();\n*** End Patch";
    assert_eq!(file(before, text), "fn a() {\n    x();\n}\nfn b() {\n    y();\n}\n");
    let text = "*** Begin Patch\n*** Update File: f\n@@\n-    x();\n+    y();\n*** End Patch";
    assert!(file(before, text).starts_with("ambiguous"));
    let text = "*** Begin Patch\n*** Update File: f\n@@\n }\n+// end\n*** End of File\n*** End Patch";
    assert_eq!(
        file(before, text),
        "fn a() {\n    x();\n}\nfn b() {\n    x();\n}\n// end\n"
    );
}

#[test]
fn where_hunks_stand_as_stated_nothing_else_is_compared() {
    let before: String = (1..=1_000).map(|n| format!("{n}\n")).collect();
    let hunks: String = (1..=1_000)
        .step_by(5)
        .map(|n| format!("@@ -{n} +{n} @@\n-{n}\n+line {n}\n"))
        .collect();
    let (after, compared) = work::of(|| file(&before, &format!("--- a/f\n+++ b/f\n{hunks}")));
    assert!(after.contains("\nline 996\n997\n"), "{after}");
    assert!(compared < 10 * 200, "{compared}");
}

#[test]
fn a_number_that_no_text_has_lines_for_is_refused() {
    for number in [u64::MAX, u64::MAX / 2, u64::MAX / 2 + 1] {
        let text = format!("--- a/f\n+++ b/f\n@@ -{number},3 +1,3 @@\n four\n 4\n-5\n+five\n");
        let said = file(TEN, &text);
        assert!(said.starts_with("invalid_patch"), "{number}: {said}");
    }
}
