//! Patches as models write them: what is forgiven and what is an error.

use std::collections::BTreeMap;

use super::*;

/// Files that exist only here.
#[derive(Clone)]
struct Shelf(BTreeMap<String, Bytes>);

impl Files for Shelf {
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError> {
        if path.starts_with("../") || path.starts_with('/') {
            return Err(PatchError::new("outside_workspace", path));
        }
        Ok(self.0.get(path).cloned())
    }
}

fn shelf(files: &[(&str, &str)]) -> Shelf {
    Shelf(
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().into()))
            .collect(),
    )
}

/// The shelf after a patch, or the code of the refusal.
fn patched(files: &[(&str, &str)], text: &str) -> Result<BTreeMap<String, String>, PatchError> {
    let mut shelf = shelf(files);
    let applied = apply_text(text, &mut shelf)?;
    for edit in applied.files {
        if let Some(Source::Renamed(from)) = edit.from {
            shelf.0.remove(&from);
        }
        match edit.after {
            Some(bytes) => shelf.0.insert(edit.path, bytes),
            None => shelf.0.remove(&edit.path),
        };
    }
    Ok(shelf
        .0
        .into_iter()
        .map(|(path, bytes)| (path, String::from_utf8(bytes.to_vec()).unwrap()))
        .collect())
}

/// The file `f` after a patch to it.
fn file(before: &str, text: &str) -> String {
    match patched(&[("f", before)], text) {
        Ok(mut files) => files.remove("f").unwrap_or_else(|| "(gone)".to_owned()),
        Err(error) => format!("{}: {}", error.code, error.text),
    }
}

fn code(files: &[(&str, &str)], text: &str) -> &'static str {
    patched(files, text).map_or_else(|error| error.code, |_| "applied")
}

const TEN: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

#[test]
fn what_models_get_wrong_in_form_is_read_as_it_was_meant() {
    let wanted = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n";
    let hunk = " 4\n-5\n+five\n 6\n";
    for (name, text) in unified_slips(hunk).into_iter().chain(envelope_slips(hunk)) {
        assert_eq!(file(TEN, &text), wanted, "{name}");
    }
}

