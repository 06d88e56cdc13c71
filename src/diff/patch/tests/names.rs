//! Which files a patch means, and what becomes of them.

use super::*;

#[test]
fn files_are_made_moved_copied_and_removed_and_nothing_is_lost_by_it() {
    let files = [("d/f", "1\n2\n"), ("e", "")];
    for (text, path, wanted) in [
        ("--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n", "n", Some("x\n")),
        (
            "--- /dev/null\n+++ n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
            "n",
            Some("x"),
        ),
        ("--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+x\n", "n", Some("x\n")),
        (
            "--- n\t1970-01-01 00:00:00 +0000\n+++ n\t2024-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+x\n",
            "n",
            Some("x\n"),
        ),
        ("diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n", "n", Some("")),
        (
            "diff --git \"a/\\303\\244 b\" \"b/\\303\\244 b\"\nnew file mode 100644\n",
            "ä b",
            Some(""),
        ),
        (
            "diff --git a/two words b/two words\nnew file mode 100644\n",
            "two words",
            Some(""),
        ),
        (
            "*** Begin Patch\n*** Add File: n\n+x\n+\n*** End Patch",
            "n",
            Some("x\n\n"),
        ),
        ("--- a/d/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", "d/f", None),
        ("diff --git a/e b/e\ndeleted file mode 100644\n", "e", None),
        ("*** Begin Patch\n*** Delete File: d/f\n*** End Patch", "d/f", None),
        (
            "diff --git a/d/f b/g\nsimilarity index 100%\nrename from d/f\nrename to g\n",
            "g",
            Some("1\n2\n"),
        ),
        (
            "diff --git a/d/f b/g\nrename from d/f\nrename to g\n--- a/d/f\n+++ b/g\n@@ -1 +1 @@\n-1\n+one\n",
            "g",
            Some("one\n2\n"),
        ),
        (
            "*** Begin Patch\n*** Update File: d/f\n*** Move to: g\n@@\n-1\n+one\n*** End Patch",
            "g",
            Some("one\n2\n"),
        ),
        ("diff --git a/d/f b/g\ncopy from d/f\ncopy to g\n", "g", Some("1\n2\n")),
    ] {
        let after = patched(&files, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(after.get(path).map(String::as_str), wanted, "{text}");
        assert_eq!(
            after.contains_key("d/f"),
            !(text.contains("rename") || text.contains("Move") || path == "d/f"),
            "{text}"
        );
    }
    for (text, wanted) in [
        ("--- /dev/null\n+++ b/e\n@@ -0,0 +1 @@\n+x\n", "exists"),
        ("*** Begin Patch\n*** Add File: d/f\n+x\n*** End Patch", "exists"),
        ("--- a/d/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", "hunk_failed"),
        ("diff --git a/d/f b/d/f\ndeleted file mode 100644\n", "hunk_failed"),
        ("diff --git a/d/f b/e\nrename from d/f\nrename to e\n", "exists"),
        ("diff --git a/d/f b/e\ncopy from d/f\ncopy to e\n", "exists"),
        ("diff --git a/no b/g\nrename from no\nrename to g\n", "not_found"),
        ("--- a/no\n+++ b/no\n@@ -1 +1 @@\n-1\n+one\n", "not_found"),
        ("--- /dev/null\n+++ b/../out\n@@ -0,0 +1 @@\n+x\n", "outside_workspace"),
        (
            "--- a/d/f\n+++ b/d/f\n@@ -1 +1 @@\n-1\n+one\n--- a/no\n+++ b/no\n@@ -1 +1 @@\n-1\n+one\n",
            "not_found",
        ),
        (
            "*** Begin Patch\n*** Update File: d/f\n@@ nowhere\n-1\n+one\n*** End Patch",
            "hunk_failed",
        ),
    ] {
        assert_eq!(code(&files, text), wanted, "{text}");
    }
}

#[test]
fn a_folder_named_a_is_no_prefix() {
    let files = [("a/f", "1\n"), ("b/f", "1\n")];
    let after = patched(&files, "--- a/f\n+++ a/f\n@@ -1 +1 @@\n-1\n+one\n").unwrap();
    assert_eq!((after["a/f"].as_str(), after["b/f"].as_str()), ("one\n", "1\n"));
    let after = patched(
        &[("f", "1\n"), ("a/f", "1\n")],
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+one\n",
    )
    .unwrap();
    assert_eq!((after["f"].as_str(), after["a/f"].as_str()), ("one\n", "1\n"));
    let after = patched(&[("a/a/f", "1\n")], "--- a/a/a/f\n+++ b/a/a/f\n@@ -1 +1 @@\n-1\n+one\n").unwrap();
    assert_eq!(after["a/a/f"], "one\n");
}

#[test]
fn a_file_patched_twice_is_one_change() {
    let text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+one\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-2\n+two\n";
    let applied = apply_text(text, &mut shelf(&[("f", TEN)])).unwrap();
    assert_eq!(applied.files.len(), 1);
    assert_eq!(applied.files[0].before.as_deref(), Some(TEN.as_bytes()));
    assert!(applied.files[0].after.as_deref().unwrap().starts_with(b"one\ntwo\n3\n"));
}

#[test]
fn a_new_or_removed_file_has_the_prefix_that_gits_own_line_shows() {
    let new = "new file mode 100644\n--- /dev/null\n";
    let added = "@@ -0,0 +1 @@\n+x\n";
    let gone = "deleted file mode 100644\n";
    for (name, text, path) in [
        ("reversed", format!("diff --git b/n a/n\n{new}+++ a/n\n{added}"), "n"),
        (
            "reversed, empty",
            "diff --git b/n a/n\nnew file mode 100644\n".to_owned(),
            "n",
        ),
        (
            "reversed, folder",
            format!("diff --git b/a/n a/a/n\n{new}+++ a/a/n\n{added}"),
            "a/n",
        ),
        ("no prefix", format!("diff --git b/n b/n\n{new}+++ b/n\n{added}"), "b/n"),
        (
            "no prefix, empty",
            "diff --git b/n b/n\nnew file mode 100644\n".to_owned(),
            "b/n",
        ),
    ] {
        let after = patched(&[], &text).unwrap();
        assert_eq!(after.keys().collect::<Vec<_>>(), [path], "{name}");
    }
    // Both files are there, and only one of them is meant.
    let both = [("f", "1\n"), ("b/f", "1\n"), ("a/f", "1\n")];
    for (line, side, left) in [
        ("b/f a/f", "b/f", ["a/f", "b/f"]),
        ("b/f b/f", "b/f", ["a/f", "f"]),
        ("a/f a/f", "a/f", ["b/f", "f"]),
    ] {
        let text = format!("diff --git {line}\n{gone}--- {side}\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n");
        let after = patched(&both, &text).unwrap();
        assert_eq!(after.keys().collect::<Vec<_>>(), left, "{line}");
    }
}

#[test]
fn the_beginning_of_time_in_any_zone_says_that_there_is_no_file() {
    let gone = |stamp: &str| {
        let text = format!("--- f\t2024-01-01 00:00:00 +0000\n+++ f\t{stamp}\n@@ -1 +0,0 @@\n-1\n");
        !patched(&[("f", "1\n")], &text).unwrap().contains_key("f")
    };
    for stamp in [
        "1970-01-01 00:00:00.000000000 +0000",
        "1970-01-01 01:00:00.000000000 +0100",
        "1970-01-01 05:45:00 +05:45",
        "1969-12-31 19:00:00.000000000 -0500",
        "Thu Jan  1 01:00:00 1970",
        "Wed Dec 31 16:00:00 1969",
    ] {
        assert!(gone(stamp), "{stamp}");
    }
    for stamp in [
        "1970-01-01 01:00:00 +0000",
        "1970-01-01 00:00:00.000000001 +0000",
        "1970-01-01 00:00:01 +0000",
        "1969-12-31 19:00:00 +0500",
        "2024-01-01 00:00:00 +0000",
        "Thu Jan  1 23:00:00 1970",
        "1970-01-01 €:00 +€",
    ] {
        assert!(!gone(stamp), "{stamp}");
    }
}

#[test]
fn two_folders_compared_are_no_part_of_the_names() {
    let change =
        "--- old/src/f\t2024-01-01 00:00:00 +0000\n+++ new/src/f\t2024-01-02 00:00:00 +0000\n@@ -1 +1 @@\n-1\n+one\n";
    assert_eq!(patched(&[("src/f", "1\n")], change).unwrap()["src/f"], "one\n");
    assert_eq!(patched(&[("old/src/f", "1\n")], change).unwrap()["old/src/f"], "one\n");
    let made =
        "--- old/src/n\t1970-01-01 02:00:00 +0200\n+++ new/src/n\t2024-01-02 00:00:00 +0000\n@@ -0,0 +1 @@\n+x\n";
    assert_eq!(patched(&[], made).unwrap()["src/n"], "x\n");
    let gone =
        "--- old/src/f\t2024-01-02 00:00:00 +0000\n+++ new/src/f\t1970-01-01 02:00:00 +0200\n@@ -1 +0,0 @@\n-1\n";
    assert!(patched(&[("src/f", "1\n")], gone).unwrap().is_empty());
}

#[test]
fn a_file_both_changed_and_copied_is_copied_as_it_was() {
    let text = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n\
                diff --git a/f b/g\ncopy from f\ncopy to g\n--- a/f\n+++ b/g\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n";
    let after = patched(&[("f", "1\n2\n")], text).unwrap();
    assert_eq!((after["f"].as_str(), after["g"].as_str()), ("one\n2\n", "1\ntwo\n"));
}
