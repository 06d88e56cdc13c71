//! File names in patches, and the resulting actions.

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
    // Both files exist, but the patch is for only one.
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

#[test]
fn a_file_that_exists_is_never_made_anew_however_that_is_spelled() {
    for head in [
        "--- a/f\n+++ b/f\n",
        "--- f\n+++ f\n",
        "--- a/f\n",
        "+++ b/f\n",
        "--- /dev/null\n+++ b/f\n",
        "diff --git a/f b/f\n--- a/f\n+++ b/f\n",
        "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n",
        "diff --git a/f b/f\nnew file mode 100644\n",
    ] {
        for hunk in ["@@ -0,0 +1 @@\n+x\n", "@@ -0,0 +1,2 @@\n+x\n+y\n"] {
            assert_eq!(
                code(&[("f", "1\n")], &format!("{head}{hunk}")),
                "exists",
                "{head}{hunk}"
            );
        }
    }
    assert_eq!(file("", "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+x\n"), "x\n", "an empty one");
    let more = "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+x\n@@ -2 +3 @@\n-2\n+two\n";
    assert_eq!(file("1\n2\n", more), "x\n1\ntwo\n", "a change that begins at the top");
}

#[test]
fn a_header_that_contradicts_itself_is_refused_with_what_is_wrong() {
    let files = [("f", "1\n"), ("g", "1\n")];
    let hunk = "@@ -1 +1 @@\n-1\n+one\n";
    for (head, wrong) in [
        (
            "diff --git a/f b/f\nnew file mode 100644\ndeleted file mode 100644\n",
            "new and deleted",
        ),
        ("diff --git a/f b/h\nrename from f\ncopy to h\n", "renamed and copied"),
        (
            "diff --git a/f b/h\nnew file mode 100644\nrename from f\nrename to h\n",
            "new and renamed",
        ),
        (
            "diff --git a/f b/h\nrename from f\nrename to h\n--- a/g\n+++ b/h\n",
            "`f` and `a/g`",
        ),
        (
            "diff --git a/f b/h\nrename from f\nrename to h\n--- a/f\n+++ b/i\n",
            "`h` and `b/i`",
        ),
        ("--- a/f\n+++ b/g\n", "two files, `f` and `g`"),
        (
            "diff --git a/f b/f\nold mode 100644\nnew mode 999999\n",
            "`999999` is no mode",
        ),
        (
            "diff --git a/f b/f\nindex 1..2 120000\n--- a/f\n+++ b/f\n",
            "links and submodules",
        ),
    ] {
        let refused = patched(&files, &format!("{head}{hunk}")).expect_err(head);
        assert!(
            refused.code == "invalid_patch" && refused.text.contains(wrong),
            "{head}\n{refused}"
        );
    }
    let kept = patched(
        &[("f", "1\n"), ("f.orig", "1\n")],
        &format!("--- f.orig\n+++ f\n{hunk}"),
    )
    .unwrap();
    assert_eq!(kept["f"], "one\n", "{kept:?}");
    assert_eq!(
        file(
            "1\n",
            &format!("diff --git a/f b/f\nrename from f\nrename to f\n--- a/f\n+++ b/f\n{hunk}")
        ),
        "one\n"
    );
}

/// Builds the `git diff` of swapped files, one pair per move.
fn moves(pairs: &[(&str, &str)]) -> String {
    let lines = pairs.iter().map(|(from, to)| {
        format!("diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n")
    });
    lines.collect()
}

#[test]
fn files_that_change_places_all_arrive() {
    let files = [("a", "1\n"), ("b", "2\n"), ("c", "3\n")];
    for (pairs, wanted) in [
        (
            &[("a", "b"), ("b", "a")][..],
            &[("a", "2\n"), ("b", "1\n"), ("c", "3\n")][..],
        ),
        (
            &[("a", "b"), ("b", "c"), ("c", "a")],
            &[("a", "3\n"), ("b", "1\n"), ("c", "2\n")],
        ),
        (&[("a", "b"), ("b", "d")], &[("b", "1\n"), ("c", "3\n"), ("d", "2\n")]),
        (&[("b", "d"), ("a", "b")], &[("b", "1\n"), ("c", "3\n"), ("d", "2\n")]),
    ] {
        let after = patched(&files, &moves(pairs)).unwrap_or_else(|error| panic!("{pairs:?}: {error}"));
        let after: Vec<(&str, &str)> = after
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        assert_eq!(after, wanted, "{pairs:?}");
    }
    for pairs in [&[("a", "b")][..], &[("a", "d"), ("a", "e")], &[("a", "d"), ("b", "d")]] {
        assert_ne!(code(&files, &moves(pairs)), "applied", "{pairs:?}");
    }
}