/// Patches of `diff`, each off in one way.
fn unified_slips(hunk: &str) -> Vec<(&'static str, String)> {
    vec![
        ("plain", format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}")),
        ("counts too high", format!("--- a/f\n+++ b/f\n@@ -4,7 +4,7 @@\n{hunk}")),
        ("counts too low", format!("--- a/f\n+++ b/f\n@@ -4,2 +4,2 @@\n{hunk}")),
        ("no counts", format!("--- a/f\n+++ b/f\n@@ -4 +4 @@\n{hunk}")),
        ("bare marks", format!("--- a/f\n+++ b/f\n@@\n{hunk}")),
        ("bare marks, closed", format!("--- a/f\n+++ b/f\n@@ @@\n{hunk}")),
        ("marks with dots", format!("--- a/f\n+++ b/f\n@@ ... @@\n{hunk}")),
        (
            "section after the marks",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@ fn main() {{\n{hunk}"),
        ),
        ("no prefixes", format!("--- f\n+++ f\n@@ -4,3 +4,3 @@\n{hunk}")),
        ("dots in front", format!("--- ./f\n+++ ./f\n@@ -4,3 +4,3 @@\n{hunk}")),
        (
            "stamps after tabs",
            format!("--- a/f\t2024-01-01 00:00:00 +0000\n+++ b/f\t2024-01-01\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        (
            "stamps after spaces",
            format!("--- f 2024-01-01 10:00:00.000\n+++ f 2024-01-01 10:00:01.000\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        (
            "quoted names",
            format!("--- \"a/f\"\n+++ \"b/f\"\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        ("first line missing", format!("+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}")),
        ("second line missing", format!("--- a/f\n@@ -4,3 +4,3 @@\n{hunk}")),
        (
            "git header",
            format!("diff --git a/f b/f\nindex 12..34 100644\n--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        (
            "git header only",
            format!("diff --git a/f b/f\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
        (
            "mail signature",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}-- \n2.47.3\n"),
        ),
        (
            "mail signature, wrong counts",
            format!("--- a/f\n+++ b/f\n@@ -4,9 +4,9 @@\n{hunk}-- \n2.47.3\n"),
        ),
        (
            "fenced, with prose",
            format!("Sure:\n```diff\n--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}```\nDone.\n"),
        ),
        (
            "blank line at the end",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}\n\n"),
        ),
        (
            "blank line at the end, bare marks",
            format!("--- a/f\n+++ b/f\n@@\n{hunk}\n\n"),
        ),
        (
            "no line end at the end",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{}", hunk.trim_end()),
        ),
        (
            "carriage returns",
            format!("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n{hunk}").replace('\n', "\r\n"),
        ),
        (
            "subversion",
            format!("Index: f\n=======\n--- f (revision 1)\n+++ f (working copy)\n@@ -4,3 +4,3 @@\n{hunk}"),
        ),
    ]
}

/// The same hunk between `*** Begin Patch` and `*** End Patch`.
fn envelope_slips(hunk: &str) -> Vec<(&'static str, String)> {
    vec![
        (
            "envelope",
            format!("*** Begin Patch\n*** Update File: f\n@@\n{hunk}*** End Patch\n"),
        ),
        (
            "envelope without end",
            format!("*** Begin Patch\n*** Update File: f\n@@\n{hunk}"),
        ),
        (
            "envelope without marks",
            format!("*** Begin Patch\n*** Update File: f\n{hunk}*** End Patch"),
        ),
        (
            "envelope, anchored",
            format!("*** Begin Patch\n*** Update File: f\n@@ 3\n{hunk}*** End Patch"),
        ),
        (
            "envelope, unified marks",
            format!("*** Begin Patch\n*** Update File: f\n@@ -4,3 +4,3 @@\n{hunk}*** End Patch"),
        ),
        (
            "envelope in a here document",
            format!("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: f\n@@\n{hunk}*** End Patch\nEOF\n"),
        ),
    ]
}

#[test]
fn what_is_no_whole_patch_is_an_error() {
    for text in [
        "",
        "\n\n",
        "hello\n",
        "--- a/f\n+++ b/f\n",
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n",
        "@@ -1 +1 @@\n-1\n+one\n",
        "diff --git a/f b/f\n",
        "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 4\n",
        "--- a/f\n+++ b/f\n@@@ -1 -1 +1 @@@\n- 1\n",
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+one\n--- a/g\n+++ b/g\n",
        "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-1\n+one\n",
        "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../x\n\\ No newline at end of file\n",
        "*** Begin Patch\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: f\n*** End Patch\n",
        "*** Begin Patch\n*** Update File: f\n@@\n*** End Patch\n",
        "*** Begin Patch\n*** Add File: g\nno sign\n*** End Patch\n",
        "*** Begin Patch\n*** Update File:\n@@\n-1\n+2\n*** End Patch\n",
    ] {
        assert_eq!(code(&[("f", TEN), ("g", "x\n")], text), "invalid_patch", "{text}");
    }
}

#[test]
fn content_that_looks_like_headers_is_content() {
    // The second removed line and the added one look like the headers of a new file.
    let before = "a\n-- x\n++ y\nb\n";
    assert_eq!(
        file(before, "--- a/f\n+++ b/f\n@@ -1,4 +1,3 @@\n a\n--- x\n ++ y\n b\n"),
        "a\n++ y\nb\n"
    );
    assert_eq!(
        file("-- x\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n--- x\n+++ y\n"),
        "++ y\n"
    );
    let text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n--- x\n+++ y\n@@ -9 +9 @@\n-9\n+nine\n";
    let before = "-- x\n2\n3\n4\n5\n6\n7\n8\n9\n";
    assert_eq!(file(before, text), "++ y\n2\n3\n4\n5\n6\n7\n8\nnine\n");
    // And headers after counts that are one too high are headers.
    let text = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+one\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n";
    let files = patched(&[("f", TEN), ("g", "x\n")], text).unwrap();
    assert_eq!((files["f"].starts_with("one\n2\n"), files["g"].as_str()), (true, "y\n"));
}

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
        ("insertion at the start", "a\n", "@@ -0,0 +1 @@\n+x\n", "x\na\n"),
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
    for (hunk, note) in [
        (" three\n 4\n-5\n+five\n 6\n 7\n", "applied fuzz 1"),
        (" three\n four\n-5\n+five\n 6\n 7\n", "applied fuzz 2"),
        (" 3\n 4\n-5\n+five\n 6\n seven\n", "applied fuzz 1"),
        (
            " 3\n   4\n-5\n+five\n 6\n 7\n",
            "applied white space in the context ignored",
        ),
    ] {
        assert_eq!(file(TEN, &text(hunk)), wanted, "{hunk}");
        let applied = apply_text(&text(hunk), &mut shelf(&[("f", TEN)])).unwrap();
        assert_eq!(applied.files[0].notes, [note], "{hunk}");
    }
    let three = "--- a/f\n+++ b/f\n@@ -2,5 +2,5 @@\n two\n three\n four\n-5\n+five\n 6\n";
    assert!(file(TEN, three).starts_with("hunk_failed"), "{}", file(TEN, three));
    // Nothing that was compared is left: it could go anywhere.
    let loose = "--- a/f\n+++ b/f\n@@ -4,2 +4,3 @@\n four\n+x\n five\n";
    assert!(file(TEN, loose).starts_with("hunk_failed"));
    let applied = apply_text(
        "--- a/f\n+++ b/f\n@@ -2,2 +2,2 @@\n 7\n-8\n+eight\n",
        &mut shelf(&[("f", TEN)]),
    )
    .unwrap();
    assert_eq!(applied.files[0].notes, ["applied 5 lines further down than stated"]);
}

#[test]
fn line_ends_of_the_file_stay_whatever_the_patch_has() {
    let lf = "--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+BB\n c\n";
    let crlf_lines = "--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\r\n-b\r\n+B\r\n+BB\r\n c\r\n";
    for (before, text, wanted) in [
        ("a\r\nb\r\nc\r\n", lf.to_owned(), "a\r\nB\r\nBB\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", crlf_lines.to_owned(), "a\r\nB\r\nBB\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", lf.replace('\n', "\r\n"), "a\r\nB\r\nBB\r\nc\r\n"),
        ("a\nb\nc\n", lf.replace('\n', "\r\n"), "a\nB\nBB\nc\n"),
        ("a\nb\nc\n", crlf_lines.to_owned(), "a\nB\nBB\nc\n"),
        ("a\r\nb\nc\r\n", lf.to_owned(), "a\r\nB\nBB\nc\r\n"),
        // A patch that is there to change line ends says so by being right about the old ones.
        (
            "a\r\nb\r\n",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n".to_owned(),
            "a\nb\r\n",
        ),
        // No end at the end of the file.
        (
            "a\nb",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n".to_owned(),
            "a\nc",
        ),
        (
            "a\nb",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n".to_owned(),
            "A\nb",
        ),
        (
            "a\nb",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n b\n+c\n".to_owned(),
            "a\nb\nc\n",
        ),
        (
            "a\nb",
            "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n".to_owned(),
            "a\nb\n",
        ),
        (
            "a\nb\n",
            "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n".to_owned(),
            "a\nb",
        ),
    ] {
        assert_eq!(file(before, &text), wanted, "{before:?} {text:?}");
    }
}

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
fn a_file_in_another_encoding_keeps_its_bytes() {
    let bytes = |before: &[u8], hunk: &str| {
        let mut shelf = Shelf([("f".to_owned(), Bytes::from(before))].into());
        let applied = apply_text(&format!("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n{hunk}"), &mut shelf);
        applied
            .map(|applied| applied.files[0].after.as_deref().unwrap().to_vec())
            .map_err(|error| error.code)
    };
    assert_eq!(
        bytes(b"caf\xe9\nb\n", " caf\u{fffd}\n-b\n+B\n"),
        Ok(b"caf\xe9\nB\n".to_vec())
    );
    assert_eq!(
        bytes(b"caf\xe9\nb\n", "-caf\u{fffd}\n+tea\n b\n"),
        Ok(b"tea\nb\n".to_vec())
    );
    assert_eq!(bytes(b"caf\xe9\nb\n", "-b\n+\u{e9}\n"), Err("encoding"));
    assert_eq!(bytes(b"a\0\nb\n", "-b\n+c\n"), Err("binary"));
    assert_eq!(
        bytes(b"\xef\xbb\xbfa\nb\n", "-a\n+A\n b\n"),
        Ok(b"\xef\xbb\xbfA\nb\n".to_vec())
    );
    assert_eq!(
        bytes(b"\xef\xbb\xbfa\nb\n", "-\u{feff}a\n+A\n b\n"),
        Ok(b"A\nb\n".to_vec())
    );
}

#[test]
fn content_that_names_the_other_form_is_content() {
    let before = "a\n*** Begin Patch\nb\n";
    assert_eq!(
        file(
            before,
            "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n *** Begin Patch\n-b\n+B\n"
        ),
        "a\n*** Begin Patch\nB\n"
    );
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

mod oracle;
