use super::*;
use crate::hunks;

fn unified(before: &str, after: &str, context: usize) -> String {
    String::from_utf8(unified_text(before.as_bytes(), after.as_bytes(), context)).unwrap()
}

#[test]
fn a_change_reads_as_diff_prints_it() {
    assert_eq!(
        unified("a\nb\nc\n", "a\nB\nc\n", 1),
        "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
    );
    assert_eq!(unified("", "a\n", 3), "@@ -0,0 +1 @@\n+a\n");
    assert_eq!(unified("a\n", "", 3), "@@ -1 +0,0 @@\n-a\n");
    assert_eq!(unified("a\nb\n", "a\nb\n", 3), "");
    assert_eq!(
        unified("a\nb", "a\nc\n", 0),
        "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n"
    );
}

#[test]
fn hunks_whose_contexts_touch_share_a_header_and_others_do_not() {
    let before = "1\n2\n3\n4\n5\n6\n7\n";
    let after = "one\n2\n3\n4\n5\n6\nseven\n";
    assert_eq!(unified(before, after, 3).matches("@@ -").count(), 1);
    assert_eq!(unified(before, after, 2).matches("@@ -").count(), 2);
}

#[test]
fn a_quoted_hunk_is_capped_and_says_so() {
    let after: String = (0..100).map(|n| format!("{n}\n")).collect();
    let hunk = &hunks("", &after)[0];
    let text = hunk_text(b"", after.as_bytes(), hunk, 3);
    assert_eq!(text, "@@ -0,0 +1,100 @@\n+0\n+1\n+2\n… 97 more lines\n");
}
